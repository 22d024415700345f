package behaviour

import (
	"reflect"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/sample"
	"sigs.k8s.io/yaml"
)

// serve makes a server for a CRD with one version and the given schema (flow style), in v1beta1 or v1.
func serve(t *testing.T, apiVersion, schema string, more ...string) *request.Server {
	t.Helper()
	manifest := "apiVersion: apiextensions.k8s.io/" + apiVersion + `
kind: CustomResourceDefinition
metadata: {name: tests.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Test, plural: tests}
`
	if apiVersion == "v1" {
		manifest += "  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: " + schema + "}" + strings.Join(more, "") + "}]\n"
	} else {
		manifest += "  version: v1\n  validation: {openAPIV3Schema: " + schema + "}\n" + strings.Join(more, "\n")
	}
	return served(t, manifest)
}

func served(t *testing.T, manifest string) *request.Server {
	t.Helper()
	crds, _, err := Decode([]byte(manifest))
	if err != nil {
		t.Fatal(err)
	}
	if len(crds) != 1 {
		t.Fatalf("%d CRDs in:\n%s", len(crds), manifest)
	}
	server, err := request.New(crds[0])
	if err != nil {
		t.Fatal(err)
	}
	return server
}

// resource makes a custom resource; members are flow style YAML.
func resource(t *testing.T, version, members string) map[string]any {
	t.Helper()
	object := map[string]any{}
	if err := yaml.Unmarshal([]byte("{"+members+"}"), &object); err != nil {
		t.Fatal(err)
	}
	object = sample.Plain(object).(map[string]any)
	object["apiVersion"], object["kind"] = "example.com/"+version, "Test"
	object["metadata"] = map[string]any{"name": "test"}
	return object
}

// created returns what became of a spec: "rejected: why", or what is stored of it.
func created(t *testing.T, s *request.Server, version, spec string) string {
	t.Helper()
	return outcome(t, Create(s.Version(version), resource(t, version, "spec: "+spec)))
}

func outcome(t *testing.T, o Outcome) string {
	t.Helper()
	if !o.Accepted() {
		return o.String()
	}
	spec, ok := o.Stored["spec"]
	if !ok {
		return "no spec"
	}
	b, err := yaml.Marshal(spec)
	if err != nil {
		t.Fatal(err)
	}
	flow, err := yaml.YAMLToJSON(b)
	if err != nil {
		t.Fatal(err)
	}
	return string(flow)
}

// Measured facts about API servers, which the model must show.
func TestServer(t *testing.T) {
	spec := func(schema string) string { return "{type: object, properties: {spec: " + schema + "}}" }
	for _, test := range []struct{ about, apiVersion, schema, spec, want string }{
		{"v1beta1 does not prune", "v1beta1", spec("{type: object}"), "{a: {b: 1}}", `{"a":{"b":1}}`},
		{"v1 does", "v1", spec("{type: object}"), "{a: {b: 1}}", `{}`},
		{"a mark at the root does not reach declared objects (M19)", "v1",
			"{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {spec: {type: object}}}", "{a: 1}", `{}`},
		{"additionalProperties: true empties objects (M18)", "v1", spec("{type: object, additionalProperties: true}"), "{a: {b: 1}, c: 1}", `{"a":{},"c":1}`},
		{"also beside a mark (M18)", "v1", spec("{type: object, additionalProperties: true, x-kubernetes-preserve-unknown-fields: true}"),
			"{a: {b: 1}, c: 1}", `{"a":{},"c":1}`},
		{"v1beta1 rejects null for a type (M20)", "v1beta1", spec("{type: object, properties: {a: {type: string}}}"), "{a: null}",
			`rejected: spec.a: type`},
		{"v1 drops it (M20)", "v1", spec("{type: object, properties: {a: {type: string}}}"), "{a: null}", `{}`},
		{"and then misses it (M20)", "v1", spec("{type: object, required: [a], properties: {a: {type: string}}}"), "{a: null}",
			`rejected: spec.a: required`},
		{"v1beta1 takes null where there is no type", "v1beta1", spec("{type: object, required: [a], properties: {a: {pattern: b}}}"), "{a: null}", `{"a":null}`},
		{"v1 does so only where it is nullable", "v1",
			spec("{type: object, required: [a], properties: {a: {x-kubernetes-preserve-unknown-fields: true, nullable: true}}}"), "{a: null}", `{"a":null}`},
		{"junctors do not see null", "v1beta1", spec("{type: object, properties: {a: {anyOf: [{type: integer}, {type: string}]}}}"), "{a: null}", `{"a":null}`},
		{"closed maps reject", "v1", spec("{type: object, additionalProperties: false}"), "{a: {b: 1}}",
			`rejected: spec.a: additionalProperties`},
		{"defaults are set before validation", "v1", spec("{type: object, required: [a], properties: {a: {type: string, default: b}}}"), "{}", `{"a":"b"}`},
		{"list types are checked", "v1", spec("{type: object, properties: {a: {type: array, x-kubernetes-list-type: set, items: {type: string}}}}"), "{a: [b, b]}",
			`rejected: spec.a[1]: x-kubernetes-list-type`},
		{"embedded resources need a kind", "v1", spec("{type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}"), "{apiVersion: v1}",
			`rejected: spec.kind: x-kubernetes-embedded-resource`},
		{"and have an ObjectMeta", "v1", spec("{type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}"),
			"{apiVersion: v1, kind: Pod, metadata: {name: a, other: b}, spec: {c: d}}", `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"c":"d"}}`},
		{"a list passes for a text with a format", "v1beta1", spec("{type: object, properties: {a: {type: string, format: date-time}}}"), "{a: [{b: c}]}", `{"a":[{"b":"c"}]}`},
		{"junctor-only properties stay below a mark", "v1",
			spec("{type: object, x-kubernetes-preserve-unknown-fields: true, anyOf: [{properties: {a: {minProperties: 1}}}]}"), "{a: {b: 1}}", `{"a":{"b":1}}`},
	} {
		t.Run(test.about, func(t *testing.T) {
			if got := created(t, serve(t, test.apiVersion, test.schema), "v1", test.spec); got != test.want {
				t.Errorf("%s: got %s, want %s", test.spec, got, test.want)
			}
		})
	}
}

