package engine

import (
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// A Finding is what a rule reports about one place, with what only the run knows of it. That is gone once its file is
// done, but for PatchedBy.
type Finding struct {
	*lint.Finding
	At  crd.Place // node, path as the user wrote it
	Fix *Fix      // nil when there is none
	// PatchedBy reports whether a patch of the same CRD, in any file of the run, gives it what the finding misses. It is
	// nil where no patch does.
	PatchedBy func(crd.Patch) bool
	// About is the message about several versions and items, and about none what those messages have in common. Nil for
	// a message that is not about versions.
	About func(versions, items []string) text.Text

	rule  *Rule
	index int // of the CRD among those of its document
}

// A Fix changes the tree; the zero Fix is not safe. Title, Safe and Reveals are those of lint.Fix.
type Fix struct {
	Title         string
	Safe, Reveals bool
	// Apply changes a CRD, which is a copy of the one the finding is about: it finds its node by path. It reports
	// whether it did anything.
	Apply func(*crd.CRD) bool
	// Writes are the keywords that the fix writes, with their values: "x-kubernetes-list-type: map". It is nil where the
	// place of the finding tells. "optional" stands for a field that is no longer required.
	Writes []string

	source string          // where it has to be made to last; see lint.Fix
	edits  []lint.TextEdit // where Linter.Edits asks for them
}

// complete fills in what the values say of the place, the fix and the message.
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

// say sets the message.
func (f *Finding) say(message text.Text) {
	f.Message, f.Brief = text.OneLine(message.String()), text.OneLine(message.Brief())
	if f.Brief == f.Message {
		f.Brief = ""
	}
}

// Advise adds to the message what the author of the change is to do.
func (f *Finding) Advise(advice string) *Finding {
	advice = text.OneLine(advice)
	f.Advice = advice
	f.Message += "; " + advice
	if f.Brief != "" {
		f.Brief += "; " + advice
	}
	return f
}

// Together ties findings of a rule that say the same of several places of a CRD. Each is one of its own, with its place,
// its message and its fix; outputs for people make one entry of them.
func Together(findings []*Finding) {
	if len(findings) < 2 {
		return
	}
	for _, f := range findings {
		f.First = findings[0].Finding
	}
}
