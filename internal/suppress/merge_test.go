package suppress

import (
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/lint"
)

// TestMerge takes findings about what is built, b, into those about the sources, s, and says which are left: "s:message".
func TestMerge(t *testing.T) {
	t.Parallel()
	finding := func(file, path, message string) *lint.Finding {
		return &lint.Finding{Rule: &lint.Rule{ID: "rule"}, Resource: "widgets.example.com", Path: path, Message: message, Source: lint.Source{Pos: lint.Point(file, 1, 1)}}
	}
	for _, test := range []struct {
		name    string
		source  []*lint.Finding
		built   []*lint.Finding
		changed bool // by the build, where they are
		want    string
	}{
		{"both", []*lint.Finding{finding("a", "spec", "no")}, []*lint.Finding{finding("a", "spec", "no")}, true, "s:no"},
		{"both, with other numbers", []*lint.Finding{finding("a", "spec", "7 bytes")}, []*lint.Finding{finding("a", "spec", "9 bytes")}, true, "s:7 bytes"},
		{"the build alone", nil, []*lint.Finding{finding("a", "spec", "no")}, true, "b:no"},
		{"at another place", []*lint.Finding{finding("a", "metadata", "no")}, []*lint.Finding{finding("a", "spec", "no")}, false, "s:no b:no"},
		{"in another file", []*lint.Finding{finding("b", "spec", "no")}, []*lint.Finding{finding("a", "spec", "no")}, false, "s:no b:no"},
		{"a patch mends it", []*lint.Finding{finding("a", "spec", "no")}, nil, true, ""},
		{"the build has no rule for it", []*lint.Finding{finding("a", "spec", "no")}, nil, false, "s:no"},
		{"in other words, of what no patch changes", []*lint.Finding{finding("a", "spec", "no")}, []*lint.Finding{finding("a", "spec", "never")}, false, "s:no"},
		{"in other words, of what a patch changes", []*lint.Finding{finding("a", "spec", "no")}, []*lint.Finding{finding("a", "spec", "never")}, true, "b:never"},
		{"what is not to be told", nil, []*lint.Finding{finding("a", "spec", "placeholder")}, true, ""},
	} {
		r, built := &lint.Report{Findings: slices.Concat(test.source, test.built)}, map[*lint.Finding]bool{}
		for _, f := range test.built {
			built[f] = true
		}
		Merge(r, built, func(*lint.Finding) bool { return test.changed }, func(f *lint.Finding) bool {
			return built[f] && f.Message == "placeholder" || !built[f] && test.changed
		})
		var left []string
		for _, f := range r.Findings {
			side := "s:"
			if built[f] {
				side = "b:"
			}
			left = append(left, side+f.Message)
		}
		if got := strings.Join(left, " "); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
	// Of places that are told together, one that only the build has is told by itself.
	first, again, more := finding("a", "spec", "no"), finding("a", "spec", "no"), finding("a", "metadata", "no")
	more.First, again.First = again, again
	r := &lint.Report{Findings: []*lint.Finding{first, again, more}}
	Merge(r, map[*lint.Finding]bool{again: true, more: true}, func(*lint.Finding) bool { return true }, func(*lint.Finding) bool { return false })
	if !slices.Equal(r.Findings, []*lint.Finding{first, more}) || more.First != nil {
		t.Errorf("%v are left, of which the second follows %v", r.Findings, more.First)
	}
}
