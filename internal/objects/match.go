package objects

import (
	"cmp"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/xrd"
)

// A Verdict says whether an object can be checked, and if not, why.
type Verdict int

const (
	Judged          Verdict = iota // by the version of its CRD
	BuiltIn                        // Kubernetes' own, or the configuration of a tool
	NoCRD                          // of a group that no CRD has
	Partial                        // a patch, or another part of an object
	VersionUnserved                // its CRD has the version, and does not serve it
	VersionUnknown                 // its CRD has no such version
	KindUnknown                    // other CRDs have its group, or one that it is a misspelling of, none has its kind
	KindGone                       // the same, and an older CRD has its kind
	LeftOut                        // of a test or an older release, where such are not judged
	Nameless                       // without a name or a generated one: a fragment, or a file that a program reads
	NotJudged                      // its CRD is rejected, or cannot be read or used
	NoRequest                      // the request that is asked for cannot be made of it
)

// A Match is what a catalogue knows of an object.
type Match struct {
	Verdict
	Definition *Definition // of the object's kind, the nearest; nil where there is none
	Others     []Match     // by the other CRDs of the kind, which differ: what only some of them reject is no mistake under the others
	Unasked    int         // how many more such CRDs there are
	Known      []string    // the versions served where the version is unknown
	Meant      string      // the kind of the group that an unknown one was meant to be; "" where that is not clear
	MeantGroup string      // the group of CRDs with its kind that an unknown one was meant to be; "" where it is known or that is not clear
	Elsewhere  *Definition // of the kind of one without a CRD, for the objects of a test or an older release alone; nil for none
	Why        string      // that it is not judged
}

// Match finds the CRD of an object in the file at a path.
func (c *Catalogue) Match(o *Object, path string) Match {
	m := c.match(o, path)
	if m.Verdict == NoCRD || m.Verdict == KindUnknown || m.Definition != nil && !m.Definition.Given {
		if d := c.unreadOf(o); d != nil && (m.Definition == nil || d.Given) {
			return Match{Verdict: NotJudged, Definition: d, Why: d.unread}
		}
	}
	return m
}

// match finds the CRD of an object among those whose group and kind are known.
func (c *Catalogue) match(o *Object, path string) Match {
	kinds := c.groups[o.Group]
	switch {
	case o.isPatch():
		return Match{Verdict: Partial}
	case o.Group == crd.Group && o.Kind == crd.Kind, o.Group == xrd.Group && o.Kind == xrd.Kind && kinds[xrd.Kind] == nil:
		return Match{Verdict: BuiltIn}
	case kinds == nil:
		return c.matchGroup(o, path)
	}
	of := kinds[o.Kind]
	switch {
	case of == nil && !c.counts(o.Group, path):
		return unknownGroup(o)
	case of == nil:
		meant := c.known[o.Group]().meant(o.Kind)
		if meant != "" && !kinds[meant].counts(path) {
			meant = ""
		}
		return Match{Verdict: KindUnknown, Meant: meant}
	}
	found, more := of.candidates(path)
	if len(found) == 0 {
		return Match{Verdict: NoCRD, Elsewhere: slices.MinFunc(of.all, (*Definition).compare)}
	}
	var all []Match
	for _, d := range found {
		all = append(all, d.Match(o))
	}
	judges := func(m Match) bool { return m.Verdict == Judged }
	if i := slices.IndexFunc(all, judges); i > 0 { // an object is written for those that have its version
		slices.SortStableFunc(all, func(a, b Match) int { return cmp.Compare(min(a.Verdict, 1), min(b.Verdict, 1)) })
	}
	if judges(all[0]) { // what no server takes is installed nowhere
		all = slices.DeleteFunc(all, func(m Match) bool { return m.Verdict == NotJudged })
	}
	m := all[0]
	m.Others, m.Unasked = all[1:], more
	return m
}

// matchGroup is about an object of a group that no CRD has.
func (c *Catalogue) matchGroup(o *Object, path string) Match {
	if alike := c.alike[o.Kind]; alike != nil && !slices.Contains(builtIn, o.Group) {
		for _, group := range alike().Nearest(o.Group) {
			if isSlip(o.Group, group) && c.groups[group][o.Kind].counts(path) {
				return Match{Verdict: KindUnknown, MeantGroup: group}
			}
		}
	}
	return unknownGroup(o)
}

// counts reports whether the CRDs of a group are any to the objects in the file at a path: not if they are of tests elsewhere.
func (c *Catalogue) counts(group, path string) bool {
	for _, k := range c.groups[group] {
		if k.counts(path) {
			return true
		}
	}
	return false
}

func unknownGroup(o *Object) Match {
	if isBuiltIn(o.Group) {
		return Match{Verdict: BuiltIn}
	}
	return Match{Verdict: NoCRD}
}

// shortLabel is the longest part of a group of which another letter makes another word, as ecs and eks, rather than a mistake.
const shortLabel = 4

// isSlip reports whether of two groups that are near each other one is the misspelling of the other: one part differs, and says no
// less than a word or is the domain at the end. A dot may be missing.
func isSlip(group, meant string) bool {
	is, was := strings.Split(strings.ToLower(group), "."), strings.Split(meant, ".")
	if len(is) != len(was) {
		return strings.Join(is, "") == strings.Join(was, "")
	}
	differ := 0
	for i := range is {
		if is[i] == was[i] {
			continue
		}
		if differ++; min(len(is[i]), len(was[i])) <= shortLabel && i < len(is)-1 || text.Nearest(is[i], was[i:i+1]) == nil {
			return false
		}
	}
	return differ <= 1
}

// Match is what the CRD of an object's kind says of the object.
func (d *Definition) Match(o *Object) Match {
	m := Match{Definition: d}
	version := d.Version(o.Version)
	switch {
	case d.unread != "":
		m.Verdict, m.Why = NotJudged, d.unread
	case version == nil:
		m.Verdict, m.Known = VersionUnknown, d.served()
	case !version.Served:
		m.Verdict, m.Known = VersionUnserved, d.served()
	default:
		if m.Why = d.unfit(o.Version); m.Why != "" {
			m.Verdict = NotJudged
		}
	}
	return m
}

func (d *Definition) served() (names []string) {
	for _, v := range d.Hub.Spec.Versions {
		if v.Served {
			names = append(names, v.Name)
		}
	}
	return names
}
