package suite_test

import (
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/suite"
)

func at(names ...string) request.Path { return request.Keys(names...) }

func set(value any, names ...string) suite.Setting {
	return suite.Setting{Path: at(names...), Value: value}
}

var base = request.Object{"kind": "Shelf", "apiVersion": "shop.example.com/v1", "spec": map[string]any{"min": int64(1)}}

// rejected is a case of a table, as reading one makes it.
func inTable(name string, rejected bool, value any) *suite.Case {
	c := &suite.Case{Name: name, Request: suite.Create, Validation: suite.Strict, Base: base}
	c.Change.Set = []suite.Setting{set("left", "spec", "side"), set(value, "spec", "size")}
	if rejected {
		c.Want.Rejected = []suite.Expected{{Path: at("spec", "size"), Below: true}}
	}
	return c
}

func plain(name string) *suite.Case {
	return &suite.Case{Name: name, Request: suite.Create, Validation: suite.Strict, Base: base}
}

func TestYAML(t *testing.T) {
	t.Parallel()
	defaults := plain("defaults")
	defaults.Want.Stored = []suite.Setting{set(int64(10), "spec", "max"), set(1.5, "spec", "yes")}
	defaults.Want.Absent = []suite.Setting{{Path: at("status")}}

	above := plain("min above max: never")
	above.Comment = "new\nand two lines"
	above.Change.Set = []suite.Setting{set(nil, "spec", "min")}
	above.Change.Unset = []suite.Setting{{Path: at("spec", "list").To(request.Index(0), request.Key("a.b/c"))}}
	above.Want.Rejected = []suite.Expected{{Text: "min must not exceed max"}}

	class := plain("class")
	class.Request, class.Old = suite.Update, &suite.Change{Set: []suite.Setting{set("fast", "spec", "class")}}
	class.Change.Set = []suite.Setting{set("slow", "spec", "class")}
	class.Want.Rejected = []suite.Expected{{Path: at("spec", "class"), By: "rule", Text: "immutable"}, {Path: at(), By: "rule", Rule: "self == oldSelf"}}
	class.Want.Also = true

	status := plain("phase")
	status.Request, status.Old = suite.Status, &suite.Change{}
	status.Skip, status.Validation, status.Minor = "no server of 1.20", suite.Warn, 20
	status.Want.Warns, status.Want.Exactly = []string{"is deprecated"}, request.Object{"status": map[string]any{}}
	then := plain("phase/gone")
	then.Base, then.Request, then.Old = nil, suite.Update, &suite.Change{}
	status.Then = []*suite.Case{then}

	before := plain("before")
	before.Old, before.Request = &suite.Change{}, suite.Update
	before.Before.Without = []suite.Constraint{
		{Path: at("spec", "name"), Keyword: "maxLength"}, {Path: at("spec"), Keyword: "rule", Rule: "self.min"},
		{Path: at("spec", "max"), Keyword: "maximum", Value: int64(9), Had: true},
	}
	before.Change.Set = []suite.Setting{set([]any{
		map[string]any{"text": strings.Repeat("a", 70)}, map[string]any{"text": strings.Repeat("b", 90), "yes": "no"}, "1",
	}, "spec", "rules"), set(map[string]any{"a": strings.Repeat("c", 95), "b": map[string]any{}}, "spec", "wide")}

	s := &suite.Suite{Name: "shelf", CRD: "../bases/shelves.yaml", Version: "v1", Cases: []*suite.Case{
		defaults, inTable("size/accept/1", false, "1Gi"), inTable("size/accept/2", false, []any{}), inTable("size/reject/1", true, ""),
		inTable("other/reject/1", true, "x"), above, class, status, before,
	}}
	want := suite.SchemaLine + `crdtest: v1
crd: ../bases/shelves.yaml
version: v1
base:
  apiVersion: shop.example.com/v1
  kind: Shelf
  spec: {min: 1}
cases:
- name: defaults
  stored: {spec.max: 10, spec.yes: 1.5}
  absent: [status]
- name: size
  set: {spec.side: left}
  at: spec.size
  accept: [1Gi, []]
  reject: [""]
- name: other
  set: {spec.side: left}
  at: spec.size
  reject: [x]
# new
# and two lines
- name: "min above max: never"
  set: {spec.min: null}
  unset: ["spec.list[0][a.b/c]"]
  rejected: min must not exceed max
- name: class
  old: {set: {spec.class: fast}}
  set: {spec.class: slow}
  rejected: [{at: spec.class, by: rule, text: immutable}, {at: ., by: rule, rule: self == oldSelf}]
  also: true
- name: phase
  skip: no server of 1.20
  request: status
  fieldValidation: warn
  kubernetes: "1.20"
  old: {}
  exactly: {status: {}}
  warns: [is deprecated]
  then: [{name: gone, old: {}}]
- name: before
  old: {}
  before: [spec.name.maxLength, "spec.rule[self.min]", {spec.max.maximum: 9}]
  set:
    spec.rules:
    - {text: ` + strings.Repeat("a", 70) + `}
    - text: ` + strings.Repeat("b", 90) + `
      "yes": "no"
    - "1"
    spec.wide:
      a: ` + strings.Repeat("c", 95) + `
      b: {}
`
	if got := string(s.YAML()); got != want {
		t.Errorf("the suite is\n%s\nwant\n%s", got, want)
	}
	again := suite.Read(manifest.Parse("shelf.crdtest.yaml", []byte(want)).Documents[0])
	if got := strings.Replace(string(again.YAML()), "- name: \"min", "# new\n# and two lines\n- name: \"min", 1); len(again.Wrong) > 0 || got != want {
		t.Errorf("read again, it is\n%s\nwant\n%s\nand has %d problems", got, want, len(again.Wrong))
	}
}
