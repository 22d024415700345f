package rules

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/lint"
	"github.com/google/go-cmp/cmp"
)

// TestUnboundedSeverity wants a warning only of rules that take half of what they may cost.
func TestUnboundedSeverity(t *testing.T) {
	t.Parallel()
	paths, _ := filepath.Glob("testdata/cel/cel-unbounded/want*.yaml")
	share := regexp.MustCompile(`may take (\d+)% of the API server.s cost budget`)
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

// TestUnboundedNeeded wants no bound that leaves the estimate as it is, and both of those that change it only together.
func TestUnboundedNeeded(t *testing.T) {
	t.Parallel()
	const path = "testdata/cel/cel-unbounded/want-needed.yaml"
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	told := map[string]int{}
	for _, f := range everyRule().File(path, src).Findings {
		if f.Rule.ID != "cel-unbounded" {
			continue
		}
		_, bounds, _ := strings.Cut(f.Message, "; ")
		told[bounds]++
		if n := strings.Count(bounds, " on "); len(f.Remedy) != n {
			t.Errorf("%d changes for %s", len(f.Remedy), bounds)
		}
	}
	if diff := cmp.Diff(map[string]int{
		"set maxItems on spec.targets":                                    1,
		"set maxItems on spec.groups[*].members, maxItems on spec.groups": 1,
		"set maxLength on spec.until":                                     2,
	}, told); diff != "" {
		t.Error(diff)
	}
}
