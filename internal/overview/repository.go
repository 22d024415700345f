package overview

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/plan"
	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/lint"
)

// A Repository is what the runs in one say together.
type Repository struct {
	Name  string
	Heads []Head // of the runs
	CRDs  []*CRD // in the order of the runs, each once
	Plans []*plan.Plan
	Added []lint.Addition

	Ignored     int
	Objects     *Objects          // nil where none were judged
	Conversions *lint.Conversions // nil where none were tested
	Cases       *Cases            // nil where no suites were run
	FixesSafe   int               // findings that --fix repairs
	LeftOut     LeftOut

	details bool // what findings say is kept

	to     string // what its migration counts on the way to; "" for what its runs were for
	runs   []*Run
	counts map[lint.Severity]int
	rules  map[string]*Rule
	crds   map[crdKey]*CRD
}

// LeftOut counts the findings that runs only count, by the role of the files that they are about.
type LeftOut map[lint.Role]int

// Sentence says how many there are: "Left out: 30 in tests, 6 in old releases."; "" for none.
func (l LeftOut) Sentence() string {
	parts := report.LeftOutParts(l)
	if len(parts) == 0 {
		return ""
	}
	return "Left out: " + strings.Join(parts, ", ") + "."
}

// add adds those of a run or of a repository.
func (l *LeftOut) add(other LeftOut) {
	for role, n := range other {
		if *l == nil {
			*l = LeftOut{}
		}
		(*l)[role] += n
	}
}

// Objects counts the custom resources of a run that checks them.
type Objects struct {
	Judged   int            `json:"objects"`
	Refused  int            `json:"refused"`
	Unjudged int            `json:"unjudged"`
	Upgrade  map[string]int `json:"upgrade"` // by verdict; nil without --against
}

// Cases counts the cases of a run of suites of tests.
type Cases struct {
	All     int `json:"cases"`
	Failed  int `json:"failed"`
	Skipped int `json:"skipped"`
}

// A CRD is one with the findings about it.
type CRD struct {
	lint.CRD
	FilesURL string // as in a Head
	Counts   map[lint.Severity]int
	to       string // what the conversion was to that its state is of
	written  bool   // by that conversion
	blocked  bool   // a finding keeps it from being converted
	rules    map[string]*CRDRule
}

// A CRDRule is how often a rule reports something about a CRD, and the first of the gravest.
type CRDRule struct {
	Tally
	Line int
	Text string
}

// A crdKey tells the CRDs of a repository apart. A document index is not enough: it may be a List.
type crdKey struct {
	folder, file, name string
	document, line     int
}

func newRepository(name string) *Repository {
	return &Repository{Name: name, counts: map[lint.Severity]int{}, rules: map[string]*Rule{}, crds: map[crdKey]*CRD{}}
}

// add adds a run. Its findings count when all runs are there: see countAll.
func (r *Repository) add(run *Run) {
	r.addObjects(run)
	known := func(other *Run) bool {
		return reflect.DeepEqual(other.Head, run.Head) && maps.Equal(other.LeftOut, run.LeftOut)
	}
	if !slices.ContainsFunc(r.runs, known) {
		r.LeftOut.add(run.LeftOut)
	}
	r.runs = append(r.runs, run)
	r.Heads = append(r.Heads, run.Head)
	for _, p := range run.Plans {
		if !slices.ContainsFunc(r.Plans, func(known *plan.Plan) bool { return reflect.DeepEqual(known, p) }) {
			r.Plans = append(r.Plans, p)
		}
	}
	if run.Conversions != nil {
		r.Conversions = run.Conversions
	}
	if run.Cases != nil {
		r.Cases = run.Cases
	}
	for _, c := range run.CRDs {
		r.addCRD(c, run)
	}
}

// addObjects adds what a run says of custom resources, unless another one has said it.
func (r *Repository) addObjects(run *Run) {
	same := func(other *Run) bool {
		return reflect.DeepEqual(other.Head, run.Head) && reflect.DeepEqual(other.Objects, run.Objects)
	}
	switch o := run.Objects; {
	case o == nil || slices.ContainsFunc(r.runs, same):
	case r.Objects == nil:
		r.Objects = &Objects{o.Judged, o.Refused, o.Unjudged, maps.Clone(o.Upgrade)}
	default:
		r.Objects.Judged += o.Judged
		r.Objects.Refused += o.Refused
		r.Objects.Unjudged += o.Unjudged
		if r.Objects.Upgrade == nil {
			r.Objects.Upgrade = map[string]int{}
		}
		for verdict, n := range o.Upgrade {
			r.Objects.Upgrade[verdict] += n
		}
	}
}

// addCRD adds a CRD, which another run may have added before: what each of them knows is kept.
func (r *Repository) addCRD(c lint.CRD, run *Run) {
	key := crdKey{run.folder(), c.File, c.Name, c.Document, c.Line}
	known := r.crds[key]
	if known == nil {
		known = &CRD{CRD: c, FilesURL: run.FilesURL, Counts: map[lint.Severity]int{}, rules: map[string]*CRDRule{}}
		r.crds[key] = known
		r.CRDs = append(r.CRDs, known)
	}
	if c.State != "" && run.Migration != nil {
		known.State, known.to, known.written = c.State, run.Migration.To, run.Migration.Written
	}
	if known.Before == nil {
		known.Before = c.Before
	}
}

