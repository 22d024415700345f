package coverage

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/lint"
)

func TestMutants(t *testing.T) {
	t.Parallel()
	for rule, want := range map[string][]string{
		"self.a || self.b || self.c":                 {"self.b || self.c", "self.a || self.c", "self.a || self.b"},
		"self.a && (self.b || self.c)":               {"self.b || self.c", "self.a", "self.a && self.c", "self.a && self.b"},
		"self.a < 1":                                 {"self.a <= 1"},
		"self.a >= self.b":                           {"self.a > self.b"},
		"!has(self.a)":                               {"has(self.a)"},
		"self.a ? self.b : self.c > 0":               {"self.b", "self.c > 0", "self.a ? self.b : (self.c >= 0)"},
		"self.l.all(x, x <= 2)":                      {"self.l.all(x, x < 2)"},
		"self.a == [!self.b][0]":                     {"self.a == [self.b][0]"},
		"self.a == {'k': !self.b}['k']":              {`self.a == {"k": self.b}["k"]`},
		"(self.l.size() > 1) == self.b":              {"self.l.size() >= 1 == self.b"},
		"self.a && self.a":                           {"self.a"}, // which is one mutant
		"self == oldSelf":                            nil,
		"self.a ||":                                  nil,
		"self.a &&\n  // which is needed\n  !self.b": {"!self.b", "self.a", "self.a && self.b"},
	} {
		if got := mutants(rule); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", rule, got, want)
		}
	}
}

// reportOf is the report on the CRD and the suite of an archive in testdata.
func reportOf(t *testing.T, name string, change func(*run), o Options) *Report {
	t.Helper()
	a, err := txtar.ParseFile("testdata/" + name + ".txtar")
	if err != nil {
		t.Fatal(err)
	}
	s, d := read(t, a.Files[0].Data, a.Files[1].Data)
	all := results(s, d)
	r := newRun(d, all[0])
	r.results = all
	if change != nil {
		change(r)
	}
	r.judge(o)
	return r.Report
}

// TestSample tries some of the mutants where there are too many, and says so.
func TestSample(t *testing.T) {
	t.Parallel()
	for most, want := range map[int]int{100: 15, 15: 15, 14: 8, 5: 5, 1: 1} {
		told := reportOf(t, "versions", func(r *run) { r.most = most }, Options{}).Coverage()
		got := 0
		for _, c := range told.Constraints {
			got += len(c.Mutants)
		}
		if got != want || told.Sampled != (want < 15) || strings.HasSuffix(Summary(&told), ", a sample") != told.Sampled {
			t.Errorf("of 15, %d are tried where at most %d are to be: %s", got, most, Summary(&told))
		}
	}
}

// TestIgnored leaves out what a function gives a reason for, and what is dead, from figures, lines and advice.
func TestIgnored(t *testing.T) {
	t.Parallel()
	r := reportOf(t, "versions", nil, Options{Ignored: func(_ *objects.Definition, c *Constraint) string {
		if c.Kind == Enum {
			return "few write it"
		}
		return ""
	}})
	told := r.Coverage()
	if told.Tested != 4 || told.Counted != 9 {
		t.Errorf("%d of %d count", told.Tested, told.Counted)
	}
	var lines strings.Builder
	if err := LCOV(&lines, []lint.Coverage{told}); err != nil {
		t.Fatal(err)
	}
	for _, c := range told.Constraints {
		switch {
		case c.Kind == string(Enum) && (c.State != "ignored" || c.Why != "few write it" || c.Next != ""):
			t.Errorf("the enum is %+v", c)
		case (c.State == "ignored" || c.State == "dead") && strings.Contains(lines.String(), fmt.Sprintf("DA:%d,", c.Line)) && c.Line != 33:
			t.Errorf("line %d counts: %s", c.Line, lines.String())
		}
	}
}

// TestEdges looks for bounds of which the last value is accepted, and for values of enums that no accepted object has.
func TestEdges(t *testing.T) {
	t.Parallel()
	var edges, unseen []string
	for _, c := range reportOf(t, "traps", nil, Options{}).Constraints {
		if c.Kind == Enum {
			unseen = append(unseen, c.Unseen...)
		}
	}
	for _, c := range reportOf(t, "kinds", nil, Options{}).Constraints {
		if c.Edge {
			edges = append(edges, c.Field+" "+c.Keyword)
		}
		if c.Kind == Enum {
			unseen = append(unseen, c.Unseen...)
		}
	}
	if want := []string{"spec minProperties", "spec.width minimum", "spec.width maximum"}; !slices.Equal(edges, want) {
		t.Errorf("edges are %q, want %q", edges, want)
	}
	if want := []string{"gas", "wood"}; !slices.Equal(unseen, want) {
		t.Errorf("%q are accepted in no case, want %q", unseen, want)
	}
}
