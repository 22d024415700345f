package engine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/vicinity"
	"github.com/crdlift/crdlift/lint"
)

// toyRules are a catalogue for tests of the engine: they look at the types of schemas.
func toyRules() []*Rule {
	return []*Rule{
		{ID: "schema-float", Was: []string{"schema-number", "schema-double"}, Severity: lint.Warning, Run: func(p *Pass) {
			eachSchema(p, func(s *crd.Schema) {
				if s.Type() == "number" {
					p.Report(s.At("type"), "type number").Fix = &Fix{Title: "write integer", Safe: true, Apply: toInteger(s.At("type").Path)}
				}
			})
		}},
		{ID: "schema-type-missing", Severity: lint.Error, Run: func(p *Pass) {
			eachSchema(p, func(s *crd.Schema) {
				if s.Type() == "" {
					p.Report(s.Place, "has no type")
				}
			})
		}},
		{ID: "names-category-all", Severity: lint.Info, Preset: lint.All, Run: func(*Pass) {}},
		{ID: "schema-description-missing", Severity: lint.Info, Preset: lint.All, Run: func(*Pass) {}},
		{ID: "field-removed", Severity: lint.Error, NeedsOld: true, Run: func(*Pass) {}},
		{ID: "names-collide", Severity: lint.Error, Across: func(*Set) {}},
	}
}

// comparedWith are sources with one older CRD.
func comparedWith(old *older.CRD) vicinity.Sources {
	return vicinity.Sources{Old: func(string, string, int) *older.CRD { return old }}
}

func mustRead(t testing.TB, path, text string) *lint.Config {
	t.Helper()
	c, err := config.Read(path, []byte(text), (&Linter{Rules: toyRules()}).known())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func eachSchema(p *Pass, visit func(*crd.Schema)) {
	for _, v := range p.CRD.Versions() {
		if root := crd.RootSchema(v.Schema, nil); root != nil {
			for s := range root.All() {
				visit(s)
			}
		}
	}
}

func toInteger(path string) func(*crd.CRD) bool {
	return func(c *crd.CRD) bool {
		at, ok := c.Resolve(crd.Steps(path))
		if ok {
			at.Node.Value = "integer"
		}
		return ok
	}
}

// toyCRD returns a manifest of a CRD with a schema, which must be indented by eight spaces.
func toyCRD(name, schema string) string {
	return fmt.Sprintf(`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: %s
spec:
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
%s`, name, strings.ReplaceAll("\n"+strings.Trim(schema, "\n"), "\n", "\n        ")[1:]) + "\n  group: example.com\n"
}

// toyReport returns the toy rules' report on files, by path.
func toyReport(t testing.TB, config *lint.Config, files ...string) *lint.Report {
	t.Helper()
	l := &Linter{Rules: toyRules(), Options: lint.Options{Config: config}}
	var all []*FileReport
	for i := 0; i < len(files); i += 2 {
		all = append(all, l.File(files[i], []byte(files[i+1])))
	}
	return l.Report(all)
}

// told is a report in short: a line for each finding.
func told(r *lint.Report) []string {
	var all []string
	for _, f := range r.Findings {
		s := fmt.Sprintf("%d:%d %s", f.Pos.Line, f.Pos.Column, f.Rule.ID)
		if f.Ignored != "" {
			s += " ignored: " + f.Ignored
		}
		all = append(all, s)
	}
	return all
}