// folder is where in the repository a run was, as far as the address of its files says: files of the same name in different folders
// are different ones, whatever commits the runs were at.
func (r *Run) folder() string {
	_, path, _ := strings.Cut(r.FilesURL, "/blob/")
	_, folder, _ := strings.Cut(path, "/")
	return strings.Trim(folder, "/")
}

// Rules are those with findings about the CRD, the gravest first.
func (c *CRD) Rules() []*CRDRule {
	return slices.SortedFunc(maps.Values(c.rules), func(a, b *CRDRule) int { return a.before(b.Tally) })
}

// Rules are those with findings that are not ignored: the gravest first, then those with most findings.
func (r *Repository) Rules() []*Rule {
	return slices.SortedFunc(maps.Values(r.rules), func(a, b *Rule) int { return a.before(b.Tally) })
}

// Count counts the findings of a severity that are not ignored.
func (r *Repository) Count(s lint.Severity) int { return r.counts[s] }

// Findings counts those that are not ignored.
func (r *Repository) Findings() int {
	return r.Count(lint.Error) + r.Count(lint.Warning) + r.Count(lint.Info)
}

// Flawed counts the CRDs with findings.
func (r *Repository) Flawed() (n int) {
	for _, c := range r.CRDs {
		if c.Counts[lint.Error]+c.Counts[lint.Warning]+c.Counts[lint.Info] > 0 {
			n++
		}
	}
	return n
}

// Is reports whether a command wrote one of the reports.
func (r *Repository) Is(command string) bool {
	return slices.ContainsFunc(r.Heads, func(h Head) bool { return h.Command == command })
}

// Inspects reports whether one of the runs looked for mistakes in CRDs, rather than in objects or tests.
func (r *Repository) Inspects() bool {
	return slices.ContainsFunc(r.Heads, func(h Head) bool { return h.Command != "validate" && h.Command != "test" && h.Command != "plan" })
}

// Against is what CRDs are compared with; "" for nothing. What a plan begins with is no part of it.
func (r *Repository) Against() (against string) {
	for _, h := range r.Heads {
		if h.Command != "plan" {
			against = cmp.Or(against, h.Against)
		}
	}
	return against
}

// URL is where the repository can be read; "" where that is not known.
func (r *Repository) URL() string {
	for _, h := range r.Heads {
		if url, _, in := strings.Cut(h.FilesURL, "/blob/"); in {
			return url
		}
	}
	return ""
}

// NeedsWork reports whether there are errors, or CRDs left on the way to v1.
func (r *Repository) NeedsWork() bool { return r.Count(lint.Error) > 0 || r.Left() > 0 }

// A Migration counts the CRDs by how far they are on the way to a version of apiextensions.k8s.io.
type Migration struct {
	To   string // "v1", or "v1beta1" for a conversion back
	CRDs [NeedsPerson + 1]int
}

// Done counts the CRDs that are there.
func (m Migration) Done() int { return m.CRDs[Converted] + m.CRDs[There] }

// Left counts the CRDs that are not.
func (m Migration) Left() int { return m.CRDs[ToConvert] + m.CRDs[NeedsPerson] }

// All counts the CRDs whose version is known.
func (m Migration) All() int { return m.Done() + m.Left() }

// Percent is the share that is done, rounded down so that 100 means all; 100 of nothing.
func (m Migration) Percent() int {
	if m.All() == 0 {
		return 100
	}
	return m.Done() * 100 / m.All()
}

// target is what its runs are on the way to: v1, unless they convert back.
func (r *Repository) target() string {
	to := r.to
	for _, h := range r.Heads {
		if r.to == "" && h.Migration != nil {
			to = h.Migration.To
		}
	}
	return cmp.Or(to, "v1")
}

// Migration counts the CRDs of a repository. Where no conversion was tried, their versions say whether they are there, and findings
// whether they can be converted.
func (r *Repository) Migration() Migration {
	m := Migration{To: r.target()}
	for _, c := range r.CRDs {
		m.CRDs[r.Progress(c)]++
	}
	return m
}

// A Progress is how far a CRD is.
type Progress int

// How far a CRD is on the way to a version of apiextensions.k8s.io.
const (
	Unknown     Progress = iota // it is of neither version, or written in a template
	Converted                   // by this run
	There                       // it was there before
	ToConvert                   // it can be converted
	NeedsPerson                 // a decision is needed
)

// Progress says how far a CRD is. What a conversion to another version made of it only says which version it has now.
func (r *Repository) Progress(c *CRD) Progress {
	to := r.target()
	version := strings.TrimPrefix(c.APIVersion, crd.Group+"/")
	switch converted := c.State == lint.CRDConverted && c.written; {
	case c.to == to && converted:
		return Converted
	case c.to == to && c.State == lint.CRDNeedsPerson:
		return NeedsPerson
	case c.to == to && c.State == lint.CRDAlreadyThere:
		return There
	case c.to == to && c.State == lint.CRDConverted:
		return ToConvert
	case converted:
		version = c.to
	}
	switch {
	case version == to:
		return There
	case version == "v1beta1" && c.blocked:
		return NeedsPerson
	case version == "v1", version == "v1beta1":
		return ToConvert
	}
	return Unknown
}

// Left counts the CRDs that are not yet where they are to be.
func (r *Repository) Left() int { return r.Migration().Left() }
