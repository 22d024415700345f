package webhook_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/review"
	"github.com/crdlift/crdlift/internal/testing/behaviour"
	"github.com/crdlift/crdlift/internal/webhook"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// doors is a CRD whose v2 has no place for locks, nor for the places of keys.
const doors = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: doors.example.com}
spec:
  group: example.com
  names: {kind: Door, listKind: DoorList, plural: doors, singular: door}
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                frame: {type: object, properties: {lock: {type: string}, wood: {type: string, default: oak}}}
                rooms: {type: array, items: {type: string}}
                keys:
                  type: array
                  x-kubernetes-list-type: map
                  x-kubernetes-list-map-keys: [name]
                  items: {type: object, required: [name], properties: {name: {type: string}, place: {type: integer}}}
                gates: {type: array, x-kubernetes-list-type: atomic, items: {type: object, properties: {name: {type: string}, place: {type: integer}}}}
    - name: v2
      served: true
      storage: false
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                frame: {type: object, properties: {wood: {type: string, default: oak}}}
                room: {type: string}
                rooms: {type: array, items: {type: string}}
                keys:
                  type: array
                  x-kubernetes-list-type: map
                  x-kubernetes-list-map-keys: [name]
                  items: {type: object, required: [name], properties: {name: {type: string}}}
                gates: {type: array, x-kubernetes-list-type: atomic, items: {type: object, properties: {name: {type: string}}}}
