package suite_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/suite"
)

// jars is a CRD whose suites are written as those of openshift/api.
const jars = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: jars.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {kind: Jar, plural: jars}
  versions:
  - name: v1alpha1
    served: true
    storage: false
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
  - name: v1
    served: false
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            x-kubernetes-validations:
            - {rule: "!has(self.lid) || self.size > 1", message: "a lid needs a size"}
            properties:
              size: {type: integer, maximum: 9, default: 1}
              lid: {type: string, maxLength: 3}
              label:
                type: object
                x-kubernetes-validations: [{rule: "self.text != 'bad'", message: be polite}]
                properties: {text: {type: string, default: good}}
          status:
            type: object
            properties: {full: {type: integer, maximum: 5}}
`

// readOpenShift reads a suite of the tests given.
func readOpenShift(t *testing.T, tests string) *suite.Suite {
	t.Helper()
	file := manifest.Parse("api/v1/tests/jars.example.com/Any.yaml", []byte("crdName: jars.example.com\nversion: v1\ntests:\n"+tests))
	s := suite.ReadOpenShift(file.Documents[0])
	if s == nil {
		t.Fatal("this is no suite")
	}
	return s
}

// becomes is what becomes of each case, in a line.
func becomes(s *suite.Suite) (all []string) {
	wrong := false
	for _, p := range s.Wrong {
		all, wrong = append(all, p.Message), wrong || !p.Unknown
	}
	if wrong {
		return all
	}
	crd := objects.Definitions("jars.yaml", "jars.yaml", []byte(jars), true)[0]
	r := &suite.Runner{Find: func(*suite.Suite, string, string) (*objects.Definition, string) { return crd, "" }}
	for _, result := range r.Run(s, nil) {
		said := result.Case.Name + ": passed"
		for _, f := range result.Failures {
			said = fmt.Sprintf("%s: %s %s", result.Case.Name, f.Kind, f.Path)
		}
		all = append(all, strings.TrimSpace(said))
	}
	return all
}

// jar is a Jar as text in a suite.
func jar(members string) string {
	return "'" + strings.ReplaceAll("{apiVersion: example.com/v1, kind: Jar, "+members+"}", "'", "''") + "'"
}

func TestOpenShift(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ about, tests, want string }{
		{"a default", "  onCreate: [{name: a, initial: " + jar("spec: {}") + ", expected: " + jar("spec: {size: 1}") + "}]", "onCreate/a: passed"},
		{"another value is stored", "  onCreate: [{name: a, initial: " + jar("spec: {}") + ", expected: " + jar("spec: {size: 2}") + "}]", "onCreate/a: test-stored spec.size"},
		{"a label is stored", "  onCreate: [{name: a, initial: " + jar("metadata: {labels: {a: b}}") + ", expected: " + jar("metadata: {labels: {a: c}}") + "}]", "onCreate/a: test-stored metadata.labels[a]"},
		{"the server's metadata does not count", "  onCreate: [{name: a, initial: " + jar("metadata: {name: x, uid: a}") + ", expected: " + jar("metadata: {name: z, generation: 7}") + "}]", "onCreate/a: passed"},
		{"an unknown field is dropped", "  onCreate: [{name: a, initial: " + jar("spec: {cap: 1}") + ", expected: " + jar("spec: {size: 1}") + "}]", "onCreate/a: passed"},
		{"a text of an older release", "  onCreate: [{name: a, initial: " + jar("spec: {lid: a}") + `, expectedError: 'spec: Invalid value: "object": a lid needs a size'}]`, "onCreate/a: passed"},
		{"the name in the text", "  onCreate: [{name: a, initial: " + jar("metadata: {name: x}, spec: {lid: a}") + `, expectedError: 'Jar.example.com "x" is invalid: spec: Invalid value: "object": a lid needs a size'}]`, "onCreate/a: passed"},
		{"another name in the text", "  onCreate: [{name: a, initial: " + jar("metadata: {name: x}, spec: {lid: a}") + `, expectedError: 'Jar.example.com "b" is invalid: spec: Invalid value: "object": a lid needs a size'}]`, "onCreate/a: test-cause"},
		{"another text", "  onCreate: [{name: a, initial: " + jar("spec: {lid: a}") + `, expectedError: 'a lid needs a jar'}]`, "onCreate/a: test-cause"},
		{"one of two causes", "  onCreate: [{name: a, initial: " + jar("spec: {lid: a, label: {text: bad}}") + ", expectedError: be polite}]", "onCreate/a: passed"},
		{"both causes in the other order", "  onCreate: [{name: a, initial: " + jar("spec: {lid: a, label: {text: bad}}") + `, expectedError: '[spec.label: Invalid value: "object": be polite, spec: Invalid value: "object": a lid needs a size]'}]`, "onCreate/a: passed"},
		{"a cause that is not there", "  onCreate: [{name: a, initial: " + jar("spec: {lid: a}") + `, expectedError: '[spec.label: Invalid value: "object": be polite, spec: Invalid value: "object": a lid needs a size]'}]`, "onCreate/a: test-cause"},
		{"accepted", "  onCreate: [{name: a, initial: " + jar("spec: {}") + ", expectedError: be polite}]", "onCreate/a: test-accepted"},
		{"nothing is expected", "  onCreate: [{name: a, initial: " + jar("spec: {}") + "}]", "the case expects nothing; add expected (the stored object) or expectedError (a part of the error)"},

		{"an update", "  onUpdate: [{name: a, initial: " + jar("spec: {size: 2}") + ", updated: " + jar("spec: {size: 3}") + ", expected: " + jar("spec: {size: 3}") + "}]", "onUpdate/a: passed"},
		{"the name stays", "  onUpdate: [{name: a, initial: " + jar("metadata: {name: x}") + ", updated: " + jar("metadata: {name: z}, spec: {size: 3}") + ", expected: " + jar("spec: {size: 3}") + "}]", "onUpdate/a: passed"},
		{"an update is rejected", "  onUpdate: [{name: a, initial: " + jar("spec: {size: 2}") + ", updated: " + jar("spec: {size: 10}, status: {full: 1}") + ", expectedError: spec.size in body should be less than or equal to 9}]", "onUpdate/a: passed"},
		{"the initial object is rejected", "  onUpdate: [{name: a, initial: " + jar("spec: {size: 10}") + ", updated: " + jar("spec: {size: 3}") + ", expected: " + jar("spec: {size: 3}") + "}]", "onUpdate/a: test-old-rejected"},
		{"the status is written first", "  onUpdate: [{name: a, initial: " + jar("status: {full: 2}") + ", updated: " + jar("spec: {size: 3}") + ", expected: " + jar("spec: {size: 3}, status: {full: 2}") + "}]", "onUpdate/a: passed"},
		{"the status is written last", "  onUpdate: [{name: a, initial: " + jar("spec: {size: 2}") + ", updated: " + jar("spec: {size: 3}, status: {full: 3}") + ", expected: " + jar("spec: {size: 3}, status: {full: 3}") + "}]", "onUpdate/a: passed"},
		{"the status is rejected", "  onUpdate: [{name: a, initial: " + jar("spec: {size: 2}") + ", updated: " + jar("status: {full: 6}") + ", expectedStatusError: should be less than or equal to 5}]", "onUpdate/a: passed"},
		{"the update, and not the status, is rejected", "  onUpdate: [{name: a, initial: " + jar("spec: {size: 2}") + ", updated: " + jar("spec: {size: 10}, status: {full: 6}") + ", expectedStatusError: should be less than or equal to 9}]", "onUpdate/a: test-rejected"},

		{"a CRD that was patched", "  onUpdate: [{name: a, initialCRDPatches: [{op: remove, path: /spec/versions/1/schema/openAPIV3Schema/properties/spec/properties/lid/maxLength}], initial: " + jar("spec: {size: 2, lid: long}") +
			", updated: " + jar("spec: {size: 3, lid: long}") + ", expected: " + jar("spec: {size: 3, lid: long}") + "}]", "onUpdate/a: passed"},
		{"the rules of a patched CRD", "  onUpdate: [{name: a, initialCRDPatches: [{op: replace, path: /spec/versions/1/schema/openAPIV3Schema/properties/spec/properties/lid/maxLength, value: 4}], initial: " + jar("spec: {lid: long}") +
			", updated: " + jar("spec: {}") + ", expected: " + jar("spec: {}") + "}]", "onUpdate/a: test-old-rejected"},
		{"the rules for a default of a patched CRD", "  onUpdate: [{name: a, initialCRDPatches: [{op: add, path: /spec/versions/1/schema/openAPIV3Schema/properties/spec/properties/label/default, value: {text: bad}}], initial: " + jar("spec: {}") +
			", updated: " + jar("spec: {}") + ", expected: " + jar("spec: {}") + "}]", "onUpdate/a: test-old-rejected"},
		{"a patch that does not fit", "  onUpdate: [{name: a, initialCRDPatches: [{op: remove, path: /spec/versions/2/name}], initial: " + jar("spec: {}") + ", updated: " + jar("spec: {}") + ", expected: " + jar("spec: {}") + "}]", "onUpdate/a: suite-invalid"},

		{"an object that is no text", "  onCreate: [{name: a, initial: {kind: Jar}, expected: " + jar("spec: {}") + "}]", "initial must be the text of an object; write initial: | before it, the case has no initial object; add initial"},
		{"a text that does not parse", "  onCreate: [{name: a, initial: 'a: b: c', expected: " + jar("spec: {}") + "}]", "initial is not valid YAML (mapping values are not allowed in this context); correct it, the case has no initial object; add initial"},
		{"a key that is misspelt", "  onCreate: [{name: a, initial: " + jar("spec: {}") + ", expectederror: be polite, expected: " + jar("spec: {size: 1}") + "}]", `a case of onCreate has the unknown key "expectederror"; did you mean expectedError?, onCreate/a: passed`},
		{"cases beside tests", "  onCreate: []\nonUpdate: [{name: a}, {name: b}]", "onUpdate is next to tests instead of below it, so its 2 cases never run; indent it"},
		{"featureGate", "  onCreate: []\nfeatureGate: A", "openshift/api reads featureGates, not featureGate; write featureGates, so that its own runner skips CRDs without the gate"},
	} {
		t.Run(test.about, func(t *testing.T) {
			t.Parallel()
			if got := strings.Join(becomes(readOpenShift(t, test.tests)), ", "); got != test.want {
				t.Errorf("this becomes of it:\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

// Problems that their runner passes over leave the rest of a suite to run.
func TestOpenShiftProblems(t *testing.T) {
	t.Parallel()
	s := readOpenShift(t, "  onCreate: []\nonUpdate: []\nfeatureGate: A\nspecial: 1")
	if s.OpenShift.Gates == nil || len(s.Wrong) != 3 {
		t.Fatalf("the gates are %q, the problems %d", s.OpenShift.Gates, len(s.Wrong))
	}
	for _, p := range s.Wrong {
		if !p.Unknown || p.Warning != strings.Contains(p.Message, "featureGates") {
			t.Errorf("%s: unknown %v, warning %v", p.Message, p.Unknown, p.Warning)
		}
	}
	for _, text := range []string{"crdName: a", "tests: {}", "crdtest: v1"} {
		if suite.ReadOpenShift(manifest.Parse("a.yaml", []byte(text)).Documents[0]) != nil {
			t.Errorf("%q is a suite", text)
		}
	}
}

// A suite is about the CRDs that have its feature gates.
func TestVariants(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write := func(path, text string) {
		t.Helper()
		path = filepath.Join(root, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	crd := func(name, of, annotations string) {
		write("api/v1/zz_generated.crd-manifests/"+name+".crd.yaml", "metadata:\n  name: "+of+"\n  annotations: {"+annotations+"}\nspec: {not: [read}\n")
	}
	managed, hosted := "include.release.openshift.io/self-managed-high-availability: 'true'", "include.release.openshift.io/ibm-cloud-managed: 'true'"
	crd("custom", "jars.example.com", managed+", release.openshift.io/feature-set: CustomNoUpgrade")
	crd("default", "jars.example.com", managed+", release.openshift.io/feature-set: Default")
	crd("hosted", "jars.example.com", hosted+", release.openshift.io/feature-set: 'Default,TechPreviewNoUpgrade'")
	crd("next", "jars.example.com", managed+", release.openshift.io/feature-set: Default, release.openshift.io/major-version: '5, 6'")
	crd("other", "lids.example.com", managed)
	crd("plain", "plain.example.com", managed)
	crd("unmarked", "unmarked.example.com", "a: b")
	write("api/v1/zz_generated.crd-manifests/doc.go", "package manifests")
	gates := func(name, annotations, enabled, disabled string) {
		write("payload-manifests/featuregates/"+name+".yaml", "metadata: {annotations: {"+annotations+"}}\nstatus: {featureGates: [{enabled: ["+enabled+"], disabled: ["+disabled+"]}]}")
	}
	gates("4-default", managed+", release.openshift.io/feature-set: Default, release.openshift.io/major-version: '4'", "{name: Lid}", "{name: Cap}")
	gates("5-default", managed+", release.openshift.io/feature-set: Default, release.openshift.io/major-version: '5'", "{name: Lid}, {name: Cap}", "")
	gates("hosted", strings.Replace(hosted, "'true'", "'false'", 1)+", release.openshift.io/feature-set: TechPreviewNoUpgrade", "{name: Cap}", "{name: Lid}")
	for _, test := range []struct {
		name, gates string
		one         bool
		want        string
	}{
		{"jars", "", false, "custom default hosted next"},
		{"jars", "", true, "custom"},
		{"jars", "Lid", false, "custom default next"},
		{"jars", "Cap", false, "custom hosted next"},
		{"jars", "-Cap", false, "default"},
		{"jars", "-Lid", true, "hosted"},
		{"jars", "Lid, -Cap", false, "default"},
		{"jars", "None", false, "payload-manifests/featuregates does not have the feature gate None for default.crd.yaml; correct the name"},
		{"plain", "Lid", false, "plain"},
		{"plain", "Cap", false, "no CRD in zz_generated.crd-manifests has the name plain.example.com and fits the feature gates; correct one of them"},
		{"unmarked", "-Cap", false, "unmarked"},
		{"none", "", false, "no CRD in zz_generated.crd-manifests has the name none.example.com and fits the feature gates; correct one of them"},
	} {
		t.Run(test.name+" "+test.gates, func(t *testing.T) {
			path := filepath.Join(root, "api", "v1", "tests", "jars", "Any.yaml")
			d := manifest.Parse(path, []byte("crdName: "+test.name+".example.com\nfeatureGates: ["+test.gates+"]\ntests: {}\n")).Documents[0]
			all, got := (&suite.Variants{One: test.one}).Of(suite.ReadOpenShift(d))
			var names []string
			for _, s := range all {
				name := strings.TrimSuffix(filepath.Base(s.CRD), ".crd.yaml")
				if s.CRD != "../../zz_generated.crd-manifests/"+name+".crd.yaml" || len(all) > 1 != strings.HasSuffix(s.Name, "/Any/"+name) {
					t.Errorf("the CRD of %s is %s", s.Name, s.CRD)
				}
				names = append(names, name)
			}
			if got += strings.Join(names, " "); got != test.want {
				t.Errorf("the suite is about %s, want %s", got, test.want)
			}
		})
	}
	for _, gate := range []string{"Cap", "None"} { // which counts for nothing where nothing has it
		path := filepath.Join(root, "api", "v1", "tests", "plain", "Any.yaml")
		d := manifest.Parse(path, []byte("crdName: plain.example.com\nfeatureGate: "+gate+"\ntests: {}\n")).Documents[0]
		if all, why := (&suite.Variants{}).Of(suite.ReadOpenShift(d)); len(all) != 1 || why != "" {
			t.Errorf("featureGate: %s: %d suites: %s", gate, len(all), why)
		}
	}
	d := manifest.Parse(filepath.Join(root, "elsewhere.yaml"), []byte("crdName: a\ntests: {}\n")).Documents[0]
	s := suite.ReadOpenShift(d)
	if all, why := (&suite.Variants{}).Of(s); !slices.Equal(all, []*suite.Suite{s}) || why != "" {
		t.Errorf("outside of the layout, a suite is %v: %s", all, why)
	}
}
