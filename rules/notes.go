package rules

import (
	"slices"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/conversion"
	"github.com/crdlift/crdlift/lint"
)

// notesTopic is the folder of the pages about notes of conversions.
const notesTopic = "conversion-notes"

// noteSeverities tell how much a note of a class matters to those who read findings.
var noteSeverities = map[policy.Class]lint.Severity{policy.Safe: lint.Info, policy.Changes: lint.Warning, policy.Report: lint.Error}

// noteKinds are the kinds of notes of conversions, for outputs that only know rules. They never run.
var noteKinds = func() (all lint.Rules) {
	for _, k := range conversion.Kinds {
		all = append(all, &lint.Rule{ID: k.ID, Summary: k.Summary, Severity: noteSeverities[k.Class]})
	}
	return all
}()

// Notes returns the kinds of notes that conversions make, which are not rules: nothing turns them off.
func Notes() []*lint.Rule { return slices.Clone(noteKinds) }

// NoteSeverity returns how much a note of a class matters to those who read findings.
func NoteSeverity(class policy.Class) lint.Severity { return noteSeverities[class] }
