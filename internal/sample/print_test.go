package sample_test

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/json"

	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/sample"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/internal/yaml11"
)

const shelves = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: shelves.shop.example.com}
spec:
  group: shop.example.com
  names: {kind: Shelf, plural: shelves}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        properties:
          status: {type: object, properties: {phase: {type: string}}}
          spec:
            description: What the shelf is to be, e.g. how wide. And more.
            type: object
            required: [width]
            x-kubernetes-validations: [{rule: "!has(self.wall) || !has(self.floor)"}]
            properties:
              width:
                description: |-
                  Width in centimetres of the shelf as a whole, which includes both of its sides and all that is between them.

                  Not said.
                type: integer
                minimum: 5
              finish: {type: string, enum: [oil, wax], description: Finish}
              depth: {type: integer, default: 30}
              boards:
                type: array
                items: {type: object, properties: {kind: {type: string, description: Of wood.}, apiVersion: {type: string}, tags: {type: object, additionalProperties: {type: string, description: Each.}}}}
              wall: {type: string}
              floor: {type: object, properties: {feet: {type: integer}}}
              template: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
`

// printed is a printed object of the shelves.
func printed(t *testing.T, crd string, make func(*sample.Generator) (request.Object, bool)) string {
	t.Helper()
	d := objects.Definitions("crd.yaml", "crd.yaml", []byte(crd), true)[0]
	server, why := d.Server()
	if why != "" {
		t.Fatal(why)
	}
	object, ok := make(sample.New(server, "v1", 1))
	if !ok {
		return ""
	}
	return string(sample.Print(object, d.Root("v1")))
}

func TestPrinted(t *testing.T) {
	t.Parallel()
	const least = `apiVersion: shop.example.com/v1
kind: Shelf
metadata:
  name: shelf-sample
# What the shelf is to be, e.g. how wide.
spec:
  # Width in centimetres of the shelf as a whole, which includes both of its sides
  # and all that is between them.
  width: 6
`
	if got := printed(t, shelves, (*sample.Generator).Smallest); got != least {
		t.Errorf("the smallest is\n%s\nwant\n%s", got, least)
	}
	const most = `apiVersion: shop.example.com/v1
kind: Shelf
metadata:
  name: shelf-sample-full
# What the shelf is to be, e.g. how wide.
spec:
  # Width in centimetres of the shelf as a whole, which includes both of its sides
  # and all that is between them.
  width: 5
  # Finish. One of oil, wax.
  finish: oil
  depth: 30
  boards:
  - # Of wood.
    kind: kind-3
    apiVersion: apiversion-2
    tags:
      # Each.
      key: tags-5
  floor:
    feet: 6
  template:
    apiVersion: v1
    kind: ConfigMap
    anything:
      list:
      - 8
      - true
      text: text-7
