package coverage

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/suite"
)

var update = flag.Bool("update", false, "write the reports")

// results are those of a suite's cases, which are run over a CRD.
func results(s *suite.Suite, d *objects.Definition) []*suite.Result {
	runner := &suite.Runner{Find: func(*suite.Suite, string, string) (*objects.Definition, string) { return d, "" }}
	return runner.Run(s, nil)
}

func read(t *testing.T, definition, cases []byte) (*suite.Suite, *objects.Definition) {
	t.Helper()
	all := objects.Definitions("crd.yaml", "crd.yaml", definition, true)
	if len(all) != 1 || all[0].Unread() != "" {
		t.Fatalf("the CRD cannot be read: %v", all)
	}
	if _, why := all[0].Server(); why != "" {
		t.Fatal(why)
	}
	s := suite.Read(manifest.Open("a.crdtest.yaml", "a.crdtest.yaml", cases).Worlds[0].Documents[0].Parsed())
	for _, p := range s.Wrong {
		t.Fatalf("the suite is wrong: %s", p.Message)
	}
	return s, all[0]
}

// fail are the names of the cases that fail.
func failing(all []*suite.Result) (names []string) {
	for _, r := range all {
		if !r.Passed() && r.Case.Skip == "" {
			names = append(names, r.Case.Name)
		}
	}
	return names
}

// TestReports compares reports with those that are written down, and what they claim with what becomes of the cases when a
// constraint is really gone. Constraints that are tested by cases and are not said to be are listed.
func TestReports(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no files", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s, d := read(t, a.Files[0].Data, a.Files[1].Data)
			all := results(s, d)
			if names := failing(all); names != nil {
				for _, r := range all {
					for _, f := range r.Failures {
						t.Logf("%s: %s %s %v", r.Case.Name, f.Kind, f.Text, f.Causes)
					}
				}
				t.Fatalf("cases fail: %q", names)
			}
			var text, more strings.Builder
			for _, r := range Of(all, Options{}) {
				told := r.Coverage()
				if err := Text(&text, &told); err != nil {
					t.Fatal(err)
				}
				for _, c := range r.Constraints {
					switch needed := failing(results(s, lacking(t, d, c))); {
					case c.State == Tested && needed == nil:
						t.Errorf("%s of %s is said to be tested, and no case fails without it", c.Keyword, c.Field)
					case c.State != Tested && needed != nil:
						more.WriteString(Title(&c.CoveredConstraint) + " of " + c.Field + "\n")
					}
				}
			}
			for i, got := range []string{text.String(), more.String()} {
				if want := string(a.Files[2+i].Data); got != want && !*update {
					t.Errorf("%s: got\n%swant\n%s", a.Files[2+i].Name, got, want)
				}
				a.Files[2+i].Data = []byte(got)
			}
			if *update {
				if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// lacking is a CRD that lacks a constraint, in all versions that have it.
func lacking(t *testing.T, d *objects.Definition, c *Constraint) *objects.Definition {
	t.Helper()
	other := *d
	other.Hub = d.Hub.DeepCopy()
	for _, version := range c.Versions {
		if err := c.remove(other.Hub, version); err != nil {
			t.Fatal(err)
		}
	}
	return &other
}
