package engine

import (
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/template"
	"github.com/crdlift/crdlift/lint"
)

// A Kind is what a run judges in the documents of files: CRDs, or what another package hands in.
type Kind interface {
	// Split returns the documents of a text, which are looked at more than once if they are to be kept; nil for a text that has
	// nothing to judge, and may be any data, and large.
	Split(path string, text []byte, mask *template.MaskedTemplate, keep bool) *manifest.File
	// MayHold reports whether a text could hold something to judge, so that it matters where it does not parse.
	MayHold(text []byte) bool
	// Judge returns what judges the documents of a file and adds to the report on it.
	Judge(l *Linter, f *manifest.File, out *FileReport) Judge
	// Runs reports whether the run has a rule.
	Runs(*lint.Rule) bool
	// Discreet is the Kind for what becomes of a text, and hides what is hidden of that: a change may take away what tells so.
	Discreet(path string, text []byte) Kind
}

// A Judge judges the documents of one file. It stays in the report on the file.
type Judge interface {
	Document(d *manifest.Document, config *lint.Config) // also one that does not parse
	End(f *manifest.File)                               // once all documents are judged
	Conceals() bool                                     // whether messages must not have text of the file
}

func (l *Linter) kind() Kind {
	if l.Kind == nil {
		return crds{l.Conversions != nil}
	}
	return l.Kind
}

// judgesCRDs reports whether the run judges CRDs, and does not only test their conversions.
func (l *Linter) judgesCRDs() bool { return l.kind() == Kind(crds{}) }