func TestStatusIsDroppedOnCreateAndCheckedOnUpdate(t *testing.T) {
	schema := "{type: object, properties: {status: {type: object, properties: {phase: {enum: [Ready], type: string}}}}}"
	for _, apiVersion := range []string{"v1beta1", "v1"} {
		var s *request.Server
		if apiVersion == "v1" {
			s = serve(t, apiVersion, schema, ", subresources: {status: {}}")
		} else {
			s = serve(t, apiVersion, schema, "  subresources: {status: {}}\n")
		}
		wrong := resource(t, "v1", "status: {phase: No}")
		if o := Create(s.Version("v1"), wrong); !o.Accepted() || o.Stored["status"] != nil {
			t.Errorf("%s: create with a status: %+v", apiVersion, o)
		}
		if o := UpdateStatus(s.Version("v1"), wrong); o.Accepted() {
			t.Errorf("%s: update with a wrong status was accepted", apiVersion)
		}
		o := UpdateStatus(s.Version("v1"), resource(t, "v1", "status: {phase: Ready, more: 1}"))
		want := map[string]any{"phase": "Ready"}
		if apiVersion == "v1beta1" {
			want["more"] = int64(1)
		}
		if !reflect.DeepEqual(o.Stored["status"], want) {
			t.Errorf("%s: status is %v, want %v (%v)", apiVersion, o.Stored["status"], want, o.Refused)
		}
	}
}

// Each named difference, and nothing else beside it.
func TestDifferences(t *testing.T) {
	t.Run(DroppedNull, func(t *testing.T) {
		before := serve(t, "v1beta1", "{properties: {spec: {type: object, required: [a], properties: {a: {type: string}, b: {type: string}, c: {type: string, nullable: true}}}}}")
		after := serve(t, "v1", "{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {spec: {type: object, required: [a], x-kubernetes-preserve-unknown-fields: true, "+
			"properties: {a: {type: string}, b: {type: string}, c: {type: string, nullable: true}}}}}")
		for _, test := range []struct{ spec, before, after string }{
			{"{a: x, b: null}", `rejected: spec.b: type`, `{"a":"x"}`},
			{"{a: null}", `rejected: spec.a: type`, `rejected: spec.a: required`},
			{"{a: x, c: null, d: null}", `{"a":"x","c":null,"d":null}`, `{"a":"x","c":null,"d":null}`},
		} {
			shows(t, before, after, "v1", test.spec, test.before, test.after)
		}
	})
	t.Run(EmptiedList, func(t *testing.T) {
		before := serve(t, "v1beta1", "{properties: {spec: {type: object, properties: {a: {type: string, format: date-time}, b: {type: string}}}}}")
		after := serve(t, "v1", "{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {spec: {type: object, x-kubernetes-preserve-unknown-fields: true, "+
			"properties: {a: {type: string, format: date-time}, b: {type: string}}}}}")
		refused := `rejected: spec.b: type`
		for _, test := range []struct{ spec, before, after string }{
			{"{a: [{b: {c: d}}, 1]}", `{"a":[{"b":{"c":"d"}},1]}`, `{"a":[{},1]}`},
			{"{a: [1, text]}", `{"a":[1,"text"]}`, `{"a":[1,"text"]}`},
			{"{b: [{c: d}]}", refused, refused},
		} {
			shows(t, before, after, "v1", test.spec, test.before, test.after)
		}
	})
	t.Run(OtherVersion, func(t *testing.T) {
		versions := func(apiVersion, mark, storage string) string {
			return "apiVersion: apiextensions.k8s.io/" + apiVersion + `
kind: CustomResourceDefinition
metadata: {name: tests.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Test, plural: tests}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {a: ` + storage + `}` + mark + `}}}}}
  - {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {a: {type: object` + mark + `}}` + mark + `}}}}}
`
		}
		mark := ", x-kubernetes-preserve-unknown-fields: true"
		before := served(t, versions("v1beta1", "", "{type: string}"))
		after := served(t, versions("v1", mark, "{type: string}"))
		refused := `rejected: spec.a: type`
		shows(t, before, after, "v2", "{a: {b: c}, d: {e: f}}", `{"a":{"b":"c"},"d":{"e":"f"}}`, `{"a":{},"d":{"e":"f"}}`)
		shows(t, before, after, "v1", "{a: {b: c}}", refused, refused)
	})
}

