package lint

import (
	"fmt"
	"slices"
)

// A Rule describes one check of CustomResourceDefinitions.
type Rule struct {
	ID          string   // "conversion-review-versions-order"; its first word is the topic
	Summary     string   // completes "reports ..."
	Severity    Severity // unless the configuration disagrees
	Preset      Preset   // the smallest preset that runs it
	NeedsOld    bool     // it runs only when there is an older CRD to compare with
	AboutChange bool     // it reports what changed since the older CRD
	Requirement bool     // it takes the older CRD for one that is needed, as `crdlift breaking --require` does
	Across      bool     // its findings depend on the set of files
	HidesCRD    bool     // it reports what keeps a CRD from being found in its file
	Object      bool     // it is about custom resources, which `crdlift validate` judges, and not about CRDs
	Audit       bool     // it is about a dump of a cluster, which `crdlift audit` looks at
	Conversion  bool     // it is about what `crdlift webhook test` finds of a conversion between versions
	Suite       bool     // it is about suites of tests of CRDs, which `crdlift test` runs
	Migration   bool     // it is about custom resources that `crdlift migrate` carries to another version
	Was         []string // earlier ids, which configurations, ignores and baselines may still have
}

// Rules are the rules that there are.
type Rules []*Rule

// ByID returns the rule of an id, the present one or an earlier one; nil without one.
func (all Rules) ByID(id string) *Rule {
	for _, r := range all {
		if r.ID == id || slices.Contains(r.Was, id) {
			return r
		}
	}
	return nil
}

// Renamed returns a message for users of a rule's earlier id; the rule must exist.
func (all Rules) Renamed(was string) string {
	return fmt.Sprintf("rule %s is now called %s; write the new name", was, all.ByID(was).ID)
}

// IDs are the present ids of the rules.
func (all Rules) IDs() []string {
	ids := make([]string, len(all))
	for i, r := range all {
		ids[i] = r.ID
	}
	return ids
}

// An Explainer has the words of rules for what an API server rejects, which a conversion has otherwise in the server's words.
// rules.Explainer returns it; another one changes nothing.
type Explainer interface {
	// Explains reports whether it has words for the rejections of the rule with an id.
	Explains(rule string) bool
}
