package request

import (
	"errors"
	"fmt"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Store is an admitted object as etcd has it: in the storage version, pruned by that version's schema, but without its
// defaults. See crdConversionRESTOptionsGetter, and PrepareObjectForStorage of k8s.io/apiserver for the metadata.
func (v *Version) Store(admitted Object) (stored Object, err error) {
	return stored, guard(func() error {
		stored, err = v.server.storage.convert(runtime.DeepCopyJSON(admitted))
		if metadata, ok := stored["metadata"].(map[string]any); ok {
			delete(metadata, "resourceVersion")
			delete(metadata, "selfLink")
		}
		return err
	})
}

// Serve is what a read at the version shows of an object in etcd: with the defaults of the version that it is stored
// in, pruned by the version's schema.
func (v *Version) Serve(stored Object) (served Object, err error) {
	return served, guard(func() error {
		apiVersion, _ := stored["apiVersion"].(string)
		gv, err := schema.ParseGroupVersion(apiVersion)
		from := v.server.versions[gv.Version]
		if err != nil || from == nil || gv.Group != v.server.kind.Group {
			return errors.New("it is stored in a version that the CRD does not have")
		}
		object := runtime.DeepCopyJSON(stored)
		if err := from.apply(object, true); err != nil {
			return err
		}
		defaulting.Default(object, from.trimmed.defaults)
		served, err = v.convert(object)
		return err
	})
}

// convert is schemaCoercingConverter with nopConverter. The object is changed.
func (v *Version) convert(object Object) (Object, error) {
	object["apiVersion"] = v.apiVersion()
	return object, v.apply(object, false)
}

// apply is unstructuredSchemaCoercer.apply. An object from etcd is repaired.
func (v *Version) apply(object Object, repair bool) error {
	if err := v.grown(); err != nil {
		return err
	}
	kind, apiVersion := object["kind"], object["apiVersion"]
	meta, found, err := objectmeta.GetObjectMeta(object, repair)
	if err != nil {
		return errors.New("its metadata cannot be decoded") // upstream's words have values
	}
	if v.server.prunes {
		v.prune(object)
	}
	if err := objectmeta.Coerce(nil, object, v.trimmed.embedded, false, repair); err != nil {
		return fmt.Errorf("an embedded resource of version %s cannot be decoded", v.Name)
	}
	object["kind"], object["apiVersion"] = kind, apiVersion
	if !found {
		return nil
	}
	if repair && meta.Generation == 0 {
		meta.Generation = 1
	}
	return objectmeta.SetObjectMeta(object, meta)
}

// prune drops what the schema does not declare, and nulls that it does not allow.
func (v *Version) prune(object Object) {
	pruning.PruneWithOptions(object, v.structural, true, structuralschema.UnknownFieldPathOptions{})
	if hasNull(object) {
		defaulting.PruneNonNullableNullsWithoutDefaults(object, v.structural)
	}
}
