package repository

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/lint"
)

// decide gives the documents of one CRD their roles, and returns what is missing of it; nil if its source is there.
func (e *evidence) decide(docs []*Document) *Missing {
	var open []*Document   // that no setting has decided, or that one has made the source
	var forced []*Document // to be copies
	written := slices.ContainsFunc(docs, func(d *Document) bool {
		out := e.outputs.of(d.File)
		return d.made || d.generated && out != nil && !(out.declared && e.isOfOthers(d))
	})
	for _, d := range docs {
		switch {
		case d.isForced && d.Role != lint.RoleSource:
			if d.Role.Told() {
				forced = append(forced, d)
			}
		case d.isForced || e.isOurs(d, written):
			open = append(open, d)
		default:
			d.Decision = e.foreign(d, docs)
		}
	}
	if len(open) == 0 {
		return nil
	}
	for _, d := range open {
		d.signs = e.signs(d)
	}
	slices.SortStableFunc(open, e.compare)
	source := open[0]
	var missing *Missing
	_, isOld := e.kept(source.File)
	why, isTest := e.isTest(source)
	switch {
	case source.isForced:
	case isTest:
		if _, sure := e.surelyTest(source.File); !sure {
			missing = &Missing{Name: source.Name, Latest: source.File, Because: why, IsTest: true}
		}
		source = nil
	case isOld && len(e.groups) > 0 && e.output(source) == nil:
		missing, source = e.missing(source), nil
	}
	for rank, d := range append(open, forced...) {
		if !d.isForced {
			d.Decision = e.roleOf(d, source)
		}
		if d.Rank = rank; source != nil && d.File != source.File {
			d.Source = source.File
		}
	}
	return missing
}

// missing says where the source would be, of which the tree has old forms only.
func (e *evidence) missing(latest *Document) *Missing {
	m := &Missing{Name: latest.Name, Latest: latest.File}
	if len(e.outputs.gone) > 0 {
		m.Because, m.Folder = e.outputs.gone[0].because, e.outputs.paths[0]
	}
	return m
}

// isOurs reports whether the types of a CRD belong to the repository. Written is true of one that a generator writes somewhere.
func (e *evidence) isOurs(d *Document, written bool) bool {
	if _, vendored := e.vendored(d.File); vendored {
		return false
	}
	known := e.declared[key(d.Group, d.Kind)]
	switch {
	case known != nil:
		return !known.byTests
	case len(e.groups) == 0:
		_, test := e.test(d.File)
		return !test
	}
	for above, more := d.Group, d.alone; more && !written; written = more && e.groups[above] {
		_, above, more = strings.Cut(above, ".")
	}
	return written
}

// isOfOthers reports whether a CRD among those whose kinds are declared here is another project's: there is no type of its kind, in
// any group, and no group of the repository is of the same domain.
func (e *evidence) isOfOthers(d *Document) bool {
	return d.Group != "" && !e.types[d.Kind] && !e.domains[domain(d.Group)]
}

// domain is the last two words of a group, of which one organisation has many groups.
func domain(group string) string {
	words := strings.Split(group, ".")
	return strings.Join(words[max(0, len(words)-2):], ".")
}

// foreign is the role of a document of a CRD whose types do not belong to the repository. An older form of another is no more than that.
func (e *evidence) foreign(d *Document, all []*Document) Decision {
	if decided, ok := first(d.File, sign{lint.RoleTest, e.test}, sign{lint.RoleForeign, e.vendored}); ok {
		return decided
	}
	if known := e.declared[key(d.Group, d.Kind)]; known != nil && known.byTests {
		return Decision{Role: lint.RoleTest, Because: known.because}
	}
	if why, ok := e.documents(d.File); ok && e.groups[d.Group] {
		return Decision{Role: lint.RoleDocs, Because: why} // a kind that was thought of, and not written
	}
	isCurrent := func(d *Document) bool { _, old := e.kept(d.File); return !old }
	if why, old := e.kept(d.File); old && slices.ContainsFunc(all, isCurrent) {
		return Decision{Role: lint.RoleOld, Because: why}
	}
	return Decision{Role: lint.RoleForeign, Because: Reason{Text: "no code here declares " + d.Kind + " of " + d.Group}}
}

// output is where a generator writes the document; nil where no line or scaffold says so, and for one that was copied there.
func (e *evidence) output(d *Document) *output {
	out := e.outputs.of(d.File)
	if out == nil || !d.generated && e.declared[key(d.Group, d.Kind)] == nil {
		return nil
	}
	return out
}

