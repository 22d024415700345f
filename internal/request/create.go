package request

import (
	"errors"
	"strconv"
	"time"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/cel/common"
)

// madeUID is the uid of objects whose own is not known.
const madeUID = "00000000-0000-4000-8000-000000000000"

// create is rest.BeforeCreate and Validate of customresource's strategy.
func (r *reading) create() (Object, error) {
	r.wipe()
	made := r.identify()
	r.meta.CreationTimestamp, r.meta.UID = metav1.NewTime(time.Unix(1577836800, 0)), madeUID
	if r.version.hasStatus {
		r.dropStatus(nil)
	}
	if err := objectmeta.SetObjectMeta(r.object, r.meta); err != nil {
		return nil, err
	}
	r.validateCreate()
	if !r.refused() {
		r.validateMeta()
	}
	r.warn(nil)
	if revision, err := strconv.ParseUint(r.meta.ResourceVersion, 10, 64); !r.refused() && err == nil && revision != 0 { // see Create of its etcd3
		r.refuse(Cause{Stage: Storing, Path: Keys("metadata", "resourceVersion"), Rule: -1, Actual: -1, upstream: errResourceVersion})
	}

	r.meta.CreationTimestamp, r.meta.UID = metav1.Time{}, ""
	return r.without(made)
}

// errResourceVersion is ErrResourceVersionSetOnCreate of k8s.io/apiserver's storage, which links etcd's client.
var errResourceVersion = errors.New("resourceVersion should not be set on objects to be created")

func (r *reading) validateCreate() {
	r.validateContent(nil, nil, nil)
	r.validateLists()
	r.validateRules(nil, nil)
}

// validateContent is what the strategy's Validate and ValidateUpdate do alike. Known is the object that is updated, nil where it is
// not known, and was that with which the new one is correlated.
func (r *reading) validateContent(known, was *reading, correlated *common.CorrelatedObject) {
	if r.validateTypeMeta() {
		r.validateDeclaratively(known)
		r.validateSchema(was, correlated)
		r.validateScale(true)
	}
	r.validateEmbedded()
}

// wipe is rest.WipeObjectMetaSystemFields, and what is set anew by PrepareForCreate and the field manager.
func (r *reading) wipe() {
	given, _ := r.object["metadata"].(map[string]any)
	wiped := []string{"creationTimestamp", "uid", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink", "generation", "managedFields"}
	if !r.version.server.namespaced {
		wiped = append(wiped, "namespace")
	}
	for _, key := range wiped {
		if _, found := given[key]; found {
			r.change(MetadataWiped, Keys("metadata", key))
		}
	}
	m := r.meta
	m.CreationTimestamp, m.UID, m.DeletionTimestamp, m.DeletionGracePeriodSeconds = metav1.Time{}, "", nil, nil
	//lint:ignore SA1019 rest.WipeObjectMetaSystemFields wipes it, too
	m.SelfLink = ""
	m.ManagedFields = r.managed
	m.Generation = 1
}

// An identity says what of an object's identity the server makes up, which is none of the object's own.
type identity struct{ namespace, name bool }

// identify gives an object the namespace and name that it lacks, so that what is validated has them.
func (r *reading) identify() (made identity) {
	switch {
	case !r.version.server.namespaced:
		r.meta.Namespace = ""
	case r.meta.Namespace == "":
		r.meta.Namespace, made.namespace = metav1.NamespaceDefault, true
	}
	if base := r.meta.GenerateName; base != "" && r.meta.Name == "" {
		r.meta.Name, made.name = base[:min(len(base), maxGenerated)]+"bcdfg", true
	}
	return made
}

// maxGenerated is how much of generateName names.SimpleNameGenerator takes.
const maxGenerated = 58

// without is the object without what was made up.
func (r *reading) without(made identity) (Object, error) {
	if made.namespace {
		r.meta.Namespace = ""
	}
	if made.name {
		r.meta.Name = ""
	}
	return r.object, objectmeta.SetObjectMeta(r.object, r.meta)
}
