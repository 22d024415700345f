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

// LimitRule says what is behind a limit. It has no Run: it speaks where the limit is.
var LimitRule = &Rule{
	ID:       limit.Rule,
	Summary:  "what was not judged since it is beyond a limit of crdlift",
	Severity: lint.Error,
	HidesCRD: true,
}

// exceed reports at a place of a file that a limit is exceeded. It is an info where nothing that fails a run can be behind the limit.
func (l *Linter) exceed(file *lint.FileReport, name string, at lint.Source, format string, args ...any) {
	severity := LimitRule.severity(config.ForFile(l.config(), file.Path))
	if limit.Of(name).Exit == 0 {
		severity = min(severity, lint.Info)
	}
	if severity == lint.Off {
		return
	}
	value := LimitRule.Value()
	file.Findings = append(file.Findings, &lint.Finding{Rule: &value, Severity: severity, Message: fmt.Sprintf(format, args...), Source: at})
}

// exceedBranches reports the branches of a template that are in no world.
func (l *Linter) exceedBranches(opened *manifest.Opened, out *FileReport) {
	if opened.Unseen == nil {
		return
	}
	action, line := opened.Template.Begins(opened.Unseen)
	more := fmt.Sprintf("%d more %s", opened.Branches, text.Verb(opened.Branches, "branch", "branches"))
	l.exceed(&out.FileReport, "template-branches", opened.Worlds[0].SourceAt(lint.Point(out.Path, line, 1)),
		"this template has %s that %s not judged, the first in the block of %s; split the template",
		more, text.Verb(opened.Branches, "is", "are"), action)
}

// Oversized reports that a file to compare with or to judge by is too large to be read, so that it is not known what it has.
func (l *Linter) Oversized(file *lint.FileReport, message string) {
	l.exceed(file, "other-file-size", lint.Source{Pos: lint.Point(file.Path, 1, 1)}, "%s", message)
	slices.SortStableFunc(file.Findings, (*lint.Finding).Compare)
}
