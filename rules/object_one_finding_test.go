package rules

import (
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/objectpass"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/lint"
)

const boatCRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boats.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {plural: boats, kind: Boat}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}, scale: {specReplicasPath: .spec.crew, statusReplicasPath: .status.crew}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [sail]
            properties:
              sail: {type: string, enum: [jib, lug], maxLength: 3}
              crew: {type: integer}
              oars: {type: array, items: {type: object, properties: {length: {type: integer}}}}
              flag: {type: string, pattern: '^[a-z]*$'}
              engine:
                type: object
                properties: {diesel: {type: string}, electric: {type: string}}
                oneOf: [{required: [diesel]}, {required: [electric]}]
              cabin:
                type: object
                properties: {berths: {type: integer, default: 2}}
              cargo: {x-kubernetes-preserve-unknown-fields: true}
          status:
            type: object
            properties: {crew: {type: integer}, port: {type: string}}
`

const boat = `apiVersion: example.com/v1
kind: Boat
metadata:
  name: gull
spec:
  sail: jib
  crew: 2
  flag: red
  engine: {diesel: big}
`

// TestOneMistakeOneFindingInObjects makes one mistake at a time in a custom resource, and wants one finding, although the API
// server often says more.
func TestOneMistakeOneFindingInObjects(t *testing.T) {
	t.Parallel()
	judge := &objectpass.Objects{Catalogue: &objects.Catalogue{}}
	judge.Catalogue.Add(objects.Definitions("crd.yaml", "crd.yaml", []byte(boatCRD), true)...)
	l := &engine.Linter{Rules: allRules, Kind: judge, Options: lint.Options{Config: &lint.Config{Preset: lint.All}}}
	for _, test := range []struct{ story, old, new, rules string }{
		{"none", "", "", ""},
		{"a name that is required is misspelt", "sail: jib", "sial: jib", "object-unknown-field"},
		{"what is in an undeclared field", "crew: 2", "hull: {length: 9, keel: {depth: 2}}", "object-unknown-field"},
		{"a required null", "sail: jib", "sail: null", "object-required"},
		{"a word that is no string for kubectl, and not in the enum", "sail: jib", "sail: on", "object-ambiguous-scalar"},
		{"a value of a wrong type, which is not in the enum either", "sail: jib", "sail: 3", "object-type"},
		{"a value that is not in the enum, and too long", "sail: jib", "sail: genoa", "object-enum"},
		{"a number of replicas of a wrong type", "crew: 2", "crew: two", "object-type"},
		{"a negative number of replicas", "crew: 2", "crew: -2", "object-scale"},
		{"an object where a list should be", "crew: 2", "oars: {left: {length: 2}, right: {length: 2}}", "object-type"},
		{"no alternative fits", "{diesel: big}", "{}", "object-constraint"},
		{"two alternatives fit", "{diesel: big}", "{diesel: big, electric: small}", "object-constraint"},
		{"an alternative that is misspelt", "{diesel: big}", "{deisel: big}", "object-unknown-field"},
		{"a status with fields that are not declared, and a null", "diesel: big}", "diesel: big}\nstatus:\n  harbour: Kiel\n  port: null\n  quay: 4", "object-status-dropped"},
		{"a namespace where there is none", "name: gull", "name: gull\n  namespace: sea", "object-metadata-invalid"},
		{"a label that is no string", "name: gull", "name: gull\n  labels: {crew: 2}", "object-metadata-invalid"},
		{"a label that kubectl takes for a boolean", "name: gull", "name: gull\n  labels: {crew: yes}", "object-ambiguous-scalar"},
		{"an object that is null, and has defaults", "crew: 2", "cabin:", "object-null-dropped"},
		{"a key that is there twice, once with a mistake", "crew: 2", "crew: two\n  crew: 2", "object-duplicate-key"},
	} {
		text := strings.Replace(boat, test.old, test.new, 1)
		var told []string
		for _, f := range l.File("boat.yaml", []byte(text)).Findings {
			told = append(told, f.Rule.ID)
		}
		if got := strings.Join(told, " "); got != test.rules {
			t.Errorf("%s: got %q, want %q\n%s", test.story, got, test.rules, text)
		}
	}
}
