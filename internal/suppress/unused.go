package suppress

import (
	"slices"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/lint"
)

// Unused adds findings for comments that ignore nothing to their files, and returns those for the ignores of the
// configuration and its roles. All are marked, too.
func (r *Run) Unused(files []*File) []*lint.Finding {
	for _, f := range files {
		if len(f.Comments) == 0 {
			continue
		}
		of := config.ForFile(r.Config, f.Path)
		unused := r.unusedComments(f, f.Findings, of, func(id string) bool { return id != UnusedRule.ID })
		// those that ignore the former are used
		unused = append(unused, r.unusedComments(f, unused, of, func(id string) bool { return id == UnusedRule.ID })...)
		slices.SortStableFunc(unused, (*lint.Finding).Compare)
		r.mark(f, unused)
		f.Findings = append(f.Findings, unused...)
		slices.SortStableFunc(f.Findings, (*lint.Finding).Compare)
	}
	own := &File{FileReport: &lint.FileReport{Path: r.Config.Path, Findings: slices.Concat(r.unreasoned(), r.unusedEntries(files), r.unusedRoles())}}
	r.Mark(own)
	return own.Findings
}

// unusedComments are findings for the rules that comments name without need, of those asked for, given all findings that
// may be of such a rule.
func (r *Run) unusedComments(f *File, findings []*lint.Finding, of *lint.Config, asked func(id string) bool) (unused []*lint.Finding) {
	severity := config.Severity(of, UnusedRule)
	if severity == lint.Off {
		return nil
	}
	used := newSearch(f.Comments, findings)
	if used.excess {
		return []*lint.Finding{tooMany(f, severity)}
	}
	for _, c := range f.Comments {
		for _, n := range c.Names {
			if n.Unused != nil && asked(n.ID) && r.judges(f, c.Document, n.ID, of) && !used.isUsed(c, n.ID) {
				n.Unused.Severity = severity
				unused = append(unused, n.Unused)
			}
		}
	}
	return unused
}

// tooMany says that the comments of a file are not looked at.
func tooMany(f *File, severity lint.Severity) *lint.Finding {
	return &lint.Finding{
		Rule: UnusedRule, Severity: severity, Source: lint.Source{Pos: lint.Point(f.Path, 1, 1)},
		Message: "the file has too many ignores and findings, so that no ignore counts; ignore what is the same everywhere in .crdlift.yaml",
	}
}

// judges reports whether the run shows all findings of a rule in a document: the rule is about what the run judges, is
// enabled, has an old side if it needs one, and does not depend on the set of files; and it could look at all of the document.
func (r *Run) judges(f *File, document int, id string, of *lint.Config) bool {
	rule := r.Rules.ByID(id)
	if !r.Runs(rule) || config.Severity(of, rule) == lint.Off || rule.Across {
		return false
	}
	if slices.ContainsFunc(f.Judged, func(one Subject) bool { return one.Document == document && one.Partly }) {
		return false
	}
	compared := func(one Subject) bool { return one.Document == document && one.Compared }
	return !rule.NeedsOld || slices.ContainsFunc(f.Judged, compared)
}

// unusedEntries are findings for ignores of the configuration that hide nothing. A run need not see all files, so an
// ignore counts only if it names a linted file or CRD without wildcards.
func (r *Run) unusedEntries(files []*File) (unused []*lint.Finding) {
	severity := config.Severity(config.ForFile(r.Config, r.Config.Path), UnusedRule)
	if severity == lint.Off || len(r.Config.Ignores) == 0 {
		return nil
	}
	at := map[*File]map[string][]*lint.Finding{}
	for _, f := range files {
		at[f] = byPath(f.Findings)
	}
	for _, i := range r.Config.Ignores {
		if !i.Shared && (i.File != "" && !config.Wild(i.File) || i.CRD != "" && !config.Wild(i.CRD)) && r.isUnused(&i, files, at) {
			unused = append(unused, &lint.Finding{
				Rule: UnusedRule, Severity: severity, Source: i.At, Message: "the ignore matches no finding; remove it",
			})
		}
	}
	return unused
}

// unusedRoles are findings for settings of roles that change nothing. Roles depend on the repository, and not on which of its files
// a run sees.
func (r *Run) unusedRoles() (unused []*lint.Finding) {
	severity := config.Severity(config.ForFile(r.Config, r.Config.Path), UnusedRule)
	if severity == lint.Off {
		return nil
	}
	for _, s := range r.UnusedRoles {
		if s.Shared { // with many repositories
			continue
		}
		unused = append(unused, &lint.Finding{
			Rule: UnusedRule, Severity: severity, Source: s.At,
			Message: "the glob changes the role of no file and no CRD; remove it, or see what crdlift roles shows",
		})
	}
	return unused
}

// unreasoned are findings for ignores of the configuration whose reason still has to be written.
func (r *Run) unreasoned() (all []*lint.Finding) {
	severity := config.Severity(config.ForFile(r.Config, r.Config.Path), ReasonRule)
	for _, i := range r.Config.Ignores {
		if i.Reason == Placeholder && severity > lint.Off {
			all = append(all, &lint.Finding{Rule: ReasonRule, Severity: severity, Source: i.At, Message: "the ignore has no reason; say why the finding is right here"})
		}
	}
	return all
}

// isUnused reports whether an ignore could have hidden something and did not. Of some files, the findings are known by their
// paths.
func (r *Run) isUnused(i *lint.Ignore, files []*File, at map[*File]map[string][]*lint.Finding) bool {
	looked := false
	for _, f := range files {
		matches := func(path string) bool { return config.MatchFile(i.File, config.Relative(r.Config.Path, path)) }
		if i.File != "" && !slices.ContainsFunc(f.Files(), matches) {
			continue
		}
		of := config.ForFile(r.Config, f.Path)
		for _, one := range f.Judged {
			if i.CRD == "" || config.MatchName(i.CRD, one.Resource) {
				looked = looked || slices.ContainsFunc(r.Rules, func(rule *lint.Rule) bool {
					return (i.Rule == "" || config.MatchName(i.Rule, rule.ID)) && r.judges(f, one.Document, rule.ID, of)
				})
			}
		}
		hidden := func(finding *lint.Finding) bool {
			return hides(i, finding, config.Relative(r.Config.Path, r.shown(finding, f)))
		}
		candidates := f.Findings
		if i.Path != "" && !config.WildPath(i.Path) {
			candidates = at[f][config.PathKey(i.Path)]
		}
		if slices.ContainsFunc(candidates, hidden) {
			return false
		}
	}
	return looked
}
