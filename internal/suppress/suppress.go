// Package suppress marks the findings that are ignored, with the reason: those that comments in the manifest ignore,
// entries of the configuration, or the baseline of a repository, and those that an older manifest has as well.
//
// comment.go reads the comments of a document, baseline.go the baseline. search.go finds the comments that apply to a
// finding. suppress.go marks ignored findings, unused.go reports ignores that ignore nothing, and ratchet.go drops the
// findings that an older report has.
package suppress

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/lint"
)

// A File holds the findings in a file, and the ignores in its comments.
type File struct {
	*lint.FileReport
	Comments []*Comment
	Judged   []Subject
}

// A Subject is a CRD that rules checked, or one of whose custom resources they did.
type Subject struct {
	Document int
	Resource string // metadata.name
	Compared bool   // there was an older CRD to compare with
	Partly   bool   // not all rules could look at all custom resources of the document, or at all of a conversion
}

// A Run is what suppresses findings in all files of a run.
type Run struct {
	Config   *lint.Config
	Baseline *lint.Baseline // nil for none
	Rules    lint.Rules
	// Runs reports whether the run has a rule: some are about CRDs, some about conversions between their versions, some about
	// custom resources, and some about what becomes of those.
	Runs func(*lint.Rule) bool
	// Shown is the file that a finding is shown in, of a report with Sources; nil where each is in the report's own.
	Shown func(*lint.Finding) string
	// UnusedRoles are the settings of roles that change the role of nothing, in a run that knows them.
	UnusedRoles []lint.RoleSetting

	once    sync.Once
	ignores *entries // of Config
}

// Mark marks the findings of a file that comments, the configuration or the baseline ignore, in this order. They are
// sorted: of several that the baseline does not tell apart, the first are the old ones. Mark may be called again for the
// same file.
func (r *Run) Mark(f *File) { r.mark(f, f.Findings) }

func (r *Run) mark(f *File, findings []*lint.Finding) {
	own := config.Relative(r.Config.Path, f.Path)
	comments := newSearch(f.Comments, findings)
	for _, finding := range findings {
		finding.Ignored, finding.IgnoredBy = "", lint.NotIgnored
		if c := comments.hiding(finding); c != nil {
			finding.Ignored, finding.IgnoredBy = c.Reason, lint.ByComment
			continue
		}
		if len(r.Config.Ignores) == 0 {
			continue // without a search for where the finding is shown
		}
		file := own
		if f.Sources != nil {
			file = config.Relative(r.Config.Path, r.shown(finding, f))
		}
		r.once.Do(func() { r.ignores = newEntries(r.Config.Ignores) })
		if i := r.ignores.hiding(finding, file); i != nil {
			finding.Ignored, finding.IgnoredBy = i.Reason, lint.ByConfiguration
		}
	}
	if r.Baseline != nil {
		r.markKnown(f, findings)
	}
}

func (r *Run) shown(finding *lint.Finding, f *File) string {
	if r.Shown == nil || f.Sources == nil {
		return f.Path
	}
	return r.Shown(finding)
}

// hides reports whether an ignore of the configuration ignores a finding in a file, whose path is relative to the
// configuration's folder.
func hides(i *lint.Ignore, f *lint.Finding, file string) bool {
	return (i.Rule == "" || config.MatchName(i.Rule, f.Rule.ID)) && (i.CRD == "" || config.MatchName(i.CRD, f.Resource)) &&
		(i.File == "" || config.MatchFile(i.File, file)) &&
		(i.Path == "" || config.MatchPath(i.Path, f.Path) || config.MatchPath(i.Path, namedPath(f)))
}

// namedPath returns the path with the name of the version for its index; "" for a path outside of versions.
func namedPath(f *lint.Finding) string {
	rest, inside := strings.CutPrefix(f.Path, "spec.versions[")
	_, rest, closed := strings.Cut(rest, "]")
	if !inside || !closed || len(f.Versions) == 0 {
		return ""
	}
	return crd.Under("spec.versions", f.Versions[0]) + rest
}

