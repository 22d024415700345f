package objects

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/manifest"
)

// nearest returns the CRD for an object in the file at a path: one that was named before all others, else the one that stands
// nearest. Others are those that stand as near as it and differ from it.
func nearest(all []*Definition, o *Object, file string) (d *Definition, others []*Definition) {
	if given := slices.DeleteFunc(slices.Clone(all), func(d *Definition) bool { return !d.Given }); len(given) > 0 {
		all = given
	}
	var best standing
	for _, one := range all {
		switch s := standingOf(one, o, file); {
		case d == nil || s.compare(best) > 0:
			d, others, best = one, nil, s
		case s.compare(best) == 0:
			others = append(others, one)
		}
	}
	return d, others
}

// A standing says how near a CRD is to an object, the most important first. The folders that count are those around the CRD that
// are not around the object as well: what belongs to a release, or to a chart, is near to what belongs to the same one.
type standing struct {
	older   bool // it is in a folder for older copies: of a release, or for tests
	version bool // it has the object's version
	shared  int  // the folders around both
	chart   bool // it is in a chart, which is made from another manifest
}

func standingOf(d *Definition, o *Object, file string) standing {
	at, to := strings.Split(path.Dir(d.Path), "/"), strings.Split(path.Dir(file), "/")
	shared := 0
	for shared < min(len(at), len(to)) && at[shared] == to[shared] {
		shared++
	}
	own := at[shared:]
	return standing{
		older: slices.ContainsFunc(own, manifest.IsOlderFolder), version: d.Version(o.Version) != nil, shared: shared,
		chart: slices.ContainsFunc(own, manifest.IsChartFolder),
	}
}

// compare is above 0 for a standing that is nearer than another.
func (s standing) compare(other standing) int {
	return cmp.Or(yes(other.older)-yes(s.older), yes(s.version)-yes(other.version), s.shared-other.shared, yes(other.chart)-yes(s.chart))
}

func yes(b bool) int {
	if b {
		return 1
	}
	return 0
}