`
	if got := printed(t, shelves, (*sample.Generator).Fullest); got != most {
		t.Errorf("the fullest is\n%s\nwant\n%s", got, most)
	}
	if got := string(sample.Print(request.Object{"spec": "a", "kind": "b", "apiVersion": "c"}, nil)); got != "apiVersion: c\nkind: b\nspec: a\n" {
		t.Errorf("without a schema: %s", got)
	}
}

// TestNotForPeople has kinds whose objects cannot be named after them, need a status, or do not exist.
func TestNotForPeople(t *testing.T) {
	t.Parallel()
	named := strings.Replace(shelves, "        required: [spec]", "        required: [spec]\n        x-kubernetes-validations: [{rule: \"self.metadata.name.size() < 8\"}]", 1)
	if got := printed(t, named, (*sample.Generator).Smallest); !strings.Contains(got, "\n  name: sample\n") {
		t.Errorf("named\n%s", got)
	}
	without := strings.Replace(strings.Replace(shelves, "    subresources: {status: {}}\n", "", 1), "required: [spec]", "required: [spec, status]", 1)
	if got := printed(t, without, (*sample.Generator).Smallest); !strings.Contains(got, "\nstatus: {}\n") {
		t.Errorf("with a status\n%s", got)
	}
	if got := printed(t, strings.Replace(shelves, "required: [spec]", "required: [apiVersion, kind, metadata, spec]", 1), (*sample.Generator).Smallest); !strings.Contains(got, "kind: Shelf\n") {
		t.Errorf("with what every object has\n%s", got)
	}
	none := strings.Replace(shelves, "!has(self.wall) || !has(self.floor)", "self.width < self.width", 1)
	for _, make := range []func(*sample.Generator) (request.Object, bool){(*sample.Generator).Smallest, (*sample.Generator).Fullest} {
		if got := printed(t, none, make); got != "" {
			t.Errorf("there is no valid object, and this is one:\n%s", got)
		}
	}
}

// TestPrintedEnum names values as they are to be written.
func TestPrintedEnum(t *testing.T) {
	t.Parallel()
	src := strings.Replace(shelves, "enum: [oil, wax]", "enum: [oil, \"\", \"7\"]", 1)
	if got := printed(t, src, (*sample.Generator).Fullest); !strings.Contains(got, `# Finish. One of oil, "", "7".`) {
		t.Errorf("%s", got)
	}
}

// TestPrintedSamples has the server accept, and keep all of, what is printed for the CRDs of the corpus.
func TestPrintedSamples(t *testing.T) {
	t.Parallel()
	var versions, least, most, fields, met int
	for _, file := range corpus.Sample(t, corpus.Files(t, "v1", "v1beta1"), 20) {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range objects.Definitions(file, file, src, true) {
			server, why := d.Server()
			if why != "" {
				continue
			}
			for _, version := range server.Versions() {
				v := server.Version(version)
				if v.Err() != nil {
					continue
				}
				versions++
				g := sample.New(server, version, 1)
				small, ok := g.Smallest()
				if !ok {
					t.Logf("%s: nothing for %s", file, version)
					continue
				}
				least++
				checkPrinted(t, file, v, small, d)
				full, ok := g.Fullest()
				if !ok {
					t.Errorf("%s: there is a smallest object of %s, and no fullest", file, version)
					continue
				}
				most++
				checkPrinted(t, file, v, full, d)
				for _, at := range g.Nodes() {
					if len(at) == 0 || at[0].Name == "metadata" || at[0].Name == "status" && v.HasStatus() {
						continue
					}
					fields++
					if _, found := sample.Get(full, at); found {
						met++
					}
				}
			}
		}
	}
	t.Logf("%d versions, %d smallest and %d fullest objects, which have %d of %d fields", versions, least, most, met, fields)
	if versions*99 > least*100 || fields*90 > met*100 {
		t.Error("those are too few")
	}
}

func checkPrinted(t *testing.T, file string, v *request.Version, object request.Object, d *objects.Definition) {
	t.Helper()
	text := sample.Print(object, d.Root(v.Name))
	n, err := yaml11.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v in\n%s", file, err, text)
	}
	raw, err := yaml11.ToJSON(n)
	if err != nil {
		t.Fatalf("%s: %v in\n%s", file, err, text)
	}
	var read request.Object
	if err := json.Unmarshal(raw, &read); err != nil {
		t.Fatalf("%s: %v in\n%s", file, err, raw)
	}
	if !reflect.DeepEqual(read, object) {
		t.Errorf("%s: %v is printed as\n%s", file, object, text)
	}
	out := v.Admit(read)
	kept := func(c request.Change) bool { return c.Kind != request.Pruned && c.Kind != request.NullDropped }
	if dropped := slices.DeleteFunc(out.Changes, kept); !out.Accepted() || len(dropped) > 0 {
		t.Errorf("%s: rejected %v, dropped %v of\n%s", file, out.Causes, dropped, text)
	}
}
