package engine

import (
	"fmt"
	"slices"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/suppress"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// ReplacedRule is about patches, which are not whole objects. It has no Run; the caller that builds kustomizations calls
// Replaced.
var ReplacedRule = &Rule{
	ID:       "kustomize-list-replaced",
	Summary:  "patches of kustomize that lose items of a custom resource's list, for the lack of a merge key",
	Severity: lint.Warning,
}

// A ReplacedList is a list of a custom resource that a patch of a kustomization puts in the place of the base's.
type ReplacedList struct {
	in   *manifest.Document
	at   lint.Position
	path string
	lost int
	crd  string
}

// Replaces is the list at a position of a patch and at a path of the object, of which the base loses so many items. The CRD of the object
// is in a file that messages name.
func Replaces(in *manifest.Document, at lint.Position, path string, lost int, crd string) ReplacedList {
	return ReplacedList{in, at, path, lost, crd}
}

// Replaced reports that a list of a patch loses items of the base, and notes the ignores in the comments of its document. No source
// line is shown, which may have values.
func (l *Linter) Replaced(file *FileReport, list ReplacedList) {
	c := config.ForFile(l.Configuration(), file.Path)
	severity, d, at, path, lost := ReplacedRule.SeverityIn(c), list.in, list.at, list.path, list.lost
	at.File = file.Path
	told := func(f *lint.Finding) bool { return f.Rule.ID == ReplacedRule.ID && f.Pos == at && f.Path == path }
	if severity == lint.Off || slices.ContainsFunc(file.Findings, told) { // several kustomizations build with the patch
		return
	}
	if !slices.ContainsFunc(file.Judged, func(s suppress.Subject) bool { return s.Document == d.Index }) {
		file.Judged = append(file.Judged, suppress.Subject{Document: d.Index, Partly: true})
		l.ReadIgnores(d, "", c, file)
	}
	file.Findings = append(file.Findings, &lint.Finding{
		Rule: ReplacedRule.Value(), Severity: severity, Document: d.Index, Path: path, Source: lint.Source{Pos: at},
		Message: fmt.Sprintf("%s is replaced, and %s of the base %s or %s fields; set openapi.path to the output of 'crdlift schema --format kustomize-openapi %s'",
			path, text.Count(lost, "item"), text.Verb(lost, "is lost", "are lost"), text.Verb(lost, "loses", "lose"), text.ShellWord(list.crd)),
	})
	slices.SortStableFunc(file.Findings, (*lint.Finding).Compare)
}
