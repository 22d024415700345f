package cli

import (
	"cmp"
	"slices"

	"github.com/crdlift/crdlift/convert"
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// explain says in the linter's words what a conversion only has in the API server's: at the node that the user wrote,
// each mistake once, and what to do about it.
func explain(path string, src []byte, options policy.Options, result *convert.Result) {
	if !slices.ContainsFunc(result.CRDs, func(c convert.CRD) bool { return len(unexplained(c)) > 0 }) {
		return
	}
	linter := &rules.Linter{Config: &lint.Config{Convert: options}}
	findings := linter.File(path, src).Findings
	for i := range result.CRDs {
		c := &result.CRDs[i]
		open := unexplained(*c)
		said := map[string]bool{}
		var notes []convert.Note
		for _, f := range findings {
			if f.RefusedBy == "" && f.Foreseen == "" || f.Document != c.Document || f.Resource != c.Name {
				continue
			}
			if id := explains(f.Rule.ID, open); id != "" {
				said[id] = true
				notes = append(notes, convert.Note{Class: policy.Report, ID: f.Rule.ID, Message: cmp.Or(f.Foreseen, f.Message), Brief: f.Brief, Document: c.Document, Resource: c.Name,
					Path: f.Path, Pos: f.Pos})
			}
		}
		c.Notes = append(slices.DeleteFunc(c.Notes, func(n convert.Note) bool { return n.Unexplained && said[n.ID] }), notes...)
	}
}

// unexplained are the rules of a CRD's notes that are in the API server's words.
func unexplained(c convert.CRD) map[string]bool {
	open := map[string]bool{}
	for _, n := range c.Notes {
		if n.Unexplained {
			open[n.ID] = true
		}
	}
	return open
}

// explains is the rule among the open ones that a finding of another may speak about; "" for none. What a server cannot
// even read, the linter has rules of its own for.
func explains(rule string, open map[string]bool) string {
	switch {
	case open[rule]:
		return rule
	case open[engine.UnmatchedRule] && (rule == "wrong-type" || rule == "webhook-cabundle-invalid"):
		return engine.UnmatchedRule
	}
	return ""
}
