package main

import (
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/request"
)

// A row is one of the table of docs/validate.md about objects that break a CRD since it became stricter: a schema, and an
// object that breaks it as the row says.
type row struct {
	what             string // begins its first cell
	properties, root string // of the schema
	spec             string // what is stored, beside `other: 1`
	there            string // the same, changed where it is broken
	status           string // what is stored as status; its change is `{ready: 2}`
}

const preserved = "template: {type: object, x-kubernetes-preserve-unknown-fields: true}"

// rows are those of the table. The members that the schema has in any case are spec.other and status.ready.
var rows = []row{
	{what: "a rule at the root", root: "x-kubernetes-validations: [{rule: '!has(self.spec.a)'}]", properties: "a: {type: integer}", spec: "a: 1"},
	{what: "the schema at the root", root: "required: [extra]"},
	{what: "the schema at a node with", properties: "box: {type: object, required: [b], properties: {" + preserved + ", b: {type: string}}}", spec: "box: {template: {x: 1}}"},
	{what: "a rule at such a node", properties: "box: {type: object, x-kubernetes-validations: [{rule: has(self.b)}], properties: {" + preserved + ", b: {type: string}}}", spec: "box: {template: {x: 1}}"},
	{what: "an embedded resource", properties: "pod: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}", spec: "pod: {kind: Pod}"},
	{what: "a rule that fails when it runs", properties: "box: {type: object, x-kubernetes-validations: [{rule: self.b > 1}], properties: {b: {type: integer}}}", spec: "box: {}"},
	{what: "`required`, `anyOf`", properties: "box: {type: object, required: [b], properties: {b: {type: integer}, c: {type: integer}}}", spec: "box: {c: 1}", there: "box: {c: 2}"},
	{what: "a type, enum", properties: "a: {type: integer, maximum: 3}", spec: "a: 4", there: "a: 5"},
	{what: "an item of a list map", spec: "items: [{name: x, a: 4}, {name: y, a: 1}]", there: "items: [{name: x, a: 5}, {name: y, a: 1}]",
		properties: "items: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], items: {type: object, required: [name], properties: {name: {type: string}, a: {type: integer, maximum: 3}}}}"},
	{what: "an item of another list", properties: "items: {type: array, items: {type: integer, maximum: 3}}", spec: "items: [4, 1]", there: "items: [4, 2]"},
	{what: "the type of a list", properties: "items: {type: array, x-kubernetes-list-type: set, items: {type: integer}}", spec: "items: [1, 1]", there: "items: [1, 1, 2]"},
	{what: "a rule at `spec`", properties: "box: {type: object, x-kubernetes-validations: [{rule: '!has(self.b)'}], properties: {b: {type: integer}, c: {type: integer}}}", spec: "box: {b: 1, c: 1}", there: "box: {b: 1, c: 2}"},
	{what: "something in `status`", status: "{ready: 1}"},
}

// TestValidatePage holds the table against the code that judges: what a touch, a change of the status, and changes of other
// fields come to.
func TestValidatePage(t *testing.T) {
	t.Parallel()
	cells := map[string][]string{}
	for line := range strings.Lines(read(t, filepath.Join("docs", "validate.md"))) {
		if parts := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | "); len(parts) == 4 {
			cells[strings.TrimSpace(parts[0])] = parts[1:]
		}
	}
	if len(cells) != len(rows)+1 { // the head
		t.Errorf("the table has %d rows, and %d are tried", len(cells)-1, len(rows))
	}
	for _, r := range rows {
		t.Run(r.what, func(t *testing.T) {
			t.Parallel()
			var row []string
			for what, said := range cells {
				if strings.HasPrefix(what, r.what) {
					row = said
				}
			}
			if row == nil {
				t.Fatal("the page has no such row")
			}
			for i, got := range r.verdicts(t) {
				said, when, _ := strings.Cut(strings.TrimSpace(row[i]), " ")
				if strings.HasPrefix(when, "as soon as") || strings.HasPrefix(when, "only when") {
					said = "changed"
				}
				if want := strings.TrimSuffix(said, ","); got != want {
					t.Errorf("column %d is %s, but the page says %s", i+2, got, row[i])
				}
			}
		})
	}
}

// verdicts are accepted, refused, or changed for what is refused only if what is broken changes: for a touch, for the
// status, and for fields of the spec.
func (r row) verdicts(t *testing.T) [3]string {
	v := r.version(t)
	stored := r.object(t, r.spec, r.status, "other: 1")
	verdict := func(out *request.Outcome) string {
		if out.Err != nil {
			t.Fatal(out.Err)
		}
		if out.Accepted() {
			return "accepted"
		}
		return "refused"
	}
	touch := verdict(v.Update(r.object(t, r.spec, r.status, "other: 1"), stored))
	status := verdict(v.UpdateStatus(r.object(t, r.spec, "{ready: 2}", "other: 1"), stored))
	if r.status != "" && status == "refused" && verdict(v.UpdateStatus(stored, stored)) == "accepted" {
		status = "changed"
	}
	other := verdict(v.Update(r.object(t, r.spec, r.status, "other: 2"), stored))
	if r.there != "" && other == "accepted" && verdict(v.Update(r.object(t, r.there, r.status, "other: 1"), stored)) == "refused" {
		other = "changed"
	}
	return [3]string{touch, status, other}
}

// version is the version of the row's CRD.
func (r row) version(t *testing.T) *request.Version {
	status := "{type: object, properties: {ready: {type: integer}}}"
	if r.status != "" {
		status = "{type: object, required: [phase], properties: {ready: {type: integer}, phase: {type: string}}}"
	}
	manifest := `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: tests.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Test, plural: tests}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema: {openAPIV3Schema: {type: object, ` + join(r.root, "properties: {spec: {type: object, properties: {"+join("other: {type: integer}", r.properties)+"}}, status: "+status+"}") + "}}\n"
	text, err := yaml.YAMLToJSON([]byte(manifest))
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := crd.DecodeJSON(text, crd.V1)
	if err != nil {
		t.Fatal(err)
	}
	server, err := request.New(decoded.Hub)
	if err != nil {
		t.Fatal(err)
	}
	return server.Version("v1")
}

// object is an object with members of its spec, and a status.
func (r row) object(t *testing.T, spec, status, other string) request.Object {
	if status != "" {
		status = "status: " + status
	}
	text := "{" + join("apiVersion: example.com/v1, kind: Test, metadata: {name: test, namespace: default}", "spec: {"+join(other, spec)+"}", status) + "}"
	object, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var o request.Object
	if err := json.Unmarshal(object, &o); err != nil {
		t.Fatal(err)
	}
	return o
}

// join joins members of a mapping in flow style.
func join(members ...string) string {
	var all []string
	for _, m := range members {
		if m != "" {
			all = append(all, m)
		}
	}
	return strings.Join(all, ", ")
}
