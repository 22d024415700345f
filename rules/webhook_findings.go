package rules

import (
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/webhook"
	"github.com/crdlift/crdlift/lint"
)

// tested makes the function of a rule about a property of conversions.
func tested(property webhook.Property, message func(*engine.Pass, *webhook.Finding) text.Text) func(*engine.Pass) {
	return func(p *engine.Pass) {
		for found, replay := range p.Broken(property) {
			f := p.Reportf(placeOf(p, found), "%s", message(p, found))
			if found.Grade == webhook.Minor {
				f.AtMost(lint.Warning)
			}
			f.Versions = versionsOf(found.Pair)
			f.Field, f.Old, f.New, f.Replay = found.Path.Field(), found.Was, found.Is, replay
			if found.Object != nil {
				f.Witness = found.Object
			}
		}
	}
}

// versionsOf are the versions of a pair, each once; none for what is about no pair.
func versionsOf(pair webhook.Pair) []string {
	all := slices.Compact([]string{pair.From, pair.To})
	return slices.DeleteFunc(all, func(name string) bool { return name == "" })
}

// placeOf is where the CRD declares what a finding is about: the schema of the value or, where there is none, of the nearest one
// above; else the version, or what it says of conversions.
func placeOf(p *engine.Pass, f *webhook.Finding) crd.Place {
	name := f.Version
	if name == "" || len(f.Path) == 0 {
		name = f.Pair.To
	}
	for _, v := range p.CRD.Versions() {
		if v.Name != name {
			continue
		}
		if root := v.Root(); root != nil && len(f.Path) > 0 {
			s, _ := objects.SchemaBelow(root, f.Path)
			return s.Place
		}
		return v.At.At("name")
	}
	c := conversionOf(p.CRD)
	if f.Property == webhook.ReviewVersion && c.reviews.Node != nil {
		return c.reviews
	}
	if c.at.Node != nil {
		return c.at.At("strategy")
	}
	return crd.Place{Node: p.CRD.Node}
}

// way names the conversion that a finding is about: "v1 → v2".
func way(f *webhook.Finding) text.Text {
	return text.Sprintf("%s → %s", text.Value(f.Pair.From), text.Value(f.Pair.To))
}

// roundTrip names it with the way back: "v1 → v2 → v1".
func roundTrip(f *webhook.Finding) text.Text {
	return text.Sprintf("%s → %s", way(f), text.Value(f.Pair.From))
}

// fieldAt names the value that a finding is about.
func fieldAt(f *webhook.Finding) text.Text {
	if len(f.Path) == 0 {
		return text.Sprintf("the object")
	}
	return text.Path(f.Path.Field())
}

// inBrackets names that value at the end of a sentence; nothing for a finding about the object as a whole.
func inBrackets(f *webhook.Finding) text.Text {
	if len(f.Path) == 0 {
		return text.Text{}
	}
	return text.Sprintf(" (%s)", fieldAt(f))
}

// detail has the further words about a finding, if there are any.
func detail(f *webhook.Finding) text.Text {
	if f.Detail == "" {
		return text.Text{}
	}
	return text.Sprintf(": %s", text.Reason(f.Detail))
}

// whyRefused says why an object is refused.
func whyRefused(f *webhook.Finding) text.Text {
	if f.Detail == "" {
		return fieldAt(f)
	}
	return text.Reason(f.Detail)
}

// became says what became of a value: "loses spec.size".
func became(f *webhook.Finding) text.Text {
	switch f.Change {
	case webhook.Lost:
		return text.Sprintf("loses %s", fieldAt(f))
	case webhook.Added:
		return text.Sprintf("adds %s", fieldAt(f))
	case webhook.Changed:
		if isScalar(f.Was) && isScalar(f.Is) {
			was, is := text.Apart(jsonOf(f.Was), jsonOf(f.Is))
			return text.Sprintf("changes %s from %s to %s", fieldAt(f), was, is)
		}
	}
	return text.Sprintf("changes %s", fieldAt(f))
}

// isScalar reports whether a value is neither an object nor a list.
func isScalar(v any) bool {
	switch v.(type) {
	case map[string]any, []any:
		return false
	}
	return true
}

// counted says how many objects show a finding.
func counted(f *webhook.Finding) text.Text {
	if f.Seen == 0 {
		return text.Text{}
	}
	return text.Sprintf(" (in %d of %s that %s it)", f.Shown, text.Count(f.Seen, "object"), text.Verb(f.Seen, "has", "have"))
}

// consequence says what fails with a conversion.
func consequence(p *engine.Pass, f *webhook.Finding) text.Text {
	storage := storageVersion(p.CRD)
	switch {
	case storage == nil:
		return text.Text{}
	case storage.Name == f.Pair.From:
		return text.Sprintf(", and with it lists at %s", text.Value(f.Pair.To))
	case storage.Name == f.Pair.To:
		return text.Sprintf(", and with it writes at %s", text.Value(f.Pair.From))
	}
	return text.Text{}
}
