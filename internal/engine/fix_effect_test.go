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
		value := r.Value()
		return &Finding{Finding: &lint.Finding{Rule: &value}, rule: r, At: crd.Place{Path: path}, Fix: fix}
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
			f := &Fixed{Left: &FileReport{found: c.before}, unsafe: c.unsafe}
			var got []string
			for _, finding := range f.fixed(&FileReport{found: c.after}, c.before[:1:1]) {
				got = append(got, finding.At.Path)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}
