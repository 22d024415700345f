package engine

import (
	"fmt"
	"strings"
	"testing"
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
		l := &Linter{Rules: toyRules(), Edits: true}
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