`

// A doorConverter converts doors: what v1 had is kept in an annotation, and given to the way back.
type doorConverter func(spec, before webhook.Object)

const doorAnnotation = "doors.example.com/v1"

func (c doorConverter) Convert(_ context.Context, _, to string, objects ...webhook.Object) *review.Answer {
	a := &review.Answer{}
	for _, o := range objects {
		o = runtime.DeepCopyJSON(o)
		from := o["apiVersion"]
		o["apiVersion"] = "example.com/" + to
		metadata, _ := o["metadata"].(map[string]any)
		annotations, _ := metadata["annotations"].(map[string]any)
		if spec, ok := o["spec"].(map[string]any); ok && from != o["apiVersion"] {
			if text, _ := json.Marshal(spec); to == "v2" {
				annotations = withDoor(metadata, annotations, string(text))
			}
			c.convert(spec, annotations, to)
		}
		a.Objects, a.Raw = append(a.Objects, o), append(a.Raw, o)
	}
	return a
}

func withDoor(metadata, annotations map[string]any, spec string) map[string]any {
	if annotations == nil {
		annotations = map[string]any{}
		metadata["annotations"] = annotations
	}
	annotations[doorAnnotation] = spec
	return annotations
}

func (c doorConverter) convert(spec, annotations map[string]any, to string) {
	if to == "v2" {
		if frame, ok := spec["frame"].(map[string]any); ok {
			delete(frame, "lock")
		}
		if rooms, _ := spec["rooms"].([]any); len(rooms) > 0 {
			spec["room"] = rooms[0] // of the clients of another version
		}
		for _, name := range []string{"keys", "gates"} {
			list, _ := spec[name].([]any)
			for _, item := range list {
				delete(item.(map[string]any), "place")
			}
		}
		return
	}
	if rooms, _ := spec["rooms"].([]any); spec["room"] != nil && len(rooms) == 0 {
		spec["rooms"] = []any{spec["room"]}
	} else if spec["room"] != nil {
		rooms[0] = spec["room"]
	}
	delete(spec, "room")
	text, _ := annotations[doorAnnotation].(string)
	delete(annotations, doorAnnotation)
	var before map[string]any
	if utiljson.Unmarshal([]byte(text), &before) != nil {
		before = map[string]any{}
	}
	c(spec, before)
}

func (doorConverter) Send(context.Context, string, []byte) ([]byte, error) {
	return nil, errors.New("there is no webhook")
}

// restoreLock has the lock of before, in a frame of its own where there is none.
func restoreLock(spec, before webhook.Object) {
	was, _ := before["frame"].(map[string]any)
	if was["lock"] == nil {
		return
	}
	frame, ok := spec["frame"].(map[string]any)
	if !ok {
		frame = map[string]any{}
		spec["frame"] = frame
	}
	frame["lock"] = was["lock"]
}

// keepPlaces has the places of before where the keys are the same, and otherwise gives places anew, by their order.
func keepPlaces(spec, before webhook.Object) {
	keys, _ := spec["keys"].([]any)
	were, _ := before["keys"].([]any)
	same := len(keys) == len(were)
	for i, key := range keys {
		same = same && key.(map[string]any)["name"] == were[i].(map[string]any)["name"]
	}
	for i, key := range keys {
		key := key.(map[string]any)
		if !same {
			key["place"] = int64(i)
		} else if place := were[i].(map[string]any)["place"]; place != nil {
			key["place"] = place
		}
	}
}

// TestRemovals takes for restored only what is there because of an annotation, and what no default has made: not a field that is made of
// another one, not a frame that a restored lock brings back, with its default, and not places that are given anew.
func TestRemovals(t *testing.T) {
	t.Parallel()
	crds, _, err := behaviour.Decode([]byte(doors))
	if err != nil {
		t.Fatal(err)
	}
	right := func(spec, before webhook.Object) { restoreLock(spec, before); keepPlaces(spec, before) }
	frame := func(spec, before webhook.Object) {
		if spec["frame"] == nil && before["frame"] != nil {
			spec["frame"] = before["frame"]
		}
		right(spec, before)
	}
	byOrder := func(spec, before webhook.Object) {
		keys, _ := spec["keys"].([]any)
		were, _ := before["keys"].([]any)
		for i := range min(len(keys), len(were)) {
			if place := were[i].(map[string]any)["place"]; place != nil {
				keys[i].(map[string]any)["place"] = place
			}
		}
	}
	emptyFrame := func(spec, before webhook.Object) {
		if spec["frame"] == nil && before["frame"] != nil {
			spec["frame"] = map[string]any{}
		}
	}
	// What takes another key away as well, once a key is removed, does not say which of them the place is of.
	oneMore := func(spec, before webhook.Object) {
		byOrder(spec, before)
		keys, _ := spec["keys"].([]any)
		if were, _ := before["keys"].([]any); len(keys) < len(were) {
			spec["keys"] = keys[:len(keys)-1]
		}
	}
	gates := func(spec, before webhook.Object) { // each has its own place, which is compared with that of the item before it
		list, _ := spec["gates"].([]any)
		were, _ := before["gates"].([]any)
		for _, gate := range list {
			for _, was := range were {
				if gate, was := gate.(map[string]any), was.(map[string]any); gate["name"] == was["name"] {
					gate["place"] = was["place"]
				}
			}
		}
	}
	first := request.Keys("spec", "keys").To(request.Index(0))
	key := webhook.Edit{Path: first, Removed: true}
	wood := webhook.Edit{Path: request.Keys("spec", "frame"), Value: map[string]any{"wood": "elm"}, Removed: true}
	for _, test := range []struct {
		name    string
		convert doorConverter
		spec    string
		edit    webhook.Edit
		want    string
	}{
		{"a frame comes back for its lock, with the default", right, `{"frame": {"lock": "a", "wood": "oak"}}`, wood, ""},
		{"a frame of defaults comes back", emptyFrame, `{"frame": {"wood": "oak"}}`, webhook.Edit{Path: wood.Path, Value: map[string]any{}, Removed: true}, ""},
		{"a frame comes back", frame, `{"frame": {"wood": "ash"}}`, wood, "edit-lost v1-v2 spec.frame"},
		{"a frame comes back, to who removes it at v1", frame, `{"frame": {"wood": "ash"}}`,
			webhook.Edit{Path: wood.Path, Value: wood.Value, Removed: true, Stored: true}, ""}, // nothing is left there
		{"a room is made of rooms", right, `{"rooms": ["a", "b"]}`, webhook.Edit{Path: request.Keys("spec", "room"), Value: "c", Removed: true}, ""},
		{"places are given anew", right, `{"keys": [{"name": "a", "place": 4}, {"name": "b", "place": 5}, {"name": "c", "place": 6}]}`, key, ""},
		{"places are those of others", byOrder, `{"keys": [{"name": "a", "place": 4}, {"name": "b", "place": 5}]}`, key, "edit-lost v1-v2 spec.keys[*].place"},
		{"a place is added", byOrder, `{"keys": [{"name": "a", "place": 4}, {"name": "b"}]}`, key, ""},
		{"nothing tells gates apart", right, `{"gates": [{"name": "a"}, {"name": "b"}]}`, webhook.Edit{Path: request.Keys("spec", "gates").To(request.Index(0)), Removed: true}, ""},
		{"gates keep their places", gates, `{"gates": [{"name": "a", "place": 4}, {"name": "b", "place": 5}]}`, webhook.Edit{Path: request.Keys("spec", "gates").To(request.Index(0)), Removed: true}, ""},
		{"two keys are gone", oneMore, `{"keys": [{"name": "a", "place": 4}, {"name": "b", "place": 5}, {"name": "c", "place": 6}]}`, key, ""},
		{"there are no places", byOrder, `{"keys": [{"name": "a"}, {"name": "b"}]}`, key, ""},
		{"the last one has none", byOrder, `{"keys": [{"name": "a"}, {"name": "b", "place": 5}]}`, key, "edit-lost v1-v2 spec.keys[*].place"},
		{"keys are forgotten", func(spec, _ webhook.Object) { delete(spec, "keys") }, `{"keys": [{"name": "a"}, {"name": "b", "place": 5}]}`, key, ""},
		{"a key comes back", func(spec, before webhook.Object) { spec["keys"] = before["keys"] }, `{"keys": [{"name": "a"}, {"name": "b"}]}`, key, "edit-lost v1-v2 spec.keys[*]"},
		{"rooms without keys", right, `{"rooms": ["a", "a"]}`, webhook.Edit{Path: request.Keys("spec", "rooms").To(request.Index(0)), Removed: true}, ""},
	} {
		var spec any
		if err := utiljson.Unmarshal([]byte(test.spec), &spec); err != nil {
			t.Fatal(err)
		}
		o := webhook.Object{"apiVersion": "example.com/v1", "kind": "Door", "metadata": map[string]any{"name": "a"}, "spec": spec}
		c := webhook.Case{Property: webhook.EditLost, Pair: webhook.Pair{From: "v1", To: "v2"}, Object: o, Edit: &test.edit}
		r, err := webhook.Test(t.Context(), crds[0], test.convert, webhook.Options{Seed: 1, Replay: []webhook.Case{c}})
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for _, f := range r.Findings {
			found = append(found, shown(f))
		}
		if is := strings.Join(found, ", "); is != test.want {
			t.Errorf("%s: %q, want %q", test.name, is, test.want)
		}
	}
}
