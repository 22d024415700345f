package objectpass

import (
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/lint"
)

// An Rule is one check of custom resources, with everything that the command line, the configuration, the outputs and
// the catalogue use of it. Its fields are those of engine.Rule, but for what it looks at.
type Rule struct {
	ID       string
	Was      []string
	Summary  string
	Severity lint.Severity
	Preset   lint.Preset
	Follows  []string
	Run      func(*Pass) // looks at one custom resource; keeps no state, cannot fail
	// Mismatch is true for a rule that looks at the custom resources that cannot be judged, as their CRD is missing, say, and
	// at no others.
	Mismatch bool
	// Upgrade is true for a rule that looks at what becomes of custom resources when their CRD is replaced, in runs that ask for
	// that, and at nothing else.
	Upgrade bool
	// OncePerCRD is true for a rule that reports something of a CRD at its custom resources: at the first of a run.
	OncePerCRD bool
	// Samples looks at all custom resources of a run together, once each has been judged alone.
	Samples func(*SampleSet)
}

// Value is what users of the rule know of it.
func (r *Rule) Value() lint.Rule {
	value := r.facts().Value()
	value.Object, value.Across = true, r.Samples != nil
	return value
}

// facts are what findings know of the rule.
func (r *Rule) facts() *engine.Rule {
	return &engine.Rule{ID: r.ID, Was: r.Was, Summary: r.Summary, Severity: r.Severity, Preset: r.Preset, Follows: r.Follows}
}
