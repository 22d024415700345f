// Package objects has the rules about custom resources. Read causes.go first: it says which rule tells what an API server refuses.
package objects

import (
	"slices"

	"github.com/crdlift/crdlift/internal/objectpass"
	"github.com/crdlift/crdlift/lint"
)

// The rules of each topic.
var (
	Rules   = slices.Concat(matchRules, objectFieldRules, objectText, objectValues, objectCEL, objectMetadata, objectSizes, []*objectpass.Rule{sampleMissing, crdRefused})
	Upgrade = append(upgradeRules, kindGone)
)

// check makes a rule of what nearly all rules have.
func check(severity lint.Severity, id, summary string, run func(*objectpass.Pass)) *objectpass.Rule {
	return &objectpass.Rule{ID: id, Summary: summary, Severity: severity, Run: run}
}

// following makes a rule silent where one of others has something to say of the same place: that is the cause.
func following(causes []string, r *objectpass.Rule) *objectpass.Rule {
	r.Follows = causes
	return r
}
