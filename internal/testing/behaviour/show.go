// Package behaviour makes custom resources for a CRD, and uses them to show what a conversion of it changes in an API
// server's treatment of them, given by package request: the object that is stored, or the reasons for its rejection. Tests
// use it to show that a conversion changes nothing about that, or only what it says.
//
// A v1beta1 CRD with preserveUnknownFields is served by the same code, as v0.37.2 still serves such a CRD that is in
// etcd already. v0.21.14, the last server that took one, goes through the same steps in the same order (its
// unstructuredSchemaCoercer.apply, pruning, defaulting, coercion and list type validation differ in how they spare the
// root's metadata and report unknown fields, and not in what becomes of the object); only its value validation is
// older. Both sides are compared under one server's code on purpose: an upgrade of the server is not the conversion's
// doing.
package behaviour

import (
	"cmp"
	"maps"
	"strings"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/sample"
)

// An Outcome is what became of a request.
type Outcome struct {
	Refused []request.Cause // why; nil when accepted
	Stored  map[string]any  // what is in etcd afterwards, in the storage version; nil when rejected
	Err     error           // why there is no verdict
}

// Accepted reports whether the object was stored.
func (o Outcome) Accepted() bool { return o.Stored != nil }

// String is why the object was rejected.
func (o Outcome) String() string {
	if o.Err != nil {
		return "rejected: " + o.Err.Error()
	}
	var reasons []string
	for _, c := range o.Refused {
		reasons = append(reasons, c.Path.String()+": "+cmp.Or(c.Keyword, string(c.Type), "not decoded"))
	}
	return "rejected: " + strings.Join(reasons, "; ")
}

// Create is a POST of an object to a version.
func Create(v *request.Version, object map[string]any) Outcome {
	return stored(v, v.Create(unstored(object)))
}

// unstored is an object without a resourceVersion, which none may have that is created.
func unstored(object map[string]any) map[string]any {
	metadata, _ := object["metadata"].(map[string]any)
	if _, found := metadata["resourceVersion"]; !found {
		return object
	}
	object, metadata = maps.Clone(object), maps.Clone(metadata)
	delete(metadata, "resourceVersion")
	object["metadata"] = metadata
	return object
}

// UpdateStatus creates the object, as far as that goes, and PUTs it to the status subresource. It rejects what Create
// rejects.
func UpdateStatus(v *request.Version, object map[string]any) Outcome {
	old := v.Create(unstored(object))
	if !old.Accepted() {
		return stored(v, old)
	}
	return stored(v, v.UpdateStatus(object, old.Object))
}

// Show is the request that shows what becomes of the node at path: where the status subresource is on, create drops
// the status, so what stands there only shows when it is updated.
func Show(v *request.Version, at Path, object map[string]any) Outcome {
	if v.HasStatus() && len(at) > 0 && at[0] == (sample.Step{Kind: sample.Property, Name: "status"}) {
		return UpdateStatus(v, object)
	}
	return Create(v, object)
}

func stored(v *request.Version, o *request.Outcome) Outcome {
	if !o.Accepted() {
		return Outcome{Refused: o.Causes, Err: o.Err}
	}
	object, err := v.Store(o.Object)
	if err != nil {
		return Outcome{Err: err}
	}
	return Outcome{Stored: object}
}

// again is what becomes of an object that is stored already when the storage version's schema gets at it.
func again(v *request.Version, object map[string]any) Outcome {
	object, err := v.Coerce(object)
	if err != nil {
		return Outcome{Err: err}
	}
	return Outcome{Stored: object}
}
