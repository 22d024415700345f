package objects

import (
	"cmp"
	"crypto/sha256"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/text"
)

// A kind has the CRDs of one kind, with all the places that each of them is in: which counts for an object depends on them.
type kind struct {
	all          []*Definition // the first of each that says something else
	first        map[content]*Definition
	given, found places // those that were named, and the others
}

// A content tells CRDs from their copies: all that a server asks about one, or why it cannot be read.
type content struct {
	says   [sha256.Size]byte
	unread string
}

func (d *Definition) content() content { return content{d.says, d.unread} }

// IsCopy reports whether two CRDs say the same.
func (d *Definition) IsCopy(of *Definition) bool { return d.content() == of.content() }

// places are the CRDs that stand best for the objects in a folder, or anywhere below it: by the folder, which ends in a slash,
// and by a version that they have, "" for any. An object is looked up in the folders around it, however many CRDs there are.
type places map[place]contest

type place struct{ folder, version string }

// A contest has the CRDs that stand alike and say different things.
type contest struct {
	rank
	all  []*Definition
	said map[content]bool // by one of them
}

// add adds a CRD. A copy shares the decoded form of the first that says the same, and what judges by it.
func (k *kind) add(d *Definition) {
	switch first := k.first[d.content()]; {
	case first == nil:
		k.all, k.first[d.content()] = append(k.all, d), d
	case d.unread == "":
		shared := *first.Hub
		shared.Status = d.Hub.Status // of its own cluster
		d.Hub, d.judge = &shared, first.judge
	}
	in := k.found
	if d.Given {
		in = k.given
	}
	shared := 0
	for folder, rest := range foldersAround(d.Path) {
		own := strings.Split(rest, "/")
		s := rank{older: slices.ContainsFunc(own, manifest.IsOlderFolder), shared: shared, chart: slices.ContainsFunc(own, manifest.IsChartFolder)}
		in.add(place{folder, ""}, s, d)
		s.version = true
		for _, v := range d.Hub.Spec.Versions {
			in.add(place{folder, v.Name}, s, d)
		}
		shared++
	}
}

func (p places) add(at place, s rank, d *Definition) {
	best := p[at]
	switch better := s.compare(best.rank); {
	case best.all == nil || better > 0:
		p[at] = contest{s, []*Definition{d}, map[content]bool{d.content(): true}}
	case better == 0 && !best.said[d.content()]:
		best.said[d.content()] = true
		best.all = append(best.all, d)
		p[at] = best
	}
}

// nearest returns the CRD for an object in the file at a path: one that was named before all others, else the one that stands
// nearest. Others are those that stand as near as it and differ from it.
func (k *kind) nearest(o *Object, file string) (d *Definition, others []*Definition) {
	in := k.given
	if len(in) == 0 {
		in = k.found
	}
	var best contest
	for folder := range foldersAround(file) {
		for _, version := range []string{o.Version, ""} {
			if here, ok := in[place{folder, version}]; ok && (best.all == nil || here.compare(best.rank) > 0) {
				best = here
			}
		}
	}
	return best.all[0], best.all[1:]
}

// foldersAround are the folders around a file, the outermost first, each with what is below it up to the file. All have slashes
// at their ends. They are counted from the root, however the path is written, and the last is for the files beside it alone.
func foldersAround(file string) func(yield func(folder, rest string) bool) {
	return func(yield func(folder, rest string) bool) {
		dir := path.Dir(file)
		if abs, err := filepath.Abs(dir); err == nil { // there may be no working directory
			dir = filepath.ToSlash(abs)
		}
		dir += "/./"
		for at := 0; yield(dir[:at], dir[at:]) && at < len(dir); {
			at += strings.IndexByte(dir[at:], '/') + 1
		}
	}
}

// A rank says how near a CRD is to an object, the most important first. The folders that count are those around the CRD that
// are not around the object as well: what belongs to a release, or to a chart, is near to what belongs to the same one.
type rank struct {
	older   bool // it is in a folder for older copies: of a release, or for tests
	version bool // it has the object's version
	shared  int  // the folders around both
	chart   bool // it is in a chart, which is made from another manifest
}

// compare is above 0 for a rank that is nearer than another.
func (s rank) compare(other rank) int {
	return cmp.Or(yes(other.older)-yes(s.older), yes(s.version)-yes(other.version), s.shared-other.shared, yes(other.chart)-yes(s.chart))
}

func yes(b bool) int {
	if b {
		return 1
	}
	return 0
}

// kindNames are the kinds of a group, and what else its CRDs call them, in lower case: objects may ask for many that it does not have.
type kindNames struct {
	kinds  *text.Words
	called map[string]string
}

func namesIn(kinds map[string]*kind) *kindNames {
	names := slices.Sorted(maps.Keys(kinds))
	k := &kindNames{text.NewWords(names), map[string]string{}}
	for _, name := range names {
		for _, d := range kinds[name].all {
			names := d.Hub.Spec.Names
			for _, other := range append([]string{names.Plural, names.Singular, names.ListKind}, names.ShortNames...) {
				if other = strings.ToLower(other); k.called[other] == "" {
					k.called[other] = name
				}
			}
		}
	}
	return k
}

// meant returns the kind whose plural, singular, short name or list a word is or, if it is none, that is near it; "" for none.
func (k *kindNames) meant(word string) string {
	if name := k.called[strings.ToLower(word)]; name != "" {
		return name
	}
	near := k.kinds.Nearest(word)
	return append(near, "")[0]
}
