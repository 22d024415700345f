package upgrade_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/testing/behaviour"
	"github.com/crdlift/crdlift/internal/upgrade"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"
)

// serve makes a server for a CRD with versions in flow style.
func serve(t testing.TB, versions string, more ...string) *request.Server {
	t.Helper()
	crds, _, err := behaviour.Decode([]byte(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: tests.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Test, plural: tests}
  versions: [` + versions + "]\n" + strings.Join(more, "")))
	if err != nil || len(crds) != 1 {
		t.Fatalf("%d CRDs: %v", len(crds), err)
	}
	server, err := request.New(crds[0])
	if err != nil {
		t.Fatal(err)
	}
	return server
}

// object makes a custom resource of a version and members in flow style.
func object(t testing.TB, version, members string) request.Object {
	t.Helper()
	raw, err := yaml.YAMLToJSON([]byte("{apiVersion: example.com/" + version + ", kind: Test, metadata: {name: test, namespace: a}, " + members + "}"))
	if err != nil {
		t.Fatal(err)
	}
	return decode(t, raw)
}

// decode reads an object as a server does.
func decode(t testing.TB, raw []byte) (o request.Object) {
	t.Helper()
	if err := utiljson.Unmarshal(raw, &o); err != nil {
		t.Fatal(err)
	}
	return o
}

var classes = map[upgrade.Class]string{
	upgrade.RefusedAlways: "always", upgrade.RefusedStatus: "status", upgrade.Unreadable: "unreadable", upgrade.RefusedWhenChanged: "changed",
	upgrade.FieldLost: "lost", upgrade.RefusedOnCreate: "create", upgrade.DefaultChanged: "default", upgrade.Converted: "converted",
}

// told are effects in words: "changed spec: spec.a required".
func told(p *upgrade.Prospect) (all []string) {
	for _, e := range p.Effects {
		words := []string{classes[e.Class]}
		if e.Status {
			words = append(words, "and status")
		}
		if e.Class == upgrade.RefusedWhenChanged || e.Class == upgrade.RefusedStatus && e.Scope != nil {
			words = append(words, e.Scope.String()+":")
		}
		switch {
		case e.Cause != nil:
			words = append(words, strings.TrimSpace(e.Cause.Path.String()+" "+e.Cause.Keyword))
		case e.Class == upgrade.FieldLost && e.Hidden:
			words = append(words, e.Path.String())
		case e.Class == upgrade.FieldLost && e.Unstored:
			words = append(words, e.Path.String(), "unstored")
		case e.Class == upgrade.FieldLost:
			words = append(words, e.Path.String(), "written at", e.Version)
		case e.Class == upgrade.Unreadable || e.Class == upgrade.Converted || e.Class == upgrade.RefusedOnCreate:
			words = append(words, e.Version)
		default:
			words = append(words, e.Path.String())
		}
		all = append(all, strings.Join(words, " "))
	}
	return all
}

// version is a version of a CRD: its schema has the members that are given in flow style.
func version(name, members, more string) string {
	return "{name: " + name + ", served: true, storage: true, schema: {openAPIV3Schema: {type: object, " + members + "}}" + more + "}"
}

const (
	status  = ", subresources: {status: {}}"
	anySpec = "properties: {spec: {type: object, x-kubernetes-preserve-unknown-fields: true}, status: {type: object, x-kubernetes-preserve-unknown-fields: true}}"
)

// What an object comes to break decides which of its writes are rejected. Each row was seen on a real server; test/e2e repeats
// them there.
func TestRefused(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		about, was, is, more, object string
		want                         []string
	}{
		{"nothing", anySpec, anySpec, status, "spec: {a: 1}", nil},
		{"a rule at the root", anySpec, "x-kubernetes-validations: [{rule: 'has(self.spec.b)'}], properties: {spec: {type: object, properties: {a: {type: integer}, b: {type: integer}}}, status: {type: object}}",
			status, "spec: {a: 1}", []string{"always and status x-kubernetes-validations"}},
		{"the schema at the root", anySpec, "required: [spec], " + anySpec, status, "status: {a: 1}", []string{"always spec required"}},
		{"required beside a preserved node", anySpec, "properties: {spec: {type: object, required: [b], properties: {b: {type: integer}, t: {type: object, x-kubernetes-preserve-unknown-fields: true}}}, status: {type: object}}",
			status, "spec: {t: {a: 1}}", []string{"always spec.b required"}},
		{"required beside an empty preserved node", anySpec, "properties: {spec: {type: object, required: [b], properties: {b: {type: integer}, t: {type: object, x-kubernetes-preserve-unknown-fields: true}}}, status: {type: object}}",
			status, "spec: {t: {}}", []string{"changed spec: spec.b required"}},
		{"required beside preserved nodes in an atomic list", anySpec,
			"properties: {spec: {type: object, required: [b], properties: {b: {type: integer}, t: {type: array, items: {type: object, x-kubernetes-preserve-unknown-fields: true}}}}}",
			status, "spec: {t: [{a: 1}]}", []string{"changed spec: spec.b required"}},
		{"a rule at a preserved node", anySpec, "properties: {spec: {type: object, x-kubernetes-preserve-unknown-fields: true, x-kubernetes-validations: [{rule: 'has(self.b)'}], properties: {b: {type: integer}}}}",
			status, "spec: {a: 1}", []string{"always and status spec x-kubernetes-validations"}},
		{"an embedded resource", anySpec, "properties: {spec: {type: object, properties: {t: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}}}}",
			status, "spec: {t: {a: 1}}", []string{"always spec.t.apiVersion x-kubernetes-embedded-resource", "always spec.t.kind x-kubernetes-embedded-resource"}},
		{"the replicas", anySpec, anySpec, ", subresources: {status: {}, scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.size}}",
			"spec: {size: -1}", []string{"always spec.size minimum"}},
		{"the replicas of the status", anySpec, anySpec, ", subresources: {status: {}, scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.size}}",
			"status: {size: -1}", []string{"always and status status.size minimum"}},
		{"a rule at run time", anySpec, "properties: {spec: {type: object, x-kubernetes-validations: [{rule: self.b > 1}], properties: {a: {type: integer}, b: {type: integer}}}}",
			status, "spec: {a: 1}", []string{"always and status spec x-kubernetes-validations"}},
		{"required in spec", anySpec, "properties: {spec: {type: object, required: [b], properties: {a: {type: integer}, b: {type: integer}}}}",
			status, "spec: {a: 1}", []string{"changed spec: spec.b required"}},
		{"a bound", anySpec, "properties: {spec: {type: object, properties: {a: {type: integer, maximum: 3}}}}", status, "spec: {a: 4}", []string{"changed spec.a: spec.a maximum"}},
		{"a bound, by a large number", anySpec, "properties: {spec: {type: object, properties: {a: {type: number, maximum: 3}}}}", status, "spec: {a: 1.0e+20}", []string{"changed spec.a: spec.a maximum"}},
		{"a bound that was excused for the item, and is for the list now",
			"properties: {spec: {type: object, properties: {l: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: object, required: [k], properties: {k: {type: string}, v: {type: integer, maximum: 3}}}}}}}",
			"properties: {spec: {type: object, properties: {l: {type: array, items: {type: object, required: [k], properties: {k: {type: string}, v: {type: integer, maximum: 3}}}}}}}",
			status, "spec: {l: [{k: a, v: 4}]}", []string{"changed spec.l: spec.l[0].v maximum"}},
		{"a bound that was excused for the list, and is for the item now",
			"properties: {spec: {type: object, properties: {l: {type: array, items: {type: object, required: [k], properties: {k: {type: string}, v: {type: integer, maximum: 3}}}}}}}",
			"properties: {spec: {type: object, properties: {l: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: object, required: [k], properties: {k: {type: string}, v: {type: integer, maximum: 3}}}}}}}",
			status, "spec: {l: [{k: a, v: 4}]}", nil},
		{"a bound and a rule, which is not run then", anySpec, "properties: {spec: {type: object, properties: {a: {type: string, enum: [x]}, b: {type: integer, x-kubernetes-validations: [{rule: self > 9}]}}}}",
			status, "spec: {a: b, b: 5}", []string{"changed spec.a: spec.a enum", "changed spec.b: spec.b x-kubernetes-validations"}},
		{"an item of a map list", anySpec, "properties: {spec: {type: object, properties: {l: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: object, required: [k], properties: {k: {type: string}, v: {type: integer, maximum: 3}}}}}}}",
			status, "spec: {l: [{k: a, v: 4}, {k: b, v: 1}]}", []string{"changed spec.l[0].v: spec.l[0].v maximum"}},
		{"an item of an atomic list", anySpec, "properties: {spec: {type: object, properties: {l: {type: array, items: {type: object, properties: {v: {type: integer, maximum: 3}}}}}}}",
			status, "spec: {l: [{v: 4}]}", []string{"changed spec.l: spec.l[0].v maximum"}},
		{"many values, at several depths", anySpec,
			"properties: {spec: {type: object, properties: {m: {type: object, additionalProperties: {type: integer, maximum: 3}}, l: {type: array, items: {type: object, properties: {v: {type: integer, maximum: 3}}}}, r: {type: object, additionalProperties: {type: integer, x-kubernetes-validations: [{rule: self > 9}]}}}}}",
			status, "spec: {m: {a: 4, b: 5, c: 1}, l: [{v: 4}, {v: 5}], r: {a: 1, b: 2, c: 10}}",
			[]string{"changed spec.l: spec.l[0].v maximum", "changed spec.l: spec.l[1].v maximum", "changed spec.m.a: spec.m.a maximum", "changed spec.m.b: spec.m.b maximum",
				"changed spec.r.a: spec.r.a x-kubernetes-validations", "changed spec.r.b: spec.r.b x-kubernetes-validations"}},
		{"an item of a set", anySpec, "properties: {spec: {type: object, properties: {l: {type: array, x-kubernetes-list-type: set, items: {type: string, maxLength: 2}}}}}",
			status, "spec: {l: [a, long]}", []string{"changed spec.l: spec.l[1] maxLength"}},
		{"anyOf", anySpec, "properties: {spec: {type: object, anyOf: [{required: [b]}, {required: [c]}], properties: {a: {type: integer}, b: {type: integer}, c: {type: integer}}}}",
			status, "spec: {a: 1}", []string{"changed spec: spec anyOf", "changed spec: spec.b required"}},
		{"a rule at spec", anySpec, "properties: {spec: {type: object, x-kubernetes-validations: [{rule: has(self.b)}], properties: {a: {type: integer}, b: {type: integer}}}}",
			status, "spec: {a: 1}", []string{"changed spec: spec x-kubernetes-validations"}},
		{"a field of the status", anySpec, "properties: {status: {type: object, required: [b], properties: {a: {type: integer}, b: {type: integer}}}}",
			status, "status: {a: 1}", []string{"status status: status.b required"}},
		{"a rule in the status", anySpec, "properties: {status: {type: object, properties: {a: {type: integer, x-kubernetes-validations: [{rule: self > 1}]}}}}",
			status, "status: {a: 1}", []string{"changed status.a: status.a x-kubernetes-validations"}},
		{"a status that is no subresource", anySpec, "properties: {status: {type: object, required: [b], properties: {a: {type: integer}, b: {type: integer}}}}",
			"", "status: {a: 1}", []string{"status status: status.b required"}},
		{"the type of a list", anySpec, "properties: {spec: {type: object, properties: {l: {type: array, x-kubernetes-list-type: set, items: {type: string}}}}}",
			status, "spec: {l: [a, a]}", []string{"create spec.l[1] x-kubernetes-list-type"}},
		{"a rule that compares with itself", anySpec, "properties: {spec: {type: object, properties: {a: {type: integer, x-kubernetes-validations: [{rule: self > oldSelf}]}}}}",
			status, "spec: {a: 1}", []string{"always and status spec.a x-kubernetes-validations"}},
		{"what the old CRD rejects as well", "properties: {spec: {type: object, properties: {a: {type: integer, maximum: 3}}}}", "properties: {spec: {type: object, properties: {a: {type: integer, maximum: 3, minimum: 1}}}}",
			status, "spec: {a: 4}", nil},
		{"what was excused and is not any more", "properties: {spec: {type: object, required: [b], properties: {a: {type: integer}, b: {type: integer}}}}",
			"properties: {spec: {type: object, required: [b], x-kubernetes-preserve-unknown-fields: true, properties: {b: {type: integer}}}}",
			status, "spec: {a: 1}", []string{"always spec.b required"}},
	} {
		t.Run(test.about, func(t *testing.T) {
			t.Parallel()
			was, is := version("v1", test.was, status), version("v1", test.is, test.more)
			o := object(t, "v1", test.object)
			kept := runtime.DeepCopyJSON(o)
			got := upgrade.New(serve(t, was), serve(t, is), nil).Of(o)
			if got.Err != nil {
				t.Fatal(got.Err)
			}
			if all := told(got); !slices.Equal(all, test.want) {
				t.Errorf("effects are\n%s\nwant\n%s", strings.Join(all, "\n"), strings.Join(test.want, "\n"))
			}
			if !reflect.DeepEqual(o, kept) {
				t.Errorf("the object changed")
			}
		})
	}
}
