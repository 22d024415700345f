package rules

import (
	"strings"
	"testing"
)

// foreseen is the beginning of messages about what keeps a manifest from being converted.
const foreseen = "will not convert: "

// TestForeseen holds the message about a conversion that will be refused to the value that programs read.
func TestForeseen(t *testing.T) {
	t.Parallel()
	seen := 0
	for _, f := range fixtures(t) {
		for _, finding := range f.linter(t).File(f.path, withoutWants(f.src)).Findings {
			switch {
			case finding.Foreseen != "":
				seen++
				if finding.Message != foreseen+finding.Foreseen {
					t.Errorf("%s: %q is foreseen, and the message is %q", f.path, finding.Foreseen, finding.Message)
				}
				if finding.RefusedBy != "" {
					t.Errorf("%s: %s rejects what another server is to reject: %s", f.path, finding.RefusedBy, finding.Message)
				}
			case strings.HasPrefix(finding.Message, foreseen):
				t.Errorf("%s: nothing is foreseen: %s", f.path, finding.Message)
			}
		}
	}
	if seen < 6 {
		t.Errorf("the fixtures have %d findings about conversions", seen)
	}
}