// isTest reports whether a document is a test's. What a generator writes is none, but for fixtures.
func (e *evidence) isTest(d *Document) (Reason, bool) {
	if e.output(d) != nil {
		return e.fixture(d.File)
	}
	return e.test(d.File)
}

// signs say whether a document is the source of its CRD, the most telling first.
func (e *evidence) signs(d *Document) []bool {
	out := e.output(d)
	_, test := e.isTest(d)
	_, old := e.kept(d.File)
	_, bundled := e.bundled(d.File)
	_, made := e.outputs.made[d.File]
	_, listed := e.listed[d.File]
	_, chart := e.charted(d.File)
	_, built := e.named(d.File, builtName())
	_, copied := e.outputs.copiedFrom(d.File)
	return []bool{d.isForced, d.made, out != nil && !out.scaffold, out != nil, !test, !old, !bundled, !d.mixed, !made, listed, !chart, !d.templated, d.alone, !built, copied}
}

// compare is below 0 for a document that is rather the source than another, by the first difference.
func (e *evidence) compare(a, b *Document) int {
	for i, is := range a.signs {
		if is != b.signs[i] {
			if is {
				return -1
			}
			return 1
		}
	}
	if one, other := e.output(a), e.output(b); one != nil && other != nil && one.because.File == other.because.File && one.because.Line != other.because.Line {
		return one.because.Line - other.because.Line // what it writes first is not a variant of what it writes next
	}
	if _, old := e.kept(a.File); old {
		if later := compareVersions(b.File, a.File); later != 0 {
			return later
		}
	}
	return cmp.Or(b.size-a.size, compareFiles(a.File, b.File), a.Index-b.Index)
}

// roleOf is the role of a document of the repository's own CRD, given its source.
func (e *evidence) roleOf(d, source *Document) Decision {
	if source != nil && d.File == source.File {
		why := e.sourceBecause(d)
		return Decision{Role: lint.RoleSource, Because: why, Guessed: why == noSign}
	}
	if out := e.output(d); out != nil {
		if _, fixture := e.fixture(d.File); !fixture {
			return Decision{Role: lint.RoleSource, Because: out.because}
		}
	}
	decided, ok := first(d.File, sign{lint.RoleTest, e.test}, sign{lint.RoleOld, e.kept}, sign{lint.RoleBundle, e.bundled},
		sign{lint.RoleDocs, e.documents}, sign{lint.RoleChart, e.charted})
	if decided.Role == lint.RoleBundle {
		if last := e.lastBundle(d); last != path.Dir(d.File) {
			return Decision{Role: lint.RoleOld, Because: Reason{Text: "the bundle in " + last + " is later"}}
		}
	}
	if ok {
		return decided
	}
	if source == nil {
		return Decision{Role: lint.RoleOld, Because: Reason{Text: "the repository has only older forms of it"}}
	}
	if why, ok := e.outputs.made[d.File]; ok {
		return Decision{Role: lint.RoleBuilt, Because: why}
	}
	return Decision{Role: lint.RoleBuilt, Because: Reason{Text: "is its source", File: source.File, Line: source.Line}, Guessed: d.made == source.made}
}

// lastBundle is the folder of the last of the bundles that are siblings of that of a document.
func (e *evidence) lastBundle(d *Document) string {
	dir := path.Dir(d.File)
	release, inside := path.Dir(dir), path.Base(dir)
	form := number().ReplaceAllString(path.Base(release), "*")
	siblings := path.Join(path.Dir(release), form, inside)
	if last, known := e.last[siblings]; known || release == "." || form == path.Base(release) {
		return cmp.Or(last, dir) // bundles with other names are for other catalogues
	}
	last := dir
	for _, name := range e.in[path.Dir(release)] {
		at := path.Join(path.Dir(release), name, inside)
		if _, ok := e.bundled(path.Join(at, "x")); ok && number().ReplaceAllString(name, "*") == form && compareVersions(at, last) > 0 {
			last = at
		}
	}
	e.last[siblings] = last
	return last
}

func (e *evidence) sourceBecause(d *Document) Reason {
	if out := e.output(d); out != nil {
		return out.because
	}
	listed := func(file string) (why Reason, ok bool) { why, ok = e.listed[file]; return }
	if source, ok := first(d.File, sign{says: listed}, sign{says: e.charted}, sign{says: e.outputs.copiedFrom}); ok {
		return source.Because
	}
	if known := e.declared[key(d.Group, d.Kind)]; known != nil {
		return known.because
	}
	return noSign
}

var noSign = Reason{Text: "no other file has more signs of being its source"}
