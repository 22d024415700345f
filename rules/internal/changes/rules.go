// Package changes has the rules about what changed in a CRD. Read changes.go and remarks.go first: a rule makes remarks of the
// changes that it is about, one for what is alike in several versions.
package changes

import (
	"slices"

	"github.com/crdlift/crdlift/internal/engine"
)

// Rules are all rules about changes.
var Rules = comparing(versionRules, fieldRules, constraintRules, clientRules, converterRules)

// comparing are the rules of some lists as ones that need an older CRD.
func comparing(lists ...[]*engine.Rule) []*engine.Rule {
	all := slices.Concat(lists...)
	for _, r := range all {
		r.NeedsOld = true
	}
	return all
}
