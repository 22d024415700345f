package suppress

import (
	"testing"

	"github.com/crdlift/crdlift/lint"
)

// TestUnusedRoles: a setting of roles that changes nothing is told at its place, by the severity for the configuration file.
func TestUnusedRoles(t *testing.T) {
	t.Parallel()
	unused := []lint.RoleSetting{{Role: lint.RoleTest, Glob: "e2e", At: lint.Source{Pos: lint.Point("x.yaml", 3, 5)}}}
	for _, test := range []struct {
		story string
		rules map[string]lint.Severity
		all   []lint.RoleSetting
		want  int
	}{
		{"one is told", nil, unused, 1},
		{"all that are used", nil, nil, 0},
		{"the rule is off", map[string]lint.Severity{UnusedRule.ID: lint.Off}, unused, 0},
	} {
		run := &Run{Config: &lint.Config{Path: "x.yaml", Rules: test.rules}, UnusedRoles: test.all}
		found := run.Unused(nil)
		if len(found) != test.want {
			t.Errorf("%s: %v", test.story, found)
		}
		for _, f := range found {
			if f.Pos.Line != 3 || f.Rule != UnusedRule || f.Severity != UnusedRule.Severity {
				t.Errorf("%s: %+v", test.story, f)
			}
		}
	}
}
