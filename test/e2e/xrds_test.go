package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	catalogues "github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/sample"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// xrdMistakes are made in rules.yaml, and make its CRDs ones that servers refuse.
var xrdMistakes = [][2]string{
	{"name: xdatabases.", "name: databases."}, {"plural: databases", "plural: data_bases"}, {"kind: Database,", "kind: data base,"},
	{"group: data.", "group: Data."}, {"name: v1", "name: V1"}, {"referenceable: true", "referenceable: false"},
	{"engine: {type: string", "engine: {"}, {"engine: {type: string", "engine: {type: text"}, {"engine: {type: string", "engine: {type: array"},
	{"engine: {type: string", "engine: {type: string, default: 5"}, {"engine: {type: string", "engine: {type: string, pattern: '('"},
	{"self.size > 0", "self.sizes > 0"}, {"self.phase != ''", "self.phase"}, {"startsWith('db-')", "begins('db-')"},
	{"- required: [size]", "- properties: {size: {type: integer}}"}, {"schema:", "additionalPrinterColumns: [{name: A, type: text, jsonPath: spec}]\n    schema:"},
}

// TestXRDs has a server refuse the CRDs that Crossplane makes of XRDs exactly where lint says so, and take samples for the others.
func TestXRDs(t *testing.T) {
	s := today(t)
	paths, err := filepath.Glob("../xrds/testdata/*.yaml")
	if err != nil || len(paths) < 20 {
		t.Fatalf("%d fixtures, %v", len(paths), err)
	}
	for i, path := range paths {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		s.judgesXRD(t, filepath.Base(path), fmt.Sprintf("t%d", i), string(src), nil)
		for j, m := range xrdMistakes {
			if filepath.Base(path) == "rules.yaml" {
				refused := true
				s.judgesXRD(t, m[1], fmt.Sprintf("m%d", j), strings.Replace(string(src), m[0], m[1], 1), &refused)
			}
		}
	}
}

// judgesXRD compares what the server and lint say of the CRDs of an XRD, which gets a group of its own.
func (s *server) judgesXRD(t *testing.T, name, group, src string, refused *bool) {
	text := []byte(strings.ReplaceAll(src, "example.org", group+".example.org"))
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		told := (&rules.Linter{}).File("xrd.yaml", text).Findings
		said := slices.ContainsFunc(told, func(f *lint.Finding) bool { return f.RefusedBy == string(crd.V1) }) // and not by Crossplane's API
		reasons := ""
		for _, d := range catalogues.Definitions("xrd.yaml", "xrd.yaml", text, true) {
			reasons += s.refusesMade(t, d, !slices.ContainsFunc(told, func(f *lint.Finding) bool { return f.RefusedBy != "" }))
		}
		if (reasons != "") != said || refused != nil && *refused != said {
			t.Errorf("server: %s\nlint: %t", reasons, said)
		}
	})
}

// refusesMade is why the server refuses a CRD; "" where it takes it, and its samples.
func (s *server) refusesMade(t *testing.T, d *catalogues.Definition, used bool) (reason string) {
	out, err := crd.ToV1(d.Hub)
	if err != nil {
		t.Fatal(err)
	}
	out.APIVersion, out.Kind = crd.Group+"/v1", crd.Kind
	manifest, err := json.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	if a, err := s.createCRD("v1", manifest); err != nil || !a.ok() {
		return a.reason() + fmt.Sprint(err)
	}
	defer func() { _, _ = s.request(http.MethodDelete, crdsOf("v1")+"/"+out.Name, nil) }()
	if !used {
		return ""
	}
	r, reason, err := s.serve(out)
	judge, why := d.Server()
	if r == nil || judge == nil || err != nil {
		t.Fatalf("%s is not served: %s%s, %v", out.Name, reason, why, err)
	}
	generator := sample.New(judge, r.version, 1)
	for i, make := range []func() (map[string]any, bool){generator.Smallest, generator.Fullest} {
		object, found := make()
		if !found {
			t.Fatalf("%s has no sample", out.Name)
		}
		metadataOf(object)["name"] = fmt.Sprint(name(object), i)
		if a, err := r.send(write{operation: create, version: r.version, object: object, strict: true}); err != nil || !a.ok() {
			t.Errorf("%v: %s, %v", object, a.reason(), err)
		}
	}
	return ""
}
