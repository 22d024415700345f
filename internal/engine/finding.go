package engine

import (
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// A Finding is a rule's report about one place, with data that is only needed during the run. Except for PatchedBy,
// that data is dropped when its file is done.
type Finding struct {
	*lint.Finding
	At  crd.Place // node, path as the user wrote it
	Fix *Fix      // nil when there is none
	// PatchedBy is the part that the finding misses, which a patch of the same CRD may add in any file of the run. It is nil
	// where no patch does.
	PatchedBy *crd.Lack
	// About is the message about several versions and items, and about none what those messages have in common. Nil for
	// a message that is not about versions.
	About func(versions, items []string) text.Text

	// Strict says that the API server refuses a custom resource for it when it is asked for strict field validation, as by
	// kubectl, and only then.
	Strict bool

	By    *Rule
	Index int  // of the CRD among those of its document
	ofOld bool // it names a file of the older side, which is called otherwise in the next revision
}

// A Fix changes the tree; the zero Fix is not safe. Title, Safe and Reveals are those of lint.Fix.
type Fix struct {
	Title         string
	Safe, Reveals bool
	// Apply changes a CRD, which is a copy of the one the finding is about: it finds its node by path. It reports
	// whether it did anything. Object does the same to a custom resource, and is nil for a finding about a CRD.
	Apply  func(*crd.CRD) bool
	Object func(*objects.Object) bool
	// Within are the paths of the schemas that Apply looks at and changes, with all that is in them and the keywords of the
	// schemas around them. The edits of such a fix are made in an excerpt of the document, which has not all their
	// siblings: that takes no longer in a large document. Nil says that it may look at anything.
	Within []string

	source string          // where it has to be made to last; see lint.Fix
	edits  []lint.TextEdit // where Linter.Edits asks for them
}

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
