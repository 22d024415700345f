package rules

import (
	"fmt"
	"testing"
)

// TestStorageVersions wants programs to be told the storage version on either side.
func TestStorageVersions(t *testing.T) {
	t.Parallel()
	var got []string
	for _, f := range fixtures(t) {
		if f.rule != "new-version-is-storage" && f.rule != "storage-version-changed" {
			continue
		}
		for _, finding := range f.linter(t).File(f.path, f.src).Findings {
			if finding.Rule.ID == f.rule {
				got = append(got, fmt.Sprintf("%s from %v to %v", f.rule, finding.Old, finding.New))
			}
		}
	}
	want := []string{"new-version-is-storage from v1beta1 to v1", "storage-version-changed from v1beta1 to v1"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
