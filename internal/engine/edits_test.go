package engine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/lint"
)

// TestEditWork makes the edits of so many fixes that not all can be made: how many depends on the number of nodes, not on
// how long they are, and each one that is left out is counted.
func TestEditWork(t *testing.T) {
	if testing.Short() {
		t.Skip("a minute under the race detector")
	}
	t.Parallel()
	unedited := func(fields int, description string) int {
		schema := "type: object\nproperties:\n"
		for i := range fields {
			schema += fmt.Sprintf("  f%d: {type: number, description: %s}\n", i, description)
		}
		l := &Linter{Rules: toyRules(), Options: lint.Options{Edits: true}}
		report := l.File("crd.yaml", []byte(toyCRD("a.example.com", schema)))
		without := 0
		for _, f := range report.Findings {
			if f.Fix != nil && len(f.Fix.Edits) == 0 {
				without++
			}
		}
		if without != report.Unedited {
			t.Errorf("%d fields: %d fixes have no edits, %d are counted", fields, without, report.Unedited)
		}
		return report.Unedited
	}
	if n := unedited(100, "short"); n != 0 {
		t.Errorf("the edits of %d of 100 fixes are left out", n)
	}
	short, long := unedited(500, "short"), unedited(500, strings.Repeat("long ", 40))
	if short == 0 || short != long {
		t.Errorf("the edits of %d fixes are left out with short descriptions, of %d with long ones", short, long)
	}
}

// TestEditsInExcerpts makes the edits of fixes that say what they look at: all of them, with work that grows with the schema
// and not with its square.
func TestEditsInExcerpts(t *testing.T) {
	t.Parallel()
	local := &Rule{ID: "schema-float", Severity: lint.Warning, Run: func(p *Pass) {
		eachSchema(p, func(s *crd.Schema) {
			if s.Type() == "number" {
				p.Report(s.At("type"), "type number").Fix = &Fix{Title: "write integer", Apply: toInteger(s.At("type").Path), Within: []string{s.Path}}
			}
		})
	}}
	work := func(fields int) int {
		schema := "type: object\nproperties:\n"
		for i := range fields {
			schema += fmt.Sprintf("  f%d: {type: number}\n", i)
		}
		l := &Linter{Rules: []*Rule{local}, Options: lint.Options{Edits: true}}
		report := l.File("crd.yaml", []byte(toyCRD("a.example.com", schema)))
		if len(report.Findings) != fields || report.Unedited > 0 {
			t.Errorf("%d fields: %d findings, of which %d have no edits", fields, len(report.Findings), report.Unedited)
		}
		for i, f := range report.Findings {
			if len(f.Fix.Edits) != 1 || f.Fix.Edits[0].Line != f.Pos.Line {
				t.Errorf("%d fields: the edits of the fix of field %d are %v", fields, i, f.Fix.Edits)
			}
		}
		return report.editWork
	}
	if few, many := work(200), work(2000); many > 10*few+few/10 {
		t.Errorf("200 fields take %d nodes, 2,000 take %d", few, many)
	}
}
