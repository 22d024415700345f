package engine

import (
	"fmt"
	"slices"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/limit"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// Exceed reports at a place of a file that a limit is exceeded. It is an info where nothing that fails a run can be behind the limit.
func (l *Linter) Exceed(file *lint.FileReport, name string, at lint.Source, format string, args ...any) {
	severity := LimitRule.SeverityIn(config.ForFile(l.Configuration(), file.Path))
	if limit.Of(name).Exit == 0 {
		severity = min(severity, lint.Info)
	}
	if severity == lint.Off {
		return
	}
	file.Findings = append(file.Findings, &lint.Finding{Rule: LimitRule.Value(), Severity: severity, Message: fmt.Sprintf(format, args...), Source: at})
}

// exceedBranches reports the branches of a template that are in no world.
func (l *Linter) exceedBranches(opened *manifest.Contents, out *FileReport) {
	if opened.Unseen == nil {
		return
	}
	action, line := opened.Template.Begins(opened.Unseen)
	world := opened.Worlds[0]
	l.Exceed(&out.FileReport, "template-branches", world.SourceAt(lint.Point(out.Path, line, 1)),
		"this template has %s that %s not checked, the first in the block of %s; split the template", Unseen(world), text.Verb(world.Unseen, "is", "are"), action)
}

// exceedOlder reports that the older form of a CRD is in a template of which not all branches are in a world, unless nothing in it
// has changed.
func (l *Linter) exceedOlder(older, now *manifest.File, at lint.Source, out *FileReport) {
	if older.Unseen == 0 || now.Mask != nil && now.Mask.Source == older.Mask.Source {
		return
	}
	l.Record.DependsOnUnseen() // the older side is called otherwise in the next revision
	l.Exceed(&out.FileReport, "template-branches", at,
		"the template %s has the earlier version of this CRD, and %s that %s not compared; split the template", older.Path, Unseen(older), text.Verb(older.Unseen, "is", "are"))
}

// Unseen counts the branches of a template that are in no world.
func Unseen(world *manifest.File) string {
	return fmt.Sprintf("%d more %s", world.Unseen, text.Verb(world.Unseen, "branch", "branches"))
}

// Oversized reports that a file to compare with, or to validate objects with, is too large to be read.
func (l *Linter) Oversized(file *lint.FileReport, message string) {
	l.Exceed(file, "other-file-size", lint.Source{Pos: lint.Point(file.Path, 1, 1)}, "%s", message)
	slices.SortStableFunc(file.Findings, (*lint.Finding).Compare)
}
