package rules

import (
	"strings"
	"testing"

	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/testing/behaviour"
	"github.com/crdlift/crdlift/internal/upgrade"
)

// TestLasting compares what is said of a change with what becomes of an object that has what the change rejects: "even to
// remove a finalizer" is said if the server rejects every write of it.
func TestLasting(t *testing.T) {
	t.Parallel()
	const (
		free    = "x-kubernetes-preserve-unknown-fields: true"
		ab      = "properties: {a: {type: string}, b: {type: string}}"
		rule    = "x-kubernetes-validations: [{rule: '!has(self.a)'}]"
		mapList = "type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a]"
		scale   = "subresources: {scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.size}}"
		rootAny = "anyOf: [{properties: {spec: {required: [b]}}}, "
	)
	spec := func(schema string) string { return "properties: {spec: {" + schema + "}}" }
	for _, tt := range []struct {
		about, old, new, object string
		lasting                 bool
	}{
		{"1a: a rule at the root", spec("type: object, " + ab), "x-kubernetes-validations: [{rule: '!has(self.spec.a)'}], " + spec("type: object, "+ab), "spec: {a: x}", true},
		{"1b: required at the root", spec("type: object, " + ab), "required: [spec], " + spec("type: object, "+ab), "", true},
		{"1b: minProperties at the root", spec("type: object, " + ab), "minProperties: 4, " + spec("type: object, "+ab), "", true},
		{"2a: a bound of what keeps undeclared fields", spec("type: object, " + free), spec("type: object, maxProperties: 1, " + free), "spec: {x: 1, y: 1}", true},
		{"2a: required beside a template", spec("type: object, properties: {a: {type: string}, t: {type: object, " + free + "}}"),
			spec("type: object, required: [a], properties: {a: {type: string}, t: {type: object, " + free + "}}"), "spec: {t: {x: 1}}", true},
		{"2a: required beside an embedded resource", spec("type: object, properties: {a: {type: string}, t: {type: object, x-kubernetes-embedded-resource: true, " + ab + "}}"),
			spec("type: object, required: [a], properties: {a: {type: string}, t: {type: object, x-kubernetes-embedded-resource: true, " + ab + "}}"),
			"spec: {t: {apiVersion: v1, kind: X}}", true},
		{"2a: beside items of a map that keep undeclared fields", spec("type: object, properties: {a: {type: string}, t: {" + mapList + ", items: {type: object, required: [a], " + free + ", " + ab + "}}}"),
			spec("type: object, required: [a], properties: {a: {type: string}, t: {" + mapList + ", items: {type: object, required: [a], " + free + ", " + ab + "}}}"),
			"spec: {t: [{a: x, y: 1}]}", true},
		{"not beside items of an atomic list", spec("type: object, properties: {a: {type: string}, t: {type: array, items: {type: object, " + free + "}}}"),
			spec("type: object, required: [a], properties: {a: {type: string}, t: {type: array, items: {type: object, " + free + "}}}"), "spec: {t: [{x: 1}]}", false},
		{"not in an atomic list", spec("type: object, properties: {t: {type: array, items: {type: object, " + free + "}}}"),
			spec("type: object, properties: {t: {type: array, items: {type: object, maxProperties: 1, " + free + "}}}"), "spec: {t: [{x: 1, y: 1}]}", false},
		{"not beside a map with a schema", spec("type: object, properties: {a: {type: string}, t: {type: object, additionalProperties: {type: string}}}"),
			spec("type: object, required: [a], properties: {a: {type: string}, t: {type: object, additionalProperties: {type: string}}}"), "spec: {t: {x: y}}", false},
		{"not below what keeps undeclared fields", spec("type: object, " + free + ", " + ab),
			spec("type: object, " + free + ", properties: {a: {type: string, maxLength: 1}, b: {type: string}}"), "spec: {a: xyz, y: 1}", false},
		{"2b: a rule beside undeclared fields", spec("type: object, " + free + ", " + ab), spec("type: object, " + free + ", " + rule + ", " + ab), "spec: {a: x, y: 1}", true},
		{"3: an embedded resource", spec("type: object, " + free), spec("type: object, x-kubernetes-embedded-resource: true, " + free), "spec: {x: 1}", true},
		{"not the root as an embedded resource", spec("type: object, properties: {a: {type: string}}"),
			"x-kubernetes-embedded-resource: true, " + spec("type: object, properties: {a: {type: string, maxLength: 1}}"), "spec: {a: xyz}", false},
		{"4: scale", spec("type: object, properties: {size: {type: integer}}"), spec("type: object, properties: {size: {type: integer}}") + "}}, " + scale, "spec: {size: -1}", true},
		{"5: a rule that fails", spec("type: object, " + ab), spec("type: object, x-kubernetes-validations: [{rule: self.a != self.b}], " + ab), "spec: {a: x}", true},
		{"6: required in spec", spec("type: object, " + ab), spec("type: object, required: [a], " + ab), "spec: {b: x}", false},
		{"7: a bound of a property", spec("type: object, " + ab), spec("type: object, properties: {a: {type: string, maxLength: 1}, b: {type: string}}"), "spec: {a: xyz}", false},
		{"8: an item of a map", spec("type: object, properties: {t: {" + mapList + ", items: {type: object, required: [a], " + ab + "}}}"),
			spec("type: object, properties: {t: {" + mapList + ", items: {type: object, required: [a, b], " + ab + "}}}"), "spec: {t: [{a: x}]}", false},
		{"9: an item of an atomic list", spec("type: object, properties: {t: {type: array, items: {type: object, " + ab + "}}}"),
			spec("type: object, properties: {t: {type: array, items: {type: object, required: [b], " + ab + "}}}"), "spec: {t: [{a: x}]}", false},
		{"10: anyOf in spec", spec("type: object, " + ab), spec("type: object, anyOf: [{required: [a]}, {required: [b]}], " + ab), "spec: {}", false},
		{"10: anyOf at the root", spec("type: object, " + ab), "anyOf: [{required: [spec]}, {minProperties: 9}], " + spec("type: object, "+ab), "", true},
		{"10: anyOf at the root about spec", spec("type: object, " + ab), rootAny + "{properties: {spec: {required: [a]}}}], " + spec("type: object, "+ab), "spec: {}", true},
		{"10: allOf at the root about spec", spec("type: object, " + ab), "allOf: [{properties: {spec: {required: [b]}}}], " + spec("type: object, "+ab), "spec: {}", true},
		{"10: oneOf at the root about spec", spec("type: object, " + ab), "oneOf: [{properties: {spec: {required: [b]}}}], " + spec("type: object, "+ab), "spec: {}", true},
		{"10: not at the root", spec("type: object, " + ab), "not: {required: [spec]}, " + spec("type: object, "+ab), "spec: {}", true},
		{"11: a rule in spec", spec("type: object, " + ab), spec("type: object, " + rule + ", " + ab), "spec: {a: x}", false},
		{"12: required in status", "properties: {status: {type: object, " + ab + "}}", "properties: {status: {type: object, required: [a], " + ab + "}}", "status: {b: x}", false},
	} {
		t.Run(tt.about, func(t *testing.T) {
			t.Parallel()
			old, new := lastingCRD(tt.old), lastingCRD(tt.new)
			prospect := upgrade.New(lastingServer(t, old), lastingServer(t, new), nil).Of(lastingObject(t, tt.object))
			if prospect.Err != nil || len(prospect.Effects) == 0 {
				t.Fatalf("nothing becomes of the object, %v", prospect.Err)
			}
			l := everyRule()
			l.Old = oldSide("old.yaml", old)
			said := ""
			for _, f := range l.File("crd.yaml", new).Findings {
				if f.Rule.NeedsOld {
					said += f.Message + "\n"
				}
			}
			if got := strings.Contains(said, ", even to remove finalizers"); said == "" || got != tt.lasting {
				t.Errorf("said %v, want %v:\n%s", got, tt.lasting, said)
			}
			if refused := prospect.Worst() == upgrade.RefusedAlways; refused != tt.lasting {
				t.Errorf("every write is rejected: %v, want %v", refused, tt.lasting)
			}
		})
	}
}

func lastingCRD(schema string) []byte {
	return []byte(`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: foos.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: foos, kind: Foo}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, ` + versionOf(schema) + `}]
`)
}

// versionOf ends a schema, unless members of the version follow it.
func versionOf(schema string) string {
	if strings.HasSuffix(schema, "statusReplicasPath: .status.size}}") {
		return schema
	}
	return schema + "}}"
}

func lastingServer(t *testing.T, src []byte) *request.Server {
	t.Helper()
	hubs, _, err := behaviour.Decode(src)
	if err != nil || len(hubs) != 1 {
		t.Fatal(len(hubs), err)
	}
	s, err := request.New(hubs[0])
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func lastingObject(t *testing.T, members string) request.Object {
	t.Helper()
	raw, err := yaml.YAMLToJSON([]byte("{apiVersion: example.com/v1, kind: Foo, metadata: {name: x, namespace: y}, " + members + "}"))
	if err != nil {
		t.Fatal(err)
	}
	var o request.Object
	if err := utiljson.Unmarshal(raw, &o); err != nil {
		t.Fatal(err)
	}
	return o
}
