package rules

import (
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/crds"
)

// Explainer explains refusals in the words of the rules; it is for convert.Explained.
func Explainer() lint.Explainer { return crds.Explainer(allRules) }
