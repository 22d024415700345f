package engine

import (
	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/lint"
)

// A Rule is one check of CustomResourceDefinitions, with everything that the command line, the configuration, the
// outputs and the catalogue use of it.
type Rule struct {
	ID       string        // "conversion-review-versions-order"; its first word is the topic
	Was      []string      // earlier ids
	Summary  string        // completes "reports ..."
	Severity lint.Severity // unless the configuration disagrees
	Preset   lint.Preset   // the smallest preset that runs it
	NeedsOld bool          // runs only when there is an older CRD to compare with
	// AboutChange is true for a rule that reports what changed and does not need an older CRD for it.
	AboutChange bool
	HidesCRD    bool // reports what keeps a CRD from being found in its file
	Excess      bool // runs also for a CRD that is Excessive: it does not look at each schema
	Reading     bool // says why a CRD cannot be decoded
	// FixesGo says that the markers of its remedies may be written although it has no fix for manifests: every author
	// would write them. Those of other rules without a fix are only shown.
	FixesGo bool
	// Follows are the rules that tell the cause: it is silent where one of them has something to say of the same place.
	Follows []string
	// DependsOn are the paths of the values that the rule compares with other places, "*.storage" for all paths with
	// that end, with [*] for every index: the rule is silent where such a value is of a wrong type.
	DependsOn []string
	// Presence is true for a rule that reports that a field is there, whatever its value.
	Presence bool
	// Annotates is true for a rule that reports that an annotation is missing.
	Annotates bool
	// Meant returns the field that an unknown field was meant to be, "" where that is not clear or the server does
	// not refuse the manifest for it; nil for rules that do not report such fields. Where it reports errors, the others
	// look at a copy with the right names: what only follows from a misspelling is not reported.
	Meant func(*crd.CRD, crd.UnknownField) string
	Run   func(*Pass) // looks at one CRD; keeps no state, cannot fail
	// Conversion is true for a rule that looks at what a test of the conversion between versions found, in runs that test
	// conversions, and at nothing else.
	Conversion bool
	Across     func(*Set) // looks at all CRDs of a run together, once each has been looked at alone
}

// Value is what users of the rule know of it.
func (r *Rule) Value() lint.Rule {
	return lint.Rule{
		ID: r.ID, Was: r.Was, Summary: r.Summary, Severity: r.Severity, Preset: r.Preset, NeedsOld: r.NeedsOld,
		AboutChange: r.NeedsOld || r.AboutChange, Across: r.Across != nil || r.NeedsOld && r.Run == nil, HidesCRD: r.HidesCRD,
		Conversion: r.Conversion,
	}
}

// SeverityIn is that of a rule under the configuration for a file; Off when it does not run.
func (r *Rule) SeverityIn(c *lint.Config) lint.Severity {
	value := r.Value()
	return config.Severity(c, &value)
}
