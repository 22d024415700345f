package suppress

import (
	"slices"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/lint"
)

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
