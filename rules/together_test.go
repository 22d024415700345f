package rules

import (
	"cmp"
	"os"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/lint"
)

// TestTogether: of findings that people read as one entry, the first says what to do about all.
func TestTogether(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"conversion/apply-version-field/want.yaml", "pruning/schema-properties-missing/want.yaml"} {
		src, err := os.ReadFile(fixtureRoot + "/" + path)
		if err != nil {
			t.Fatal(err)
		}
		rule, entries := strings.Split(path, "/")[1], map[*lint.Finding]string{}
		l := &Linter{Options: lint.Options{Config: &lint.Config{Preset: lint.All}}}
		for _, f := range l.File(path, src).Findings {
			if f.Rule.ID != rule {
				continue
			}
			_, todo, _ := strings.Cut(f.Message, "; ")
			first := cmp.Or(f.First, f)
			if entries[first] == "" {
				entries[first] = todo
			} else if entries[first] != todo {
				t.Errorf("%s: %q, and together with it %q", path, entries[first], todo)
			}
		}
		if len(entries) != 2 {
			t.Errorf("%s: %d entries", path, len(entries))
		}
	}
}
