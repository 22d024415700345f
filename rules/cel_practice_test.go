package rules

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/crdlift/crdlift/lint"
)

// TestUnboundedSeverity wants a warning only of rules that take half of what they may cost.
func TestUnboundedSeverity(t *testing.T) {
	t.Parallel()
	paths, _ := filepath.Glob("testdata/cel/cel-unbounded/want*.yaml")
	share := regexp.MustCompile(`takes (\d+)% of its cost budget`)
	told := map[lint.Severity]int{}
	for _, path := range paths {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range everyRule().File(path, src).Findings {
			m := share.FindStringSubmatch(f.Message)
			if m == nil {
				continue
			}
			told[f.Severity]++
			if percent, _ := strconv.Atoi(m[1]); percent < 50 != (f.Severity == lint.Info) {
				t.Errorf("%s: %s: %s", path, f.Severity, f.Message)
			}
		}
	}
	if told[lint.Info] == 0 || told[lint.Warning] == 0 {
		t.Errorf("severities: %v", told)
	}
}
