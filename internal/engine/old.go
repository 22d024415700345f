package engine

import (
	"fmt"
	"slices"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// Old returns the earlier version of the CRD; nil when there is nothing to compare with, or no CRD of that name in it.
func (p *Pass) Old() *older.CRD { return p.old }

// Requires reports whether the CRD is compared with what a program needs, rather than with what there was.
func (p *Pass) Requires() bool { return p.linter.Requirement }

// locateOld returns the position of a place in an old CRD.
func locateOld(o *older.CRD, at crd.Place) lint.Position {
	was := subject{document: o.Document, crd: o.CRD}
	return was.locate(at)
}

// Was adds the related place in the earlier version to a finding.
func (p *Pass) Was(f *Finding, at crd.Place, message string) *Finding {
	f.ofOld = true
	f.Related = append(f.Related, lint.Related{Pos: locateOld(p.old, at), Message: text.OneLine(message)})
	return f
}

// Removed reports that a CRD is gone, or missing though it is needed, at the file that held it. That file may be one of those that were read, or
// gone as well. It reports whether there is anything to say.
func (l *Linter) Removed(file *lint.FileReport, old *older.CRD) bool {
	rule, message, was := RemovedRule, "%s is deleted, and deleting a CRD deletes all objects of its kind; restore it, unless that is meant", "it was here"
	if l.Requirement {
		rule, message, was = MissingRule, "%s is needed and missing; install its CRD", "the CRD of --require"
	}
	severity := rule.SeverityIn(config.ForFile(l.Configuration(), file.Path))
	if severity == lint.Off {
		return false
	}
	name, _ := old.CRD.Resolve([]string{"metadata", "name"})
	file.Findings = append(file.Findings, &lint.Finding{
		Rule: rule.Value(), Severity: severity, Resource: old.CRD.Name(),
		Message: fmt.Sprintf(message, old.CRD.Name()),
		Source:  lint.Source{Pos: lint.Point(file.Path, 1, 1)},
		Related: []lint.Related{{Pos: locateOld(old, name), Message: was}},
	})
	slices.SortStableFunc(file.Findings, (*lint.Finding).Compare)
	return true
}
