// Package engine is the engine of the linter: it runs rules over the CustomResourceDefinitions of files, finds the
// positions of findings, applies fixes and proves them, and honours what the configuration, comments and a baseline
// ignore. Rules are values that are passed to it; it has only those about its own operation.
package engine

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/fast"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/suppress"
	"github.com/crdlift/crdlift/internal/template"
	"github.com/crdlift/crdlift/internal/vicinity"
	"github.com/crdlift/crdlift/lint"
)

// A Linter runs rules. Its methods may be called from several goroutines.
type Linter struct {
	lint.Options
	vicinity.Sources
	Rules []*Rule
	// Kind is what the run judges; nil for CRDs.
	Kind Kind
	// Others are rules that other runs have, which the configuration and comments may name.
	Others lint.Rules
	// Conversions are tests of the conversion between versions. The run reports what they find then, and does not judge CRDs; nil for
	// a run that tests none.
	Conversions *Conversions
	// Record collects what a report depends on beside the file and the options, for Keep; nil where nobody wants to know.
	Record *vicinity.Record
	// Answers are those that API servers gave on CRDs before, by their nodes; nil for none. They are not asked again.
	Answers map[*yaml.Node]fast.Verdict
}

// around is what is around a file.
func (l *Linter) around(file string) vicinity.Vicinity {
	return vicinity.Vicinity{Sources: l.Sources, Path: file, Record: l.Record}
}

// Configuration is that of the run; never nil.
func (l *Linter) Configuration() *lint.Config {
	if l.Config == nil {
		return &lint.Config{}
	}
	return l.Config
}

// A FileReport holds the findings about one file by itself, and the data that Report needs.
type FileReport struct {
	lint.FileReport

	Found     []*Finding // whose trees are still there
	patchable []*Finding // that a patch in another file may settle
	editWork  int        // nodes of documents that edits were made from
	comments  []*suppress.Comment
	summaries []*Summary
	Judged    []suppress.Subject // the CRDs of the objects that were judged
	patches   []crd.Patch

	unmasked error // why a template in one of its worlds does not parse

	Judge Judge // of its documents; nil where there are none
}

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
