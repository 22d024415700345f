package conversion

import (
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/lint"
)

// Explain takes the notes that are an API server's own words out of an outcome, and returns what the rules of the linter
// say instead; notes that no rule speaks about stay. Only package convert calls it, which is above the rules. It is a
// variable, which package rules sets, since rules cannot export a function of these types without showing them to outside
// programs; log/internal.DefaultOutput serves log/slog in the same way.
var Explain func(*manifest.Document, *Outcome, policy.Options) []*lint.Finding
