package lint

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFolded: findings that are linked become one entry for each severity, so that infos do not hide a warning.
func TestFolded(t *testing.T) {
	t.Parallel()
	info, warning, another, alone := &Finding{Severity: Info}, &Finding{Severity: Warning}, &Finding{Severity: Info}, &Finding{Severity: Info}
	for _, f := range []*Finding{info, warning, another} {
		f.First = info
	}
	var sizes []int
	for _, list := range Folded([]*Finding{info, alone, warning, another}) {
		sizes = append(sizes, len(list))
	}
	if diff := cmp.Diff([]int{2, 1, 1}, sizes); diff != "" {
		t.Error(diff)
	}
}
