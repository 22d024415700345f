package lint

import (
	"fmt"
	"regexp"
)

// A Likeness is what findings about several objects have in common that say the same of each. Findings about CRDs are unlike any
// other.
type Likeness struct {
	Severity                       Severity
	Rule, APIVersion, Kind, Ground string
	Field                          string // that it is about, where the CRD has no place of its own for it
	Operation                      string
	Ignored                        string
	IgnoredBy                      Suppression
}

// Likeness is that of a finding about an object.
func (f *Finding) Likeness() Likeness {
	k := Likeness{Severity: f.Severity, Rule: f.Rule.ID, Operation: f.Operation, Ignored: f.Ignored, IgnoredBy: f.IgnoredBy, Ground: f.ground(), Field: f.Field}
	if f.Object != nil {
		k.APIVersion, k.Kind = f.Object.APIVersion, f.Object.Kind
	}
	return k
}

var numbers = regexp.MustCompile(`[0-9]+`)

// ground is what a finding about an object has in common with others of its rule: the place in the CRD or, where there is none,
// the message without the numbers of items.
func (f *Finding) ground() string {
	for _, other := range f.Related {
		if at := other.Pos; at.File != f.Pos.File {
			return fmt.Sprintf("%s:%d:%d", at.File, at.Line, at.Column)
		}
	}
	return numbers.ReplaceAllString(f.Message, "0")
}

// Count is how many findings it stands for: itself, and those like it that are only counted.
func (f *Finding) Count() int { return 1 + f.More }
