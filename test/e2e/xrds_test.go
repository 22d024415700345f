package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	catalogues "github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/sample"
	"github.com/crdlift/crdlift/rules"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// xrdMistakes are made in rules.yaml, and make its CRDs ones that servers reject.
var xrdMistakes = [][2]string{
	{"name: xdatabases.", "name: databases."}, {"plural: databases", "plural: data_bases"}, {"kind: Database,", "kind: data base,"},
	{"group: data.", "group: Data."}, {"name: v1", "name: V1"}, {"referenceable: true", "referenceable: false"},
	{"engine: {type: string", "engine: {"}, {"engine: {type: string", "engine: {type: text"}, {"engine: {type: string", "engine: {type: array"},
	{"engine: {type: string", "engine: {type: string, default: 5"}, {"engine: {type: string", "engine: {type: string, pattern: '('"},
	{"self.size > 0", "self.sizes > 0"}, {"self.phase != ''", "self.phase"}, {"startsWith('db-')", "begins('db-')"},
	{"- required: [size]", "- properties: {size: {type: integer}}"}, {"schema:", "additionalPrinterColumns: [{name: A, type: text, jsonPath: spec}]\n    schema:"},
}

// TestXRDs has a server reject the CRDs that Crossplane makes of XRDs exactly where lint says so, and take samples of the others.
func TestXRDs(t *testing.T) {
	s := today(t)
	paths, err := filepath.Glob("../xrds/testdata/*.yaml")
	if err != nil || len(paths) < 20 {
		t.Fatalf("%d fixtures, %v", len(paths), err)
	}
	var served []*catalogues.Definition
	for i, path := range paths {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		_, some := s.judgesXRD(t, filepath.Base(path), strings.ReplaceAll(string(src), "example.org", fmt.Sprintf("x%d.example.org", i)))
		served = append(served, some...)
		for _, m := range xrdMistakes {
			if filepath.Base(path) == "rules.yaml" {
				if refused, _ := s.judgesXRD(t, m[1], strings.Replace(string(src), m[0], m[1], 1)); !refused {
					t.Errorf("%s is no mistake", m[1])
				}
			}
		}
	}
	for _, d := range served {
		s.takesSamples(t, d)
	}
	t.Logf("%d XRDs, %d mistakes, %d CRDs with samples", len(paths), len(xrdMistakes), len(served))
}

// judgesXRD compares what the server and lint say of the CRDs of an XRD. It returns those to go on with.
func (s *server) judgesXRD(t *testing.T, name, src string) (refused bool, served []*catalogues.Definition) {
	t.Helper()
	all := map[bool]int{} // findings by whether a server rejects a CRD for them, and not Crossplane or its API the XRD
	for _, f := range (&rules.Linter{}).File("xrd.yaml", []byte(src)).Findings {
		if f.RefusedBy != "" {
			all[f.RefusedBy == string(crd.V1)]++
		}
	}
	reasons := ""
	for _, d := range catalogues.Definitions("xrd.yaml", "xrd.yaml", []byte(src), true) {
		manifest, err := json.Marshal(asCRD(t, d))
		if err != nil {
			t.Fatal(err)
		}
		a, err := s.createCRD("v1", manifest)
		switch {
		case err != nil:
			t.Fatal(err)
		case !a.ok():
			reasons += a.reason()
			continue
		}
		t.Cleanup(func() { _ = s.deleteCRD(d.Hub.Name) }) // not before the others are created, which takes less time
		if len(all) == 0 {
			served = append(served, d)
		}
	}
	if (reasons != "") != (all[true] > 0) {
		t.Errorf("%s: lint has %d findings for which it is rejected; the server says %q", name, all[true], reasons)
	}
	return reasons != "", served
}

func asCRD(t *testing.T, d *catalogues.Definition) *v1.CustomResourceDefinition {
	t.Helper()
	out, err := crd.ToV1(d.Hub)
	if err != nil {
		t.Fatal(err)
	}
	out.APIVersion, out.Kind = crd.Group+"/v1", crd.Kind
	return out
}

// takesSamples creates the smallest and the fullest object.
func (s *server) takesSamples(t *testing.T, d *catalogues.Definition) {
	t.Helper()
	r, reason, err := s.serve(asCRD(t, d))
	judge, why := d.Server()
	if r == nil || judge == nil || err != nil {
		t.Fatalf("%s is not served: %s%s, %v", d.Hub.Name, reason, why, err)
	}
	generator := sample.New(judge, r.version, 1)
	for i, make := range []func() (map[string]any, bool){generator.Smallest, generator.Fullest} {
		object, found := make()
		if !found {
			t.Fatalf("%s has no sample", d.Hub.Name)
		}
		metadataOf(object)["name"] = fmt.Sprint(name(object), i)
		if a, err := r.send(write{operation: create, version: r.version, object: object, strict: true}); err != nil || !a.ok() {
			t.Errorf("%v: %s, %v", object, a.reason(), err)
		}
	}
}
