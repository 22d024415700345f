package request

import (
	"maps"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	metavalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/cel/common"
)

// update is rest.BeforeUpdate and ValidateUpdate of customresource's strategy.
func (r *reading) update(was *reading) (Object, error) {
	made, err := r.identifyAs(was)
	if err != nil {
		return nil, err
	}
	r.prepareForUpdate(was)
	if err := objectmeta.SetObjectMeta(r.object, r.meta); err != nil {
		return nil, err
	}
	r.validateCommon(was)
	correlated := r.correlate(was, ratcheting)
	r.validateContent(was, was, correlated)
	r.validateListsAfter(was)
	r.validateRules(was.object, correlated)
	r.warn(was)
	return r.without(made)
}

// rewrite is update for an object that is there, but of which nothing is known but its status. That is the only member
// that correlates with one of the old object.
func (r *reading) rewrite() (Object, error) {
	made := r.identify()
	r.meta.Generation, r.meta.ManagedFields = 1, nil // which only the server counts
	if err := objectmeta.SetObjectMeta(r.object, r.meta); err != nil {
		return nil, err
	}
	was := &reading{version: r.version, object: Object{}}
	if status, found := r.object["status"]; found && r.version.hasStatus {
		was.object["status"] = status
	}
	r.validateMeta()
	r.common = len(r.out.Causes)
	correlated := r.correlate(was, ratcheting)
	r.validateContent(nil, was, correlated)
	r.validateListsAfter(was)
	r.validateRules(nil, correlated)
	r.warn(nil)
	return r.without(made)
}

// identifyAs takes what the object lacks of its identity from the one that is there.
func (r *reading) identifyAs(was *reading) (identity, error) {
	made, err := was.complete()
	if r.meta.ResourceVersion == "" {
		r.meta.ResourceVersion = was.meta.ResourceVersion
	}
	if r.meta.Namespace == "" || !r.version.server.namespaced {
		r.meta.Namespace = was.meta.Namespace
	} else {
		made.namespace = false
	}
	if r.meta.Name == "" && made.name {
		r.meta.Name = was.meta.Name
	} else {
		made.name = false
	}
	return made, err
}

// complete gives an object that is there the identity that it has on a server, so that the one that replaces it is
// compared with such an object.
func (r *reading) complete() (identity, error) {
	made := r.identify()
	r.object = maps.Clone(r.object)
	return made, objectmeta.SetObjectMeta(r.object, r.meta)
}

func (r *reading) prepareForUpdate(was *reading) {
	m, old := r.meta, was.meta
	m.Generation = old.Generation
	if r.version.hasStatus {
		r.keepStatus(was)
	}
	if !apiequality.Semantic.DeepEqual(withoutMetadata(r.object), withoutMetadata(was.object)) {
		m.Generation++
	}
	if m.UID == "" {
		m.UID = old.UID
	}
	if !old.CreationTimestamp.IsZero() {
		m.CreationTimestamp = old.CreationTimestamp
	}
	if !old.DeletionTimestamp.IsZero() {
		m.DeletionTimestamp = old.DeletionTimestamp
	}
	if old.DeletionGracePeriodSeconds != nil && m.DeletionGracePeriodSeconds == nil {
		m.DeletionGracePeriodSeconds = old.DeletionGracePeriodSeconds
	}
	m.ManagedFields = r.managed
}

// keepStatus takes the status from the object that is there.
func (r *reading) keepStatus(was *reading) {
	old, kept := was.object["status"]
	r.dropStatus(old)
	if kept {
		r.object["status"] = runtime.DeepCopyJSONValue(old)
	}
}

// dropStatus drops the status, which counts as a change if it was sent and is another one than that of the object that
// is there. Defaults alone make none.
func (r *reading) dropStatus(old any) {
	status := r.object["status"]
	delete(r.object, "status")
	if _, sent := r.given["status"]; sent && !apiequality.Semantic.DeepEqual(status, old) {
		r.change(StatusDropped, Keys("status"))
	}
	r.out.Changes = slices.DeleteFunc(r.out.Changes, func(c Change) bool {
		return c.Kind == Defaulted && len(c.Path) > 0 && c.Path[0].Key == "status"
	})
}

func withoutMetadata(o Object) Object {
	less := make(Object, len(o))
	for key, member := range o {
		if key != "metadata" {
			less[key] = member
		}
	}
	return less
}

// validateCommon is validateCommonFields of rest.
func (r *reading) validateCommon(was *reading) {
	r.validateMeta()
	r.refuseMeta(metavalidation.ValidateObjectMetaAccessorUpdate(r.meta, was.meta, metadataPath))
	r.common = len(r.out.Causes)
}

// The first releases that excuse what an update leaves as it was: the feature CRDValidationRatcheting is on by default since
// 1.30, and the status subresource has it since 1.33. See the strategies of those releases, and kubernetes#129506.
const (
	ratcheting       = 30
	ratchetingStatus = 33
)

// correlate pairs an object with the one that it updates, by which upstream knows what to excuse; nil where the server is older
// than the release that does so first.
func (r *reading) correlate(was *reading, since int) *common.CorrelatedObject {
	if r.minor != 0 && r.minor < since {
		return nil
	}
	return common.NewCorrelatedObject(r.object, was.object, &model.Structural{Structural: r.version.structural})
}

// validateListsAfter rejects only an object that has come to break a list type.
func (r *reading) validateListsAfter(was *reading) {
	if len(r.version.listErrors(was.object)) == 0 {
		r.validateLists()
	}
}

// updateStatus is rest.BeforeUpdate and ValidateUpdate of customresource's status strategy.
func (r *reading) updateStatus(was *reading) (Object, error) {
	made, err := was.complete()
	if err != nil {
		return nil, err
	}
	status, found := r.object["status"]
	r.object, r.meta, r.owners = runtime.DeepCopyJSON(was.object), was.meta.DeepCopy(), nil
	r.meta.ManagedFields = r.managed
	delete(r.object, "status")
	if found {
		r.object["status"] = status
	}
	if err := objectmeta.SetObjectMeta(r.object, r.meta); err != nil {
		return nil, err
	}
	r.validateCommon(was)
	correlated := r.correlate(was, ratchetingStatus)
	if r.validateTypeMeta() {
		r.validateDeclaratively(was)
		if found {
			r.validateStatus(status, was, correlated)
		}
		r.validateScale(false)
	}
	r.validateListsAfter(was)
	r.validateRules(was.object, correlated)
	return r.without(made)
}

// validateStatus validates the status by its own schema.
func (r *reading) validateStatus(status any, was *reading, correlated *common.CorrelatedObject) {
	v := r.version
	if v.status == nil || v.status.screen.passes(status) {
		return
	}
	n := node{schema: v.status.openapi, screen: v.status.screen, schemaPath: []string{"properties", "status"}, value: status, path: Keys("status")}
	var options []validation.ValidationOption
	if v.structural != nil && correlated != nil {
		n.correlated = correlated.Key("status")
		options = append(options, validation.WithRatcheting(n.correlated))
	}
	if !v.status.ValidateUpdate(status, was.object["status"], options...).IsValid() {
		r.refuse(n.causes(field.NewPath("status"))...)
	}
}