// Renamed lists the earlier ids of rules that a run uses, each once.
func (r *Run) Renamed(files []*File) []string {
	all := slices.Clone(r.Config.Renamed)
	if r.Baseline != nil {
		all = append(all, r.Baseline.Renamed...)
	}
	for _, f := range files {
		for _, c := range f.Comments {
			for _, name := range c.Names {
				if name.Was != "" {
					all = append(all, name.Was)
				}
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// entries are the ignores of a configuration, those for one path by that path.
type entries struct {
	all    []lint.Ignore
	at     map[string][]int // indexes in all, in its order, by config.PathKey
	others []int            // of those for any path, or for a pattern of paths
}

func newEntries(all []lint.Ignore) *entries {
	e := &entries{all: all, at: map[string][]int{}}
	for i := range all {
		if path := all[i].Path; path != "" && !config.WildPath(path) {
			key := config.PathKey(path)
			e.at[key] = append(e.at[key], i)
		} else {
			e.others = append(e.others, i)
		}
	}
	return e
}

// hiding is the first ignore that hides a finding in a file; nil for none.
func (e *entries) hiding(f *lint.Finding, file string) *lint.Ignore {
	first := len(e.all)
	for _, some := range [][]int{e.at[config.PathKey(f.Path)], e.at[config.PathKey(namedPath(f))], e.others} {
		if i := slices.IndexFunc(some, func(i int) bool { return hides(&e.all[i], f, file) }); i >= 0 {
			first = min(first, some[i])
		}
	}
	if first == len(e.all) {
		return nil
	}
	return &e.all[first]
}

// byPath are the findings of a file by their paths, with the index of a version and with its name.
func byPath(findings []*lint.Finding) map[string][]*lint.Finding {
	at := map[string][]*lint.Finding{}
	for _, f := range findings {
		for _, path := range []string{f.Path, namedPath(f)} {
			if path != "" {
				key := config.PathKey(path)
				at[key] = append(at[key], f)
			}
		}
	}
	return at
}

// inBaseline is the reason that findings of the baseline are ignored for.
const inBaseline = "baseline"

func knownOf(f *lint.Finding) lint.KnownFinding {
	k := lint.KnownFinding{Resource: f.Resource, Rule: f.Rule.ID, Path: f.Path}
	if f.Object != nil {
		k.Object = f.Object.ID()
	}
	return k
}

// markKnown marks the findings of a file that the baseline has, up to its counts. Those that are ignored for
// another reason do not count. A finding is looked up under the file in which it is shown.
func (r *Run) markKnown(f *File, findings []*lint.Finding) {
	left := countsOf(r.Baseline, f.Files())
	for _, finding := range findings {
		counts := left[config.Relative(r.Baseline.Path, r.shown(finding, f))]
		if k := knownOf(finding); finding.Ignored == "" && counts[k] > 0 {
			counts[k]--
			finding.Ignored, finding.IgnoredBy = inBaseline, lint.ByBaseline
		}
	}
}

// countsOf are the counts of some files, to be used up.
func countsOf(b *lint.Baseline, paths []string) map[string]map[lint.KnownFinding]int {
	left := map[string]map[lint.KnownFinding]int{}
	for _, path := range paths {
		file := config.Relative(b.Path, path)
		left[file] = maps.Clone(b.Counts[file])
	}
	return left
}

// Gone counts the findings that the baseline has and files do not have any more. Of files that were not checked, and
// of rules that need not speak in every run, nothing is known.
func (r *Run) Gone(files []*File) int {
	if r.Baseline == nil {
		return 0
	}
	var paths []string
	for _, f := range files {
		paths = append(paths, f.Files()...)
	}
	left := countsOf(r.Baseline, paths)
	for _, f := range files {
		for _, finding := range f.Findings {
			if finding.IgnoredBy == lint.ByBaseline {
				left[config.Relative(r.Baseline.Path, r.shown(finding, f))][knownOf(finding)]--
			}
		}
	}
	slices.Sort(paths)
	n := 0
	for _, path := range slices.Compact(paths) {
		of := config.ForFile(r.Config, path)
		for k, count := range left[config.Relative(r.Baseline.Path, path)] {
			rule := r.Rules.ByID(k.Rule)
			if rule == nil || r.Runs(rule) && config.Severity(of, rule) > lint.Off && !rule.Across && !rule.NeedsOld {
				n += count
			}
		}
	}
	return n
}
