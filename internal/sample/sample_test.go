package sample_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/sample"
	"github.com/crdlift/crdlift/internal/testing/behaviour"
)

// serve makes a server for a CRD of one version with a schema, in flow style.
func serve(t testing.TB, schema string, more ...string) *request.Server {
	t.Helper()
	crds, _, err := behaviour.Decode([]byte(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: tests.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Test, plural: tests}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: ` + schema + `}` + strings.Join(more, "") + `}]
`))
	if err != nil || len(crds) != 1 {
		t.Fatal(err)
	}
	server, err := request.New(crds[0])
	if err != nil {
		t.Fatal(err)
	}
	return server
}

// withSpec is a schema whose spec has properties and further keywords.
func withSpec(properties, more string) string {
	return "{type: object, properties: {spec: {type: object, properties: {" + properties + "}" + more + "}}}"
}

// TestReached makes a valid object around every node of schemas that ask for something special, and filled ones.
func TestReached(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ about, schema string }{
		{"the name is to be a literal", `{type: object, properties: {spec: {type: object, properties: {a: {type: string}}}},
			x-kubernetes-validations: [{rule: "self.metadata.name == 'cluster'"}]}`},
		{"exactly one of", withSpec("a: {type: string}, b: {type: string}, c: {type: integer}",
			`, x-kubernetes-validations: [{rule: "[has(self.a), has(self.b), has(self.c)].filter(x, x).size() == 1"}]`)},
		{"exactly one of, by oneOf", withSpec("a: {type: string}, b: {type: string}", ", oneOf: [{required: [a]}, {required: [b]}]")},
		{"required when the type is", withSpec("type: {type: string, enum: [File, URL, None]}, file: {type: string}, url: {type: string}",
			`, required: [type], x-kubernetes-validations: [{rule: "self.type == 'File' ? has(self.file) : !has(self.file)"}, {rule: "(self.type == 'URL') == has(self.url)"}]`)},
		{"a text of a shape", withSpec("image: {type: string}", ", x-kubernetes-validations: [{rule: \"!has(self.image) || self.image.contains('@sha256:')\"}]")},
		{"two fields are equal", withSpec("a: {type: string}, b: {type: string}", `, required: [a, b], x-kubernetes-validations: [{rule: "self.a == self.b"}]`)},
		{"one number is below the other", withSpec("min: {type: integer}, max: {type: integer}", `, x-kubernetes-validations: [{rule: "!has(self.min) || !has(self.max) || self.min < self.max"}]`)},
		{"rules about a spec that is optional", `{type: object, properties: {spec: {type: object, properties: {a: {type: string}}}},
			x-kubernetes-validations: [{rule: "has(self.spec) && has(self.spec.a)"}]}`},
		{"all items", withSpec("list: {type: array, items: {type: object, properties: {kind: {type: string}, n: {type: integer}}}}",
			`, x-kubernetes-validations: [{rule: "!has(self.list) || self.list.all(x, has(x.kind) && x.kind in ['A', 'B'])"}]`)},
		{"limits", withSpec("a: {type: integer, minimum: 5, maximum: 6}, b: {type: number, exclusiveMinimum: true, minimum: 0, maximum: 1}, c: {type: integer, multipleOf: 7}, d: {type: string, minLength: 30}", "")},
		{"lists", withSpec("set: {type: array, x-kubernetes-list-type: set, minItems: 3, items: {type: string, enum: [a, b, c, d]}}, map: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: object, required: [k], properties: {k: {type: string, enum: [p, q, r]}, v: {type: string}}}}", "")},
		{"formats", withSpec("a: {type: string, format: date-time}, b: {type: string, format: duration}, c: {type: string, format: ipv4}, d: {type: string, format: byte}, e: {type: string, format: uuid}, f: {type: integer, format: int32}", "")},
		{"int or string", withSpec("port: {x-kubernetes-int-or-string: true}, share: {x-kubernetes-int-or-string: true, pattern: '^[0-9]+%$'}", "")},
		{"an embedded resource", withSpec("template: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}", "")},
		{"what is kept", withSpec("settings: {type: object, x-kubernetes-preserve-unknown-fields: true}", "")},
		{"null", withSpec("a: {type: string, nullable: true}", "")},
		{"a map", withSpec("labels: {type: object, minProperties: 1, additionalProperties: {type: string}}", "")},
		{"junctors", withSpec("a: {type: string, anyOf: [{minLength: 10}, {pattern: '^x'}]}", ", not: {required: [b]}")},
	} {
		t.Run(test.about, func(t *testing.T) {
			t.Parallel()
			server := serve(t, test.schema)
			v := server.Version("v1")
			g := sample.New(server, "v1", 1)
			for _, at := range g.Nodes() {
				o, ok := g.At(at)
				if _, has := sample.Get(o, at); !ok || !has {
					t.Errorf("no object has %s: %v", at, o)
					continue
				}
				for _, s := range g.Around(at) {
					if !s.Valid || !sample.Valid(v, s.Object) {
						t.Errorf("%s, %s: %v is not valid", at, s.About, s.Object)
					}
				}
			}
			if all := g.Filled(20); len(all) < 18 {
				t.Errorf("%d of 20 filled objects are valid", len(all))
			} else if i := slices.IndexFunc(all, func(o request.Object) bool { return !sample.Valid(v, o) }); i >= 0 {
				t.Errorf("%v is not valid", all[i])
			}
		})
	}
}

// TestAround varies what stands at a node.
func TestAround(t *testing.T) {
	t.Parallel()
	server := serve(t, withSpec(`num: {type: integer}, b: {type: boolean}, s: {type: string}, e: {type: string, enum: [one, two]}, z: {type: string, nullable: true},
		list: {type: array, items: {type: string}}, map: {type: object, additionalProperties: {type: string}}, port: {x-kubernetes-int-or-string: true}`, ""))
	g := sample.New(server, "v1", 1)
	for _, test := range []struct {
		at   string
		want []string // parts of specs
	}{
		{"num", []string{`{"num":0}`, `{"num":9007199254740995}`, `{"num":-1}`, `{}`}},
		{"b", []string{`{"b":true}`, `{"b":false}`, `{}`}},
		{"s", []string{`{"s":""}`, `{"s":"yes"}`, `{"s":"80"}`, `\u003cb\u003e`, `\u2028`, `{}`}},
		{"e", []string{`{"e":"one"}`, `{"e":"two"}`}},
		{"z", []string{`{"z":null}`}},
		{"list", []string{`{"list":[]}`, `{"list":["list-1"]}`, `","`}},
		{"map", []string{`{"map":{}}`, `"example.com/key.1":`, `"__proto__":`}},
		{"port", []string{`{"port":80}`, `{"port":"80"}`}},
	} {
		at := sample.Path{}.To(sample.Property, "spec").To(sample.Property, test.at)
		var specs []string
		for _, s := range g.Around(at) {
			text, err := json.Marshal(s.Object["spec"])
			if err != nil {
				t.Fatal(err)
			}
			specs = append(specs, string(text))
		}
		for _, want := range test.want {
			if !slices.ContainsFunc(specs, func(spec string) bool { return strings.Contains(spec, want) }) {
				t.Errorf("%s: no %s in %v", test.at, want, specs)
			}
		}
	}
}

// TestFilled has in a few objects what mistakes of conversions change: in each field, each value of its enum, long lists and maps, the
// ends of limits, and texts that code takes for others.
func TestFilled(t *testing.T) {
	t.Parallel()
	server := serve(t, withSpec(`s: {type: string}, e: {type: string, enum: [one, two, three, four, five]}, list: {type: array, items: {type: string}}, set: {type: array,
		x-kubernetes-list-type: set, items: {type: string, enum: [a, b]}}, few: {type: array, maxItems: 12, items: {type: object, properties: {e: {type: string, enum: [p, q]}}}},
		map: {type: object, additionalProperties: {type: string}}, at: {type: string, format: date-time}, num: {type: integer, minimum: 3, maximum: 90}`, ""))
	most, seen := map[string]int{}, map[string]bool{}
	var note func(at string, value any)
	note = func(at string, value any) {
		switch value := value.(type) {
		case map[string]any:
			most[at] = max(most[at], len(value))
			for name, member := range value {
				if at != "spec" {
					name = "*"
				}
				note(at+"."+name, member)
			}
		case []any:
			most[at] = max(most[at], len(value))
			for _, item := range value {
				note(at+"[]", item)
			}
		default:
			seen[fmt.Sprint(at, "=", value)] = true
		}
	}
	all := sample.New(server, "v1", 1).Filled(36)
	for _, o := range all {
		note("spec", specOf(o))
	}
	if len(all) != 36 || most["spec.list"] != 100 || most["spec.set"] != 2 || most["spec.few"] != 12 || most["spec.map"] != 11 {
		t.Errorf("%d objects, the largest have %v", len(all), most)
	}
	for _, want := range []string{
		"spec.s=", "spec.s=*", "spec.s=null", "spec.s=latest", "spec.e=one", "spec.e=two", "spec.e=three", "spec.e=four", "spec.e=five", "spec.few[].*=p", "spec.few[].*=q",
		"spec.map.*=", "spec.list[]=", "spec.num=3", "spec.num=90",
	} {
		if !seen[want] {
			t.Errorf("there is no %s", want)
		}
	}
	for about, is := range map[string]func(string) bool{
		"blanks":      func(text string) bool { return strings.HasPrefix(text, "spec.s= s-") && strings.HasSuffix(text, " ") },
		"capitals":    func(text string) bool { return strings.HasPrefix(text, "spec.s=S-") },
		"a long text": func(text string) bool { return len(text) >= 300 },
		"a zone": func(text string) bool {
			return strings.HasPrefix(text, "spec.at=") && strings.HasSuffix(text, "+02:00")
		},
		"parts of seconds": func(text string) bool {
			return strings.HasPrefix(text, "spec.at=") && strings.HasSuffix(text, ".123456Z")
		},
	} {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(seen)), is) {
			t.Errorf("there is no text with %s", about)
		}
	}
}

// TestDistinct has another value in every field of an object, or a webhook that swaps two would not be noticed.
func TestDistinct(t *testing.T) {
	t.Parallel()
	g := sample.New(serve(t, withSpec("a: {type: string}, b: {type: string}, c: {type: integer}, d: {type: integer}, e: {type: string, pattern: '^[a-z]+-[0-9]+$'}", "")), "v1", 1)
	for _, o := range g.Filled(20) {
		seen := map[any]string{}
		for name, value := range specOf(o) {
			if other := seen[value]; other != "" {
				t.Errorf("%s and %s are both %v", name, other, value)
			}
			seen[value] = name
		}
	}
}

// TestIncomplete makes objects that lack something, and says of each whether it is valid.
func TestIncomplete(t *testing.T) {
	t.Parallel()
	server := serve(t, withSpec("a: {type: string}, list: {type: array, items: {type: object, required: [name], properties: {name: {type: string}}}}", ", required: [a]"))
	v := server.Version("v1")
	got := map[string]bool{}
	for _, s := range sample.New(server, "v1", 1).Partial() {
		if s.Valid != sample.Valid(v, s.Object) {
			t.Errorf("%s of %s: %v", s.About, s.Node, s.Object)
		}
		got[s.About+" of "+s.Node.String()] = s.Valid
	}
	for about, valid := range map[string]bool{
		"metadata only of .": true, "an empty spec of spec": false, "without a of spec.a": false, "without name of spec.list[].name": false, "without spec of spec": true,
	} {
		if is, found := got[about]; !found || is != valid {
			t.Errorf("%s: %v, %v; have %v", about, found, is, got)
		}
	}
	for about := range got {
		if strings.HasSuffix(about, "of apiVersion") || strings.HasSuffix(about, "of kind") || about == "an empty metadata of metadata" {
			t.Errorf("there is an object %s", about)
		}
	}
}

// TestUnvalidated makes objects with one value that the schema rejects, each for its own reason.
func TestUnvalidated(t *testing.T) {
	t.Parallel()
	server := serve(t, withSpec("a: {type: integer, minimum: 1, maximum: 5}, b: {type: string, enum: [x]}, c: {type: string, pattern: '^y$', maxLength: 3}", ""))
	var all []string
	for _, s := range sample.New(server, "v1", 1).Unvalidated() {
		if outcome := server.Version("v1").Create(s.Object); outcome.Accepted() {
			t.Errorf("%v is valid", s.Object)
		}
		all = append(all, s.Node.String()+": "+s.About)
	}
	want := []string{"spec.a: too large", "spec.a: too small", "spec.b: no value of the enum", "spec.c: not of the pattern", "spec.c: too long"}
	if !reflect.DeepEqual(all, want) {
		t.Errorf("%q", all)
	}
}

// TestStatus has values for status, which is written by itself.
func TestStatus(t *testing.T) {
	t.Parallel()
	g := sample.New(serve(t, `{type: object, properties: {status: {type: object, required: [phase], properties: {phase: {type: string, enum: [Ready]}}}}}`, ", subresources: {status: {}}"), "v1", 1)
	at := sample.Path{}.To(sample.Property, "status").To(sample.Property, "phase")
	o, ok := g.At(at)
	if value, _ := sample.Get(o, at); !ok || value != "Ready" {
		t.Errorf("%v", o)
	}
}

// TestDecorated has labels on every object, and on some of them what only some have.
func TestDecorated(t *testing.T) {
	t.Parallel()
	all := sample.New(serve(t, withSpec("a: {type: string}", "")), "v1", 1).Filled(30)
	has := map[string]int{}
	for _, o := range all {
		metadata := o["metadata"].(map[string]any)
		for name := range metadata {
			has[name]++
		}
		if value, found := metadata["labels"].(map[string]any)["example.com/role"]; !found || value != "" {
			t.Errorf("no label of %v has an empty value", metadata)
		}
	}
	for name, most := range map[string]int{"labels": 30, "annotations": 20, "finalizers": 15, "ownerReferences": 10} {
		if n := has[name]; n == 0 || n > most || name == "labels" && n != len(all) {
			t.Errorf("%d of %d objects have %s", n, len(all), name)
		}
	}
}

func specOf(o request.Object) map[string]any {
	spec, _ := o["spec"].(map[string]any)
	return spec
}
