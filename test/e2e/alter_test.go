package e2e

import (
	"math/rand/v2"
	"slices"

	"github.com/crdlift/crdlift/internal/testing/behaviour"
	"k8s.io/apimachinery/pkg/runtime"
)

// An alteration is one change to an object that is stored.
type alteration struct {
	about string
	make  func(object map[string]any)
}

// toMetadata are changes that leave the rest of an object as it is.
var toMetadata = []alteration{
	{"nothing", func(map[string]any) {}},
	{"a label", func(object map[string]any) { child(metadataOf(object), "labels")["touched"] = "yes" }},
	{"a wrong label", func(object map[string]any) { child(metadataOf(object), "labels")["-"] = "?" }},
	{"an annotation", func(object map[string]any) { child(metadataOf(object), "annotations")[touched] = "yes" }},
	{"finalizers", func(object map[string]any) {
		metadataOf(object)["finalizers"] = []any{"example.com/finalizer", "plain", "example.com/"}
	}},
	{"a finalizer", func(object map[string]any) {
		metadataOf(object)["finalizers"] = []any{"example.com/finalizer", "plain"}
	}},
	{"no finalizers", func(object map[string]any) { delete(metadataOf(object), "finalizers") }},
	{"an owner", func(object map[string]any) {
		metadataOf(object)["ownerReferences"] = []any{map[string]any{"apiVersion": "v1", "kind": "Pod", "name": "owner", "uid": "1"}}
	}},
	{"half an owner", func(object map[string]any) {
		metadataOf(object)["ownerReferences"] = []any{map[string]any{"kind": "Pod"}}
	}},
	{"another generation", func(object map[string]any) { metadataOf(object)["generation"] = int64(77) }},
	{"metadata of another type", func(object map[string]any) { metadataOf(object)["labels"] = "text" }},
	{"an unknown field", func(object map[string]any) { metadataOf(object)["unknown"] = int64(1) }},
}

func metadataOf(object map[string]any) map[string]any { return child(object, "metadata") }

// child is the map below a key, which is put there when there is none.
func child(object map[string]any, key string) map[string]any {
	below, ok := object[key].(map[string]any)
	if !ok {
		below = map[string]any{}
		object[key] = below
	}
	return below
}

// mutate changes one thing in an object, but not which object it is: a server looks that up in the path of the request.
func mutate(random *rand.Rand, object map[string]any) (about string) {
	was := runtime.DeepCopyJSON(metadataOf(object))
	about = behaviour.Mutate(random, object)
	for _, key := range []string{"name", "namespace", "uid", "resourceVersion"} {
		if value, ok := was[key]; ok {
			metadataOf(object)[key] = value
		}
	}
	return about
}

// contentOf replaces an object but for what makes it that object.
func contentOf(object, from map[string]any) {
	for key := range object {
		if !slices.Contains([]string{"apiVersion", "kind", "metadata"}, key) {
			delete(object, key)
		}
	}
	for key, value := range from {
		if !slices.Contains([]string{"apiVersion", "kind", "metadata"}, key) {
			object[key] = runtime.DeepCopyJSONValue(value)
		}
	}
}
