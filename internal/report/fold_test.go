package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdlift/crdlift/lint"
)

// TestFolded: findings that are linked become one entry for each severity, so that infos do not hide a warning.
func TestFolded(t *testing.T) {
	t.Parallel()
	info, warning, another, alone := &lint.Finding{Severity: lint.Info}, &lint.Finding{Severity: lint.Warning}, &lint.Finding{Severity: lint.Info}, &lint.Finding{Severity: lint.Info}
	for _, f := range []*lint.Finding{info, warning, another} {
		f.First = info
	}
	var sizes []int
	for _, list := range folded([]*lint.Finding{info, alone, warning, another}) {
		sizes = append(sizes, len(list))
	}
	if diff := cmp.Diff([]int{2, 1, 1}, sizes); diff != "" {
		t.Error(diff)
	}
}
