package report

import (
	"testing"

	"github.com/crdlift/crdlift/lint"
)

// ofCarried is a report with all that can become of the migration of custom resources.
func ofCarried(would bool) *lint.Report {
	return &lint.Report{Files: []string{plainFile}, Carried: &lint.Carried{
		Would: would, Files: 2, Objects: 5, Patches: 1, Templates: 2, References: 3, Comments: 1, There: 4, Refused: 1, NoTarget: 6, NoCRD: 7, Printed: 8,
		LeftOut: map[lint.Role]int{lint.RoleTest: 9},
	}}
}

func TestCarriedSummary(t *testing.T) {
	t.Parallel()
	const rest = "; 1 left as it is; 6 of kinds without the version; 7 without a CRD; 8 in templates that print the apiVersion; 4 there already; " +
		"left out: 9 in tests (name a file to migrate its objects)"
	for _, c := range []struct {
		report *lint.Report
		want   string
	}{
		{ofCarried(false), "no findings; 5 objects migrated in 2 files (1 in patches) (2 in templates); 3 references followed; 1 schema comment followed" + rest},
		{ofCarried(true), "no findings; 5 objects would be migrated in 2 files (1 in patches) (2 in templates); 3 references would follow; " +
			"1 schema comment would follow" + rest},
		{&lint.Report{Carried: &lint.Carried{There: 1}}, "no findings; there is nothing to migrate; 1 there already"},
		{&lint.Report{Carried: &lint.Carried{NoCRD: 1}}, "no findings; no object is migrated; 1 without a CRD"},
		{&lint.Report{Carried: &lint.Carried{Refused: 2}}, "no findings; no object is migrated; 2 left as they are"},
	} {
		if got := Summary(c.report); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}