// shows compares what becomes of a spec, and that Check calls it what it is.
func shows(t *testing.T, before, after *request.Server, version, spec, wantBefore, wantAfter string) {
	t.Helper()
	if got := created(t, before, version, spec); got != wantBefore {
		t.Errorf("%s before: got %s, want %s", spec, got, wantBefore)
	}
	if got := created(t, after, version, spec); got != wantAfter {
		t.Errorf("%s after: got %s, want %s", spec, got, wantAfter)
	}
	var r Report
	c := checker{old: before, new: after, version: version, report: &r}
	_, same := c.compare(Sample{About: spec, Object: resource(t, version, "spec: "+spec)})
	if same != (wantBefore == wantAfter || strings.HasPrefix(wantBefore, "rejected") && strings.HasPrefix(wantAfter, "rejected")) {
		t.Errorf("%s: the same: %v", spec, same)
	}
	if len(r.Failures) > 0 {
		t.Errorf("%s: no named difference explains it:\n%s", spec, r.Failures[0])
	}
}

// A conversion that breaks its promise in one place must be noticed, whatever the place.
func TestCheckNoticesChanges(t *testing.T) {
	const before = `{properties: {spec: {type: object, properties: {
		free: {type: object}, any: {required: [a]}, port: {anyOf: [{type: integer}, {type: string}]}, list: {type: array},
		map: {type: object, additionalProperties: {type: object, properties: {a: {type: integer}}}},
		size: {type: integer, maximum: 5}, name: {type: string, pattern: "^[a-z]+$"}}}}}`
	const keep = "x-kubernetes-preserve-unknown-fields: true"
	const after = `{type: object, ` + keep + `, properties: {spec: {type: object, ` + keep + `, properties: {
		free: {type: object, ` + keep + `}, any: {required: [a], ` + keep + `, nullable: true}, port: {x-kubernetes-int-or-string: true, nullable: true},
		list: {type: array, items: {` + keep + `}},
		map: {type: object, additionalProperties: {type: object, ` + keep + `, properties: {a: {type: integer}}}},
		size: {type: integer, maximum: 5}, name: {type: string, pattern: "^[a-z]+$"}}}}}`
	old := serve(t, "v1beta1", before)
	good := Check(old, serve(t, "v1", after), Exact(), 1)
	if len(good.Failures) > 0 {
		t.Fatalf("a good conversion fails:\n%s", good.Failures[0])
	}
	if good.Marks != 6 || good.Seen != 6 || good.Reached != good.Nodes {
		t.Errorf("%d marks, %d seen (not %v); %d of %d nodes reached", good.Marks, good.Seen, good.Unseen, good.Reached, good.Nodes)
	}
	for about, change := range map[string][2]string{
		"the root not marked":           {"{type: object, " + keep + ", properties: {spec", "{type: object, properties: {spec"},
		"free-form data not marked":     {"free: {type: object, " + keep + "}", "free: {type: object}"},
		"a type inferred":               {"any: {required: [a], " + keep + ", nullable: true}", "any: {type: object, " + keep + ", required: [a]}"},
		"no null without a type":        {"any: {required: [a], " + keep + ", nullable: true}", "any: {required: [a], " + keep + "}"},
		"no null for integer or string": {"x-kubernetes-int-or-string: true, nullable: true", "x-kubernetes-int-or-string: true"},
		"a text only":                   {"x-kubernetes-int-or-string: true, nullable: true", "type: string"},
		"items not marked":              {"items: {" + keep + "}", "items: {type: object}"},
		"maps of unmarked objects":      {"additionalProperties: {type: object, " + keep + ",", "additionalProperties: {type: object,"},
		"additionalProperties: true":    {"free: {type: object, " + keep + "}", "free: {type: object, additionalProperties: true}"},
		"a constraint dropped":          {"maximum: 5", "minimum: -2000000"},
		"a constraint tightened":        {"maximum: 5", "maximum: 5, multipleOf: 2"},
		"a pattern dropped":             {`, pattern: "^[a-z]+$"`, ""},
		"null for a type":               {"size: {type: integer", "size: {nullable: true, type: integer"},
		"a property forgotten":          {"size: {type: integer, maximum: 5}, ", ""},
		"a default":                     {"maximum: 5", "maximum: 5, default: 3"},
		"required":                      {"spec: {type: object,", "spec: {type: object, required: [size],"},
	} {
		t.Run(about, func(t *testing.T) {
			changed := strings.Replace(after, change[0], change[1], 1)
			if changed == after {
				t.Fatalf("nothing to change: %s", change[0])
			}
			if r := Check(old, serve(t, "v1", changed), Exact(), 1); len(r.Failures) == 0 {
				t.Error("was not noticed")
			}
		})
	}
}

