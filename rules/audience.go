package rules

import (
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/lint"
)

// asked reports whether somebody wants more of the rule that runs than what most would act on: who names the rule, or takes
// a stricter preset.
func asked(p *engine.Pass) bool {
	_, named := p.Config.Rules[p.Rule().ID]
	return named || len(p.Config.Only) > 0 || p.Config.Preset > lint.Recommended
}
