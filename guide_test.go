package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/marker"
)

// TestMarkerVersions compares the table of the guide with that of the program: the markers that came after v0.3, which is
// from 2020.
func TestMarkerVersions(t *testing.T) {
	t.Parallel()
	var want []string
	for _, r := range marker.All() {
		if items, ok := r.Items(); ok {
			if row := fmt.Sprintf("| `+kubebuilder:validation:items:…` | %s |", items.Since(marker.AboveField)); !slices.Contains(want, row) {
				want = append(want, row)
			}
		}
		since := cmp.Or(r.Since(marker.AboveField), r.Since(marker.AboveKind))
		if row := fmt.Sprintf("| `+%s` | %s |", r.Name, since); !strings.HasPrefix(since, "v0.2.") && since != "v0.3.0" && !slices.Contains(want, row) {
			want = append(want, row)
		}
	}
	var got []string
	for line := range strings.Lines(read(t, filepath.Join("docs", "guides", "go-types.md"))) {
		if strings.HasPrefix(line, "| `+") {
			got = append(got, strings.TrimSpace(line))
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("the guide has\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
