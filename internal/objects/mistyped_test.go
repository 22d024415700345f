package objects

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/testing/behaviour"
)

// TestMistypedNodes finds the nodes of all values that are not of their types: in merged, aliased and repeated entries, and of keys
// that YAML 1.1 reads as something else.
func TestMistypedNodes(t *testing.T) {
	t.Parallel()
	crds, _, err := behaviour.Decode([]byte(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: shelves.example.org}
spec:
  group: example.org
  scope: Namespaced
  names: {kind: Shelf, plural: shelves}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {
    text: {type: string}, number: {type: integer}, object: {type: object, properties: {text: {type: string}}},
    set: {type: array, x-kubernetes-list-type: set, items: {type: string}},
    map: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: object, properties: {k: {type: string}}}}}}}}}}]
`))
	if err != nil {
		t.Fatal(err)
	}
	server, err := request.New(crds[0])
	if err != nil {
		t.Fatal(err)
	}
	const src = `apiVersion: example.org/v1
kind: Shelf
metadata:
  name: a
  lables: {}
common: &common
  other: 1
  text: on
spec:
  <<: *common
  number: 1
  number: "1"
  y: 1
  object: {text: 2,
    more: 3}
  set: [a,
    b,
    a, {}]
  map:
  - k: x
    v: 1
  - {}
  - k: x
`
	_, all := objectsIn(t, src)
	tree, _, err := all[0].Tree()
	if err != nil {
		t.Fatal(err)
	}
	causes, err := server.Version("v1").Mistyped(tree)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, cause := range causes {
		place, missing := all[0].Locate(cause.Path)
		if missing != 0 {
			t.Errorf("%s is not found", cause.Path)
		}
		got = append(got, fmt.Sprintf("%d %s", place.Node().Line, cause.Path))
	}
	want := []string{
		"6 common", "5 metadata.lables", "21 spec.map[0].v", "22 spec.map[1]", "23 spec.map[2]", "12 spec.number", "15 spec.object.more", "14 spec.object.text",
		"7 spec.other", "18 spec.set[2]", "18 spec.set[3]", "8 spec.text", "13 spec.true",
	}
	if !slices.Equal(got, want) {
		t.Errorf("there are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
