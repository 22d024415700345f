package request

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/crdlift/crdlift/internal/crd"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Store is an admitted object as etcd has it: in the storage version, but without its defaults. What is admitted in another version
// is pruned by the schema of the storage version, and what is admitted in that one stays as it is. See crdConversionRESTOptionsGetter,
// and PrepareObjectForStorage of k8s.io/apiserver for the metadata.
func (v *Version) Store(admitted Object) (stored Object, err error) {
	storage := v.server.storage
	if stored = runtime.DeepCopyJSON(admitted); v != storage {
		if stored, err = storage.converted(stored); err == nil {
			stored, err = storage.Coerce(stored)
		}
	}
	if metadata, ok := stored["metadata"].(map[string]any); ok {
		delete(metadata, "resourceVersion")
		delete(metadata, "selfLink")
	}
	return stored, err
}

// Serve is what a read at the version shows of an object in etcd: with the defaults of the version that it is stored
// in, pruned by the version's schema.
func (v *Version) Serve(stored Object) (served Object, err error) {
	if served, err = v.server.Decode(stored); err != nil {
		return nil, err
	}
	if served, err = v.converted(served); err != nil {
		return nil, err
	}
	return served, guard(func() error { return v.apply(served, false) })
}

// Decode is an object in etcd as a read has it before it is converted: pruned by the schema of the version that it is stored
// in, with that version's defaults.
func (s *Server) Decode(stored Object) (decoded Object, err error) {
	return decoded, guard(func() error {
		apiVersion, _ := stored["apiVersion"].(string)
		gv, err := schema.ParseGroupVersion(apiVersion)
		from := s.versions[gv.Version]
		if err != nil || from == nil || gv.Group != s.kind.Group {
			return errors.New("it is stored in a version that the CRD does not have")
		}
		decoded = runtime.DeepCopyJSON(stored)
		if err := from.apply(decoded, true); err != nil {
			return err
		}
		defaulting.Default(decoded, from.trimmed.defaults)
		return nil
	})
}

// Coerce is how the server changes an object that was converted to the version, as schemaCoercingConverter does: what the
// schema does not declare is dropped.
func (v *Version) Coerce(converted Object) (coerced Object, err error) {
	return coerced, guard(func() error {
		coerced = runtime.DeepCopyJSON(converted)
		return v.apply(coerced, false)
	})
}

// Default is an object of the version with the version's defaults. It may share parts with the one that is given.
func (v *Version) Default(o Object) (defaulted Object) {
	_ = guard(func() error { // without a schema there are none
		err := v.grown()
		if defaulted = o; v.trimmed.defaults != nil {
			defaulted = runtime.DeepCopyJSON(o)
			defaulting.Default(defaulted, v.trimmed.defaults)
		}
		return err
	})
	return defaulted
}

// Read is what becomes of an object of the version while it is read, before anything else is known of the request. It has no object.
func (v *Version) Read(o Object, options ...Option) *Outcome {
	out := &Outcome{}
	out.Err = guard(func() error {
		if err := v.grown(); err != nil {
			return err
		}
		_, err := v.read(o, out, options)
		return err
	})
	out.sort()
	return out
}

// Undeclared are the values of an object of the version that the server drops as the schema does not declare them, sorted. An
// object that cannot be read has none.
func (v *Version) Undeclared(o Object) []Path { return v.Read(o).Undeclared() }

// Undeclared are the values that the server drops as the schema does not declare them, sorted.
func (o *Outcome) Undeclared() (all []Path) {
	for _, change := range o.Changes {
		if change.Kind == Pruned {
			all = append(all, change.Path)
		}
	}
	return all
}

// Undecodable is the error with which a server fails to decode an object of the version, nil if it does not fail. See
// unstructuredSchemaCoercer.apply of k8s.io/apiextensions-apiserver.
func (v *Version) Undecodable(o Object) error {
	for _, key := range []string{"kind", "apiVersion"} {
		if _, _, err := unstructured.NestedString(o, key); err != nil {
			return err
		}
	}
	if _, _, err := objectmeta.GetObjectMeta(o, false); err != nil {
		return err
	}
	return guard(func() error {
		of, _ := schema.ParseGroupVersion(fmt.Sprint(o["apiVersion"])) // of another group, nothing more is known
		if err := v.grown(); err != nil || v.trimmed.embedded == nil || of.WithKind(fmt.Sprint(o["kind"])).GroupKind() != v.server.kind {
			return err
		}
		read := runtime.DeepCopyJSON(o)
		if v.server.prunes {
			v.prune(read)
		}
		if err := objectmeta.Coerce(nil, read, v.trimmed.embedded, false, false); err != nil {
			return err
		}
		return nil
	})
}

// A hiddenError has an inner one, whose words have values of the object.
type hiddenError struct {
	text  string
	inner error
}

func (u *hiddenError) Error() string { return u.text }
func (u *hiddenError) Unwrap() error { return u.inner }

// apply is unstructuredSchemaCoercer.apply. An object from etcd is repaired.
func (v *Version) apply(object Object, repair bool) error {
	if err := v.grown(); err != nil {
		return err
	}
	kind, apiVersion := object["kind"], object["apiVersion"]
	meta, found, err := objectmeta.GetObjectMeta(object, repair)
	if err != nil {
		return &hiddenError{"its metadata cannot be decoded", err}
	}
	if v.server.prunes {
		v.prune(object)
	}
	if err := objectmeta.Coerce(nil, object, v.trimmed.embedded, false, repair); err != nil {
		err = cmp.Or(crd.Mistyped(nil, object, v.trimmed.embedded), err)
		return &hiddenError{"an embedded resource of version " + v.Name + " cannot be decoded", err}
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