func TestPromises(t *testing.T) {
	before := serve(t, "v1beta1", `{properties: {spec: {type: object, properties: {free: {type: object}, a: {type: object, properties: {b: {minimum: 1}}}}}}}`)
	const keep = "x-kubernetes-preserve-unknown-fields: true"
	const pruned = `{type: object, properties: {spec: {type: object, properties: {free: {type: object, ` + keep + `},
		a: {type: object, properties: {b: {` + keep + `, nullable: true, minimum: 1}}}}}}}`
	root := strings.Replace(pruned, "{type: object, properties: {spec", "{type: object, "+keep+", properties: {spec", 1)
	inferred := strings.Replace(pruned, "b: {"+keep+", nullable: true,", "b: {type: integer,", 1)
	lossy := strings.Replace(pruned, "free: {type: object, "+keep+"}", "free: {type: object}", 1)
	for _, test := range []struct {
		about, after string
		promise      Promise
		kept         bool
	}{
		{"pruning is not exact", pruned, Exact(), false},
		{"pruning prunes", pruned, Pruned(false), true},
		{"pruning does not keep the root", pruned, Pruned(true), false},
		{"root keeps the root", root, Pruned(true), true},
		{"root does not prune there", root, Pruned(false), false},
		{"free-form data must stay", lossy, Pruned(false), false},
		{"inferring a type prunes nothing", inferred, Inferred(), false},
		{"inferring a type is more than pruning", inferred, Pruned(false), false},
		{"both", inferred, Both(Pruned(false), Inferred()), true},
		{"both, free-form data must stay", strings.Replace(inferred, "free: {type: object, "+keep+"}", "free: {type: object}", 1), Both(Pruned(false), Inferred()), false},
		{"both, constraints stay", strings.Replace(inferred, "minimum: 1", "minimum: 2", 1), Both(Pruned(false), Inferred()), false},
	} {
		t.Run(test.about, func(t *testing.T) {
			r := Check(before, serve(t, "v1", test.after), test.promise, 1)
			if kept := len(r.Failures) == 0; kept != test.kept {
				t.Errorf("kept: %v, want %v\n%s", kept, test.kept, strings.Join(r.Failures, "\n"))
			}
		})
	}
}

// The same seed makes the same objects, and another one others.
func TestGeneratorIsDeterministic(t *testing.T) {
	server := serve(t, "v1beta1", `{properties: {spec: {type: object, properties: {a: {type: array, items: {type: object, properties: {b: {type: string, enum: [c, d, e]}}}},
		f: {oneOf: [{required: [x]}, {required: [z]}], type: object}}}}}`)
	objects := func(seed uint64) (all []Sample) {
		g := NewGenerator(server, "v1", seed)
		for _, node := range g.Nodes() {
			samples, _ := g.Node(node)
			all = append(all, samples...)
		}
		return append(all, g.Whole(20)...)
	}
	if !reflect.DeepEqual(objects(1), objects(1)) {
		t.Error("the same seed makes different objects")
	}
	if reflect.DeepEqual(objects(1), objects(2)) {
		t.Error("another seed makes the same objects")
	}
}
