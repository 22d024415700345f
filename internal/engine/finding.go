package engine

import (
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// complete fills in the values for the place, the fix and the message.
func (f *Finding) complete() {
	f.Path = f.At.Path
	if f.Fix != nil {
		f.Finding.Fix = &lint.Fix{Title: f.Fix.Title, Safe: f.Fix.Safe, Reveals: f.Fix.Reveals, Source: f.Fix.source, Edits: f.Fix.edits}
	}
	if about := f.About; about != nil {
		f.Finding.About = func(versions, items []string) (message, brief string) {
			said := about(versions, items)
			return text.OneLine(said.String()), text.OneLine(said.Brief())
		}
	}
}

// Say sets the message.
func (f *Finding) Say(message text.Text) {
	f.Message, f.Brief = text.OneLine(message.String()), text.OneLine(message.Brief())
	if f.Brief == f.Message {
		f.Brief = ""
	}
}

// Advise adds advice for the author of the change to the message.
func (f *Finding) Advise(advice string) *Finding {
	advice = text.OneLine(advice)
	f.Advice = advice
	f.Message += "; " + advice
	if f.Brief != "" {
		f.Brief += "; " + advice
	}
	return f
}

// Relate adds another place that the finding speaks about.
func (f *Finding) Relate(at lint.Position, message string) *Finding {
	f.Related = append(f.Related, lint.Related{Pos: at, Message: text.OneLine(message)})
	return f
}

// Together links findings of a rule that report the same for several places of a CRD. Each remains separate, with its
// place, its message and its fix; outputs for people show them as one entry.
func Together(findings []*Finding) {
	if len(findings) < 2 {
		return
	}
	for _, f := range findings {
		f.First = findings[0].Finding
	}
}
