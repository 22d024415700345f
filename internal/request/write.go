package request

import (
	"context"
	"fmt"
	"maps"
	"math"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/api/validate/content"
	metavalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/cel/common"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
)

// Create is a POST of an object, which is not changed. A namespaced object may lack its namespace, as kubectl adds that.
func (v *Version) Create(o Object, options ...Option) *Outcome {
	return v.judge(func(out *Outcome) (Object, error) {
		r, err := v.read(o, out, options)
		if err != nil || r.refused() {
			return nil, err
		}
		if err := r.track(main, nil); err != nil {
			return nil, err
		}
		return r.create()
	})
}

// Admit is a Create, and a write of the status as it is in the object where that is a subresource.
func (v *Version) Admit(o Object) *Outcome {
	created := v.Create(o)
	status, found := o["status"]
	if !found || !v.hasStatus || !created.Accepted() {
		return created
	}
	with := maps.Clone(created.Object)
	with["status"] = status
	return v.UpdateStatus(with, created.Object)
}

// Update is a PUT of an object, which is not changed, in the place of old, which is as it is served at the version. It
// may lack namespace and resourceVersion, as clients that have it from a file add those of the object that is there.
// Where old is not known, it is nil: then nothing is excused for having been there before, and no rule compares. Only a
// status that is a subresource is taken to be what is there, as an update keeps it.
func (v *Version) Update(o, old Object, options ...Option) *Outcome {
	return v.judge(func(out *Outcome) (Object, error) {
		r, err := v.read(o, out, options)
		if err != nil || r.refused() {
			return nil, err
		}
		if old == nil {
			return r.rewrite()
		}
		was, err := v.served(old)
		if err == nil {
			err = r.track(main, was)
		}
		if err != nil {
			return nil, err
		}
		return r.update(was)
	})
}

// UpdateStatus is a PUT of an object, which is not changed, to the status subresource of old, which is as it is served
// at the version. It counts only for its status.
func (v *Version) UpdateStatus(o, old Object, options ...Option) *Outcome {
	return v.judge(func(out *Outcome) (Object, error) {
		if !v.hasStatus {
			return nil, fmt.Errorf("version %s has no status subresource", v.Name)
		}
		r, err := v.read(o, out, options)
		if err != nil || r.refused() {
			return nil, err
		}
		was, err := v.served(old)
		if err == nil {
			err = r.track(status, was)
		}
		if err != nil {
			return nil, err
		}
		return r.updateStatus(was)
	})
}

// UpdateScale is a PUT of a Scale to the subresource of an object that is as it is served at the version. See
// scaleUpdatedObjectInfo.UpdatedObject.
func (v *Version) UpdateScale(old Object, replicas int32, options ...Option) *Outcome {
	return v.judge(func(out *Outcome) (Object, error) {
		if v.scale == nil {
			return nil, fmt.Errorf("version %s has no scale subresource", v.Name)
		}
		was, err := v.served(old)
		if err != nil {
			return nil, err
		}
		r := &reading{version: v, out: out, object: runtime.DeepCopyJSON(old), meta: was.meta.DeepCopy()}
		r.take(options)
		if r.refuseScale(); r.refused() {
			return nil, nil
		}
		at := members(v.scale.SpecReplicasPath)
		if err := unstructured.SetNestedField(r.object, int64(replicas), at...); err != nil || replicas == math.MinInt32 {
			r.refuse(Cause{Stage: Decoding, Path: Keys(at...), Keyword: "minimum", Rule: -1, Actual: -1})
			return nil, nil
		}
		if err := r.trackScale(was, int64(replicas)); err != nil {
			return nil, err
		}
		return r.update(was)
	})
}

// An Option says more of a request.
type Option func(*reading)

// ToRelease is a request to a server of Kubernetes 1.minor, as far as releases differ in what updates excuse; 0 is the newest.
func ToRelease(minor int) Option { return func(r *reading) { r.minor = minor } }

func (r *reading) take(options []Option) {
	for _, option := range options {
		option(r)
	}
}

// served is an object as a read shows it. It stays as it is.
func (v *Version) served(o Object) (*reading, error) {
	meta, found, err := objectmeta.GetObjectMeta(o, true)
	if !found {
		meta = &metav1.ObjectMeta{}
	}
	if err != nil {
		return nil, err
	}
	if meta.ResourceVersion == "" {
		meta.ResourceVersion = "1"
	}
	managed := meta.ManagedFields
	meta.ManagedFields = nil
	return &reading{version: v, object: o, meta: meta, managed: managed}, nil
}

// validateTypeMeta is ValidateTypeMeta of customresource for what reading has left to check. An object of another kind is not
// held against the schema; embedded resources, lists and rules are.
func (r *reading) validateTypeMeta() bool {
	if r.object["kind"] == r.version.server.kind.Kind {
		return true
	}
	kind := r.version.server.kind.Kind
	err := field.Invalid(field.NewPath("kind"), r.object["kind"], "must be "+kind)
	r.refuse(Cause{Stage: TypeMeta, Type: err.Type, Field: err.Field, Path: Keys("kind"), Rule: -1, Actual: -1, upstream: err})
	return false
}

// refuseMeta adds the causes of upstream's errors about the metadata.
func (r *reading) refuseMeta(errs field.ErrorList) {
	for _, cause := range metadataCauses(Metadata, errs, "metadata", Keys("metadata"), r.object["metadata"]) {
		if at := cause.Path; r.owners != nil && len(at) > 2 && at[1].Key == "ownerReferences" {
			at[2] = Index(r.owners[at[2].Index])
		}
		r.refuse(cause)
	}
}

var metadataPath = field.NewPath("metadata")

// validateMeta is what requests of any kind of object have to meet.
func (r *reading) validateMeta() {
	r.refuseMeta(metavalidation.ValidateObjectMetaAccessor(r.meta, r.version.server.namespaced, validatePathSegment, metadataPath))
}

func validatePathSegment(name string, prefix bool) []string {
	if prefix {
		return content.IsPathSegmentPrefix(name)
	}
	return content.IsPathSegmentName(name)
}

// validateDeclaratively is validateObjectMetaDeclaratively and validateObjectMetaUpdateDeclaratively of customresource.
// No rule of the beta level is enforced by default.
func (r *reading) validateDeclaratively(was *reading) {
	op, old, nameFn := operation.Create, (*metav1.ObjectMeta)(nil), metavalidation.ValidateNameFunc(metavalidation.NameIsDNSSubdomain)
	if was != nil {
		op, old, nameFn = operation.Update, was.meta, nil
	}
	r.refuseMeta(metavalidation.ValidateObjectMetaDeclaratively(context.Background(), op, r.meta, old, r.version.server.namespaced, nameFn, metadataPath, false))
}

// validateSchema validates the whole object.
func (r *reading) validateSchema(was *reading, correlated *common.CorrelatedObject) {
	v := r.version
	if v.schema.screen.passes(r.object) ||
		correlated != nil && v.schema.ValidateUpdate(r.object, was.object, validation.WithRatcheting(correlated)).IsValid() {
		return
	}
	n := node{schema: v.schema.openapi, screen: v.schema.screen, schemaPath: []string{}, value: r.object, correlated: correlated}
	r.refuse(n.causes(nil)...)
}
