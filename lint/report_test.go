package lint_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdlift/crdlift/lint"
)

// TestReport counts findings with those that they stand for, and leaves ignored ones out.
func TestReport(t *testing.T) {
	t.Parallel()
	r := &lint.Report{Findings: []*lint.Finding{
		{Severity: lint.Info, More: 2}, {Severity: lint.Info, Ignored: "known"}, {Severity: lint.Warning}, {Severity: lint.Error}, {Severity: lint.Error, Ignored: "known", More: 4},
	}, Objects: &lint.Objects{Counted: map[lint.Severity]int{lint.Info: 1, lint.Warning: 1, lint.Error: 1}}, LeftOut: []*lint.Finding{{Severity: lint.Info}, {Severity: lint.Warning}}}
	check := func(when string, hidden int, want ...int) {
		t.Helper()
		got := []int{r.Count(lint.Info), r.Count(lint.Warning), r.Count(lint.Error), r.Ignored()}
		if !slices.Equal(got, want) || len(r.Hidden) != hidden {
			t.Errorf("%s: infos, warnings, errors and ignored are %v, not %v; %d are hidden", when, got, want, len(r.Hidden))
		}
	}
	check("at first", 0, 3, 1, 2-1, 6)
	r.AtLeast(lint.Warning) // what is ignored is not hidden for its severity
	check("from warnings on", 1, 0, 1, 1, 5)
	if want := map[lint.Severity]int{lint.Warning: 1, lint.Error: 1}; !maps.Equal(r.Objects.Counted, want) {
		t.Errorf("of objects there are %v", r.Objects.Counted)
	}
	if len(r.LeftOut) != 1 || r.LeftOut[0].Severity != lint.Warning {
		t.Errorf("%d are counted only", len(r.LeftOut))
	}
	r.Objects = nil
	r.AtLeast(lint.Never)
	check("from none on", 3, 0, 0, 0, 0)
}

func TestFiles(t *testing.T) {
	t.Parallel()
	if got := (&lint.FileReport{Path: "a"}).Files(); !slices.Equal(got, []string{"a"}) {
		t.Errorf("a file as it is has %v", got)
	}
	if got := (&lint.FileReport{Path: "a", Sources: []string{"a", "b"}}).Files(); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("a file that is built has %v", got)
	}
}

// TestObjects counts the same whether the objects of files come one by one or file by file.
func TestObjects(t *testing.T) {
	t.Parallel()
	judged := func(file, kind, verdict, uncompared string, line int) lint.JudgedObject {
		return lint.JudgedObject{Object: &lint.Object{APIVersion: "g/v1", Kind: kind}, File: file, Line: line, Verdict: verdict, Uncompared: uncompared}
	}
	files := [][]lint.JudgedObject{
		{judged("a", "A", lint.Accepted, "", 1), judged("a", "B", lint.Accepted, "", 4), judged("a", "A", lint.Accepted, "", 8), judged("a", "A", lint.Refused, "", 9)},
		{judged("b", "A", lint.Accepted, "", 1), judged("b", "A", lint.Accepted, "new", 2), judged("b", "A", lint.Accepted, "", 3)},
	}
	var whole, sum lint.Objects
	for _, objects := range files {
		var part lint.Objects
		for _, o := range objects {
			whole.Judged(o)
			part.Judged(o)
			part.Listed = append(part.Listed, o)
		}
		part.BuiltIn, part.Partial, part.Unread = 1, 2, 3
		part.Lack("C", 2)
		part.CountFlawed(lint.Error, 1)
		sum.Add(&part)
	}
	want := []lint.AlikeObjects{
		{APIVersion: "g/v1", Kind: "A", File: "a", Verdict: lint.Accepted, Line: 1, Count: 2},
		{APIVersion: "g/v1", Kind: "B", File: "a", Verdict: lint.Accepted, Line: 4, Count: 1},
		{APIVersion: "g/v1", Kind: "A", File: "a", Verdict: lint.Refused, Line: 9, Count: 1},
		{APIVersion: "g/v1", Kind: "A", File: "b", Verdict: lint.Accepted, Line: 1, Count: 2},
		{APIVersion: "g/v1", Kind: "A", File: "b", Verdict: lint.Accepted, Uncompared: "new", Line: 2, Count: 1},
	}
	for _, got := range []lint.Objects{whole, sum} {
		if diff := cmp.Diff(want, got.Alike); diff != "" {
			t.Error(diff)
		}
	}
	got := []int{sum.Len(), sum.Count(lint.Accepted), sum.Count(lint.Refused), sum.Uncompared(), sum.PassedOver(), sum.Unread, len(sum.Listed), sum.WithoutCRD["C"], sum.Counted[lint.Error]}
	if want := []int{7, 6, 1, 1, 2 + 4 + 4, 6, 7, 4, 2}; !slices.Equal(got, want) {
		t.Errorf("the counts are %v, not %v", got, want)
	}
	sum.Lack("B", 1)
	if got := sum.Missing(); !slices.Equal(got, []string{"B", "C"}) {
		t.Errorf("of %v there is no CRD", got)
	}
	passed := &lint.Objects{}
	passed.Lack("C", 1)
	for name, tt := range map[string]struct {
		of   *lint.Objects
		want bool
	}{"judged": {&whole, true}, "passed over": {passed, true}, "none": {&lint.Objects{}, false}, "nil": {nil, false}} {
		if tt.of.Found() != tt.want {
			t.Errorf("%s: found is %t", name, !tt.want)
		}
	}
}

// TestObjectNames has what messages and baselines call an object.
func TestObjectNames(t *testing.T) {
	t.Parallel()
	for want, o := range map[string]lint.Object{
		"Database prod/orders": {Kind: "Database", Namespace: "prod", Name: "orders"},
		"Database orders":      {Kind: "Database", Name: "orders"},
		"Database":             {Kind: "Database"},
	} {
		if got := o.ID(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
