package engine

import (
	"fmt"
	"slices"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/limit"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/suppress"
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
		"this template has %s that %s not judged, the first in the block of %s; split the template", Unseen(world), text.Verb(world.Unseen, "is", "are"), action)
}

// exceedOlder reports that the older form of a CRD is in a template of which not all branches are in a world, unless nothing in it
// has changed.
func (l *Linter) exceedOlder(older, now *manifest.File, at lint.Source, out *FileReport) {
	if older.Unseen == 0 || now.Mask != nil && now.Mask.Source == older.Mask.Source {
		return
	}
	l.Record.DependsOnUnseen() // the older side is called otherwise in the next revision
	l.Exceed(&out.FileReport, "template-branches", at,
		"the template %s, which is the older form of this CRD, has %s that %s not compared; split the template", older.Path, Unseen(older), text.Verb(older.Unseen, "is", "are"))
}

// Unseen counts the branches of a template that are in no world.
func Unseen(world *manifest.File) string {
	return fmt.Sprintf("%d more %s", world.Unseen, text.Verb(world.Unseen, "branch", "branches"))
}

// Oversized reports that a file to compare with or to judge by is too large to be read, so that it is not known what it has.
func (l *Linter) Oversized(file *lint.FileReport, message string) {
	l.Exceed(file, "other-file-size", lint.Source{Pos: lint.Point(file.Path, 1, 1)}, "%s", message)
	slices.SortStableFunc(file.Findings, (*lint.Finding).Compare)
}

// SyntaxRule and PartRule belong to the engine: they report errors outside of a CRD. They have no Run.
var (
	SyntaxRule = &Rule{
		ID:       "yaml-syntax",
		Summary:  "text that is neither YAML nor JSON",
		Severity: lint.Error,
		HidesCRD: true,
	}
	PartRule = &Rule{
		ID:       "partial-document",
		Summary:  "parts of CRDs, which are not judged",
		Severity: lint.Info,
	}
)

// own returns the engine's rule for one about ignores.
func own(r *lint.Rule) *Rule { return &Rule{ID: r.ID, Summary: r.Summary, Severity: r.Severity} }

var ignoreRules = []*Rule{own(suppress.ReasonRule), own(suppress.UnknownRule), own(suppress.UnusedRule)}

// OwnRules are the rules of the engine itself.
func OwnRules() []*Rule {
	return []*Rule{
		SyntaxRule, HeadRule, SeparatorRule, DirectiveRule, PartRule, PlaceholderRule, UnjudgedRule, LimitRule,
		ignoreRules[0], ignoreRules[1], ignoreRules[2], RemovedRule, AddedRule,
	}
}

// known are the rules that the configuration and comments may name: those of the run and the engine's own.
func (l *Linter) known() lint.Rules {
	var all lint.Rules
	for _, r := range slices.Concat(l.Rules, OwnRules()) {
		if all.ByID(r.ID) == nil {
			all = append(all, r.Value())
		}
	}
	for _, r := range l.Others {
		if all.ByID(r.ID) == nil {
			all = append(all, r)
		}
	}
	return all
}
