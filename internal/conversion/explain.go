package conversion

import (
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/lint"
)

// An Explainer takes the notes that are an API server's own words out of an outcome, and returns what the rules of the linter
// say instead; notes that no rule speaks about stay.
type Explainer interface {
	lint.Explainer
	Explain(*manifest.Document, *Outcome, policy.Options) []*lint.Finding
}
