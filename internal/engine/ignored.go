package engine

import (
	"slices"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/lint"
)

// readIgnores notes the ignores in the comments of a document that has CRDs.
func (l *Linter) readIgnores(d *manifest.Document, found []*crd.CRD, config *lint.Config, out *FileReport) {
	resource := ""
	if len(found) == 1 {
		resource = found[0].Name()
	}
	ignores, wrong := l.comments(d, resource)
	out.ignores = append(out.ignores, ignores...)
	for _, f := range wrong {
		if f.Severity = f.Rule.severity(config); f.Severity > lint.Off {
			out.Findings = append(out.Findings, f)
		}
	}
}

// markIgnored marks the findings of a file that comments, the configuration or the baseline ignore, in this order. It
// may be called again for the same file.
func (l *Linter) markIgnored(f *FileReport) {
	c := l.config()
	file := config.Relative(c.Path, f.Path)
	sortFindings(f.Findings) // of several that the baseline does not tell apart, the first are the old ones
	comments := newCovering(f.ignores)
	for _, finding := range f.Findings {
		finding.Ignored, finding.InSource, finding.known = "", false, false
		if found := comments.hiding(finding); found != nil {
			finding.Ignored, finding.InSource = found.reason, true
			continue
		}
		if f.Sources != nil {
			file = config.Relative(c.Path, l.shown(finding, f))
		}
		if i := slices.IndexFunc(c.Ignores, func(i lint.Ignore) bool { return hides(&i, finding, file) }); i >= 0 {
			finding.Ignored = c.Ignores[i].Reason
		}
	}
	if l.Baseline != nil {
		l.Baseline.mark(f, func(finding *Finding) string { return l.shown(finding, f) })
	}
}

// shown is the file that a finding of a report is shown in.
func (l *Linter) shown(finding *Finding, f *FileReport) string {
	if l.Shown == nil || f.Sources == nil {
		return f.Path
	}
	return l.Shown(finding)
}

// all are the files that a report is about.
func (f *FileReport) all() []string {
	if f.Sources == nil {
		return []string{f.Path}
	}
	return f.Sources
}

// covers says whether a comment is about a place of its document.
func (c *comment) covers(at lint.Position) bool {
	switch {
	case c.all:
		return true
	case c.line > 0:
		return at.Line == c.line
	}
	e := c.entry
	return !before(at.Line, at.Column, e.Line, e.Column) && !before(e.EndLine, e.EndColumn, at.Line, at.Column)
}

func before(line, column, otherLine, otherColumn int) bool {
	return line < otherLine || line == otherLine && column < otherColumn
}

// hides says whether an ignore of the configuration ignores a finding in a file, whose path is relative to the
// configuration's folder.
func hides(i *lint.Ignore, f *Finding, file string) bool {
	return (i.Rule == "" || config.MatchName(i.Rule, f.Rule.ID)) && (i.CRD == "" || config.MatchName(i.CRD, f.Resource)) &&
		(i.File == "" || config.MatchFile(i.File, file)) &&
		(i.Path == "" || config.MatchPath(i.Path, f.At.Path) || config.MatchPath(i.Path, f.namedPath()))
}

// reportIgnores adds findings for comments that ignore nothing to their files, and returns those for the ignores of the
// configuration.
func (l *Linter) reportIgnores(files []*FileReport) []*Finding {
	for _, f := range files {
		if len(f.ignores) == 0 {
			continue
		}
		config := l.configFor(f.Path)
		l.reportComments(f, config, func(id string) bool { return id != IgnoreUnusedRule.ID })
		l.reportComments(f, config, func(id string) bool { return id == IgnoreUnusedRule.ID }) // they may ignore the former
		l.markIgnored(f)
	}
	own := &FileReport{Path: l.config().Path, Findings: l.unusedEntries(files)}
	l.markIgnored(own)
	return own.Findings
}

// reportComments adds findings for the rules that comments name without need, of those asked for.
func (l *Linter) reportComments(f *FileReport, config *lint.Config, asked func(id string) bool) {
	severity := IgnoreUnusedRule.severity(config)
	if severity == lint.Off {
		return
	}
	places := placesOf(f.Findings)
	var unused []*Finding
	for _, c := range f.ignores {
		for _, n := range c.names {
			if n.unused != nil && asked(n.id) && l.judges(f, c.document, n.id, config) && !places.coveredBy(c, n.id) {
				n.unused.Severity = severity
				unused = append(unused, n.unused)
			}
		}
	}
	f.Findings = append(f.Findings, unused...)
}

// rule finds a rule, the engine's own included; nil when there is none of that id.
func (l *Linter) rule(id string) *Rule {
	all := slices.Concat(l.Rules, OwnRules())
	if i := slices.IndexFunc(all, func(r *Rule) bool { return r.ID == id }); i >= 0 {
		return all[i]
	}
	return nil
}

// judges says whether the run shows all that a rule finds in a document: it is switched on, has what it compares with,
// and does not depend on which other files are looked at.
func (l *Linter) judges(f *FileReport, document int, id string, config *lint.Config) bool {
	r := l.rule(id)
	if r.severity(config) == lint.Off || r.Across != nil || r.NeedsOld && r.Run == nil {
		return false
	}
	compared := func(s *Summary) bool { return s.Document == document && s.compared }
	return !r.NeedsOld || slices.ContainsFunc(f.summaries, compared)
}

// unusedEntries are findings for ignores of the configuration that hide nothing. A run need not see all files, so that
// counts only for what an ignore names without wildcards: a file or a CRD that was looked at.
func (l *Linter) unusedEntries(files []*FileReport) []*Finding {
	c := l.config()
	var unused []*Finding
	severity := IgnoreUnusedRule.severity(l.configFor(c.Path))
	if severity == lint.Off {
		return nil
	}
	for _, i := range c.Ignores {
		if (i.File != "" && !config.Wild(i.File) || i.CRD != "" && !config.Wild(i.CRD)) && l.unusedIn(&i, files) {
			f := &Finding{Rule: IgnoreUnusedRule, Severity: severity, Message: "the ignore hides no finding of what it names; remove it"}
			f.Pos, f.Excerpt, f.From = i.At.Pos, i.At.Excerpt, i.At.From
			unused = append(unused, f)
		}
	}
	return unused
}

// unusedIn says whether an ignore could have hidden something and did not.
func (l *Linter) unusedIn(i *lint.Ignore, files []*FileReport) bool {
	looked := false
	for _, f := range files {
		matches := func(path string) bool { return config.MatchFile(i.File, config.Relative(l.config().Path, path)) }
		if i.File != "" && !slices.ContainsFunc(f.all(), matches) {
			continue
		}
		of := l.configFor(f.Path)
		for _, s := range f.summaries {
			if i.CRD == "" || config.MatchName(i.CRD, s.Resource.Value) {
				looked = looked || slices.ContainsFunc(l.known().IDs(), func(id string) bool {
					return (i.Rule == "" || config.MatchName(i.Rule, id)) && l.judges(f, s.Document, id, of)
				})
			}
		}
		hides := func(finding *Finding) bool {
			return hides(i, finding, config.Relative(l.config().Path, l.shown(finding, f)))
		}
		if slices.ContainsFunc(f.Findings, hides) {
			return false
		}
	}
	return looked
}
