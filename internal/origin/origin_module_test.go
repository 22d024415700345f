package origin_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/origin"
	"github.com/crdlift/crdlift/internal/vicinity"
	"github.com/crdlift/crdlift/lint"
)

// TestInModule: the place of a kind that only another module declares has no markers, and a module is first read when a
// finding asks for it.
func TestInModule(t *testing.T) {
	t.Parallel()
	dir, types, manifest := inModule(t)
	source, err := os.ReadFile(filepath.Join(dir, "v1", "types.go"))
	if err != nil {
		t.Fatal(err)
	}
	theirs := func(text []byte) []byte {
		return bytes.ReplaceAll(text, []byte("example.com"), []byte("machines.example.net"))
	}
	at := filepath.Join(dir, "vendor", "machines.example.net", "api", "v1", "types.go")
	write := func(path string, text []byte) {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, text, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(dir, "go.mod"), []byte("module example.com/widgets\n\nrequire machines.example.net/api v1.2.3\n"))
	write(at, []byte("package v1\n"))

	asks := &engine.Rule{ID: "a", Severity: lint.Info, Run: func(p *engine.Pass) {
		if p.GoType("v1") != nil {
			t.Error("a type of another module is one of the repository")
		}
	}}
	(&engine.Linter{Sources: vicinity.Sources{Go: types}, Rules: []*engine.Rule{asks}}).File("crd.yaml", theirs(manifest))

	write(at, theirs(source))
	for path, test := range map[string]struct{ keyword, want string }{
		specOfV1 + ".properties[size]":                                  {"nullable", "field Spec.Size:"},
		specOfV1 + ".properties[selector].properties[matchExpressions]": {"maxItems", "field Spec.Selector:"},
		specOfV1 + ".properties[gone]":                                  {"nullable", "kind Widget:"},
		"spec.versions[0].additionalPrinterColumns[0]":                  {"jsonPath", "kind Widget:"},
		"spec.versions[0]":                                              {"name", ""},
	} {
		says := &engine.Rule{ID: "a", Severity: lint.Info, Run: func(p *engine.Pass) {
			at, _ := p.CRD.Resolve(crd.Steps(path))
			p.Report(at, "here").Remedy = []lint.Change{origin.ToChoose(path, test.keyword)}
		}}
		f := (&engine.Linter{Sources: vicinity.Sources{Go: types}, Rules: []*engine.Rule{says}}).File("crd.yaml", theirs(manifest)).Findings[0]
		if test.want == "" {
			if f.Origin != nil {
				t.Errorf("%s: got %s", path, originText(f.Origin))
			}
			continue
		}
		if got := originText(f.Origin); got != test.want+" of  in machines.example.net/api" {
			t.Errorf("%s: got %s", path, got)
		}
		if o := f.Origin; !o.InModule || o.Version != "v1.2.3" || o.Pos.File != "v1/types.go" || len(f.Markers()) > 0 || o.Writable() {
			t.Errorf("%s: %+v", path, o)
		}
	}
}
