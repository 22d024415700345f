package run

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// commands have the findings of rules about CRDs as they are, and about what else commands are about.
var commands = map[string]string{
	"": "crdlift lint", AboutChanges: "crdlift breaking", AboutObjects: "crdlift validate", AboutConversions: "crdlift webhook test", AboutSuites: "crdlift test",
	AboutMigrations: "crdlift migrate",
}

// aboutOf is what a rule is about; "" for CRDs as they are.
func aboutOf(r *lint.Rule) string {
	switch {
	case r.Object:
		return AboutObjects
	case r.Conversion:
		return AboutConversions
	case r.Suite:
		return AboutSuites
	case r.Migration:
		return AboutMigrations
	case r.AboutChange:
		return AboutChanges
	}
	return ""
}

// readOnly puts --only into the configuration. A run that never has findings of any of the rules is rejected: a check that cannot
// run must not look like one that found nothing. Of a rule beside others that is only said.
func (f *Flags) readOnly(c *lint.Config) error {
	var none error
	runs := false
	for _, glob := range f.Only {
		ids, err := matching(c, glob)
		if err != nil {
			return err
		}
		c.Only = append(c.Only, ids...)
		for _, id := range ids {
			why, todo := f.idle(rules.ByID(id), c)
			switch {
			case why == "":
				runs = true
			case len(ids) == 1:
				idle := fmt.Sprintf("--only %s: the rule %s", id, why)
				f.idleOnly = append(f.idleOnly, idle+"; "+todo)
				none = cmp.Or(none, UsageError(idle, todo))
			default:
				none = cmp.Or(none, UsageError(fmt.Sprintf("--only %s: none of these rules has findings here; %s %s", strings.Join(f.Only, ","), id, why), todo))
			}
		}
	}
	if runs {
		return nil
	}
	return none
}

// idle says why a run never has findings of a rule, and what to do to have them; "" for a rule of which it may have some.
func (f *Flags) idle(r *lint.Rule, c *lint.Config) (why, todo string) {
	about := aboutOf(r)
	switch {
	case f.Audits:
		return "", ""
	case r.Audit:
		return "is about clusters, which '" + commands[f.About] + "' does not check", "run 'crdlift audit' for it"
	case r.HidesCRD || f.About == AboutObjects && about == "" && rules.ReportsOnObjects(r.ID, false):
		return "", ""
	case r.Requirement && f.Require == "" && (f.About == "" || f.About == AboutChanges):
		return "compares with the CRDs of --require, and none are named", "name them with 'crdlift breaking --require'"
	case f.About == "" && about == AboutChanges && f.Against == "":
		return "compares with an earlier version, and none is named", "name it with --new-only, or run 'crdlift breaking'"
	case about != f.About && (f.About != "" || about != AboutChanges):
		return fmt.Sprintf("is about %s, which '%s' does not check", cmp.Or(about, "CRDs as they are"), commands[f.About]), fmt.Sprintf("run '%s' for it", commands[about])
	case f.Require != "" && !r.Requirement:
		return "is about what changes, and not about what is needed, as --require asks", "run 'crdlift breaking' a second time, without --require"
	case about == AboutObjects && !rules.ReportsOnObjects(r.ID, f.Against != "") && f.Against != "":
		return "is not about CRDs that are replaced, as --against asks", "run 'crdlift validate' a second time, without --against"
	case about == AboutObjects && !rules.ReportsOnObjects(r.ID, f.Against != ""):
		return "is about CRDs that are replaced, and none are named", "name the earlier CRDs with --against"
	case f.Unasked[r.ID] != "":
		return "has no findings with " + f.Unasked[r.ID], "leave out one of the two"
	}
	return rules.WhyIdle(r.ID, c, !f.passesOverGo(c))
}
