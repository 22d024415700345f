package engine

import (
	"slices"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/lint"
)

func TestMended(t *testing.T) {
	rule, other := &Rule{ID: "schema-float"}, &Rule{ID: "schema-type-missing"}
	finding := func(r *Rule, path string, fix *Fix) *Finding {
		return &Finding{Finding: &lint.Finding{Rule: r.Value()}, By: r, At: crd.Place{Path: path}, Fix: fix}
	}
	safe, unsafe := &Fix{Safe: true}, &Fix{}
	for name, c := range map[string]struct {
		before, after []*Finding // a fix was made for the first one before
		unsafe        bool
		want          []string
	}{
		"alone": {
			[]*Finding{finding(rule, "a[0]", safe), finding(rule, "a[1]", safe)},
			[]*Finding{finding(rule, "a[1]", safe)},
			false, []string{"a[0]"},
		},
		"others of its rule and of another went with it": {
			[]*Finding{finding(rule, "a[0]", safe), finding(rule, "a[1]", safe), finding(other, "a[0]", safe), finding(other, "b", safe)},
			[]*Finding{finding(other, "b", safe)},
			false, []string{"a[0]", "a[1]", "a[0]"},
		},
		"another moved up": {
			[]*Finding{finding(rule, "a[0]", safe), finding(rule, "a[1]", safe)},
			[]*Finding{finding(rule, "a[0]", safe)},
			false, []string{"a[0]"},
		},
		"another moved up, and one is gone": {
			[]*Finding{finding(rule, "a[0]", safe), finding(rule, "a[1]", safe), finding(rule, "a[2]", safe)},
			[]*Finding{finding(rule, "a[0]", safe)},
			false, []string{"a[0]", "a[1]"},
		},
		"nothing was promised of the others": {
			[]*Finding{finding(rule, "a[0]", safe), finding(rule, "a[1]", unsafe), finding(rule, "a[2]", nil)},
			nil, false, []string{"a[0]"},
		},
		"unsafe fixes were asked for": {
			[]*Finding{finding(rule, "a[0]", safe), finding(rule, "a[1]", unsafe), finding(rule, "a[2]", nil)},
			nil, true, []string{"a[0]", "a[1]"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := &FixResult{Left: &FileReport{Found: c.before}, unsafe: c.unsafe}
			var got []string
			for _, finding := range f.fixed(&FileReport{Found: c.after}, c.before[:1:1]) {
				got = append(got, finding.At.Path)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// TestBetter: fixes are kept when the findings they were made for are gone, no error is new, and no text is broken
// that was not.
func TestBetter(t *testing.T) {
	t.Parallel()
	rule, other := &Rule{ID: "schema-float"}, &Rule{ID: "schema-type-missing"}
	finding := func(r *Rule, path string, severity lint.Severity) *Finding {
		return &Finding{Finding: &lint.Finding{Rule: r.Value(), Severity: severity}, By: r, At: crd.Place{Path: path}, Fix: &Fix{Safe: true}}
	}
	broken := finding(SyntaxRule, "", lint.Error)
	mends, wrong := finding(rule, "a", lint.Warning), finding(other, "b", lint.Error)
	for name, c := range map[string]struct {
		before, after []*Finding // the first one was fixed
		better        bool
		newError      *Finding
	}{
		"it is gone":                        {[]*Finding{mends, wrong}, []*Finding{wrong}, true, nil},
		"it is still there":                 {[]*Finding{mends, wrong}, []*Finding{mends, wrong}, false, nil},
		"one of two at its place is gone":   {[]*Finding{mends, mends}, []*Finding{mends}, true, nil},
		"an error moved":                    {[]*Finding{mends, wrong}, []*Finding{finding(other, "c", lint.Error)}, true, nil},
		"an error went with it":             {[]*Finding{mends, wrong}, nil, true, nil},
		"a second error of the rule is new": {[]*Finding{mends, wrong}, []*Finding{finding(other, "b", lint.Error), wrong}, true, wrong},
		"a warning is new":                  {[]*Finding{mends}, []*Finding{finding(other, "b", lint.Warning)}, true, nil},
		"the text does not parse":           {[]*Finding{mends}, []*Finding{broken}, false, nil},
		"other text did not parse before":   {[]*Finding{mends, broken}, []*Finding{broken}, true, nil},
		"less of it does not parse":         {[]*Finding{mends, broken}, nil, true, nil},
		"more of it does not parse":         {[]*Finding{mends, broken}, []*Finding{broken, broken}, false, nil},
	} {
		before, after, made := &FileReport{Found: c.before}, &FileReport{Found: c.after}, c.before[:1]
		if got := better(before, after, made); got != c.better {
			t.Errorf("%s: better is %t", name, got)
		}
		if got := newError(before, after, made); got != c.newError {
			t.Errorf("%s: the new error is %+v", name, got)
		}
	}
}
