package older

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// byNearness orders files of an older side by how near they are to a path. First is the file at that path; then those that
// share most names of the path with it, counted from both ends, since a file is renamed in its folder, and a folder is moved
// or copied as a whole; then those with the shortest path; and of these the last, where numbers count as such: of a folder for
// each release, the newest.
//
// An older side is the same tree at another time, so that what a file was is a question of where it is, unless roles say more of
// a CRD: see byRole. Which CRD judges an object is another question, which package objects answers.
func byNearness(candidates []*file, path string) {
	if len(candidates) < 2 {
		return
	}
	to := strings.Split(path, "/")
	type distance struct{ shared, length int }
	distances := map[*file]distance{}
	for _, f := range candidates {
		at := strings.Split(f.Path, "/")
		distances[f] = distance{shared(at, to), len(at)}
		if f.Path == path {
			distances[f] = distance{math.MaxInt32, 0} // nearer than one that has all of it in other folders
		}
	}
	slices.SortStableFunc(candidates, func(f, g *file) int {
		a, b := distances[f], distances[g]
		return cmp.Or(b.shared-a.shared, a.length-b.length, -natural(f.Path, g.Path))
	})
}

// shared counts the names that two paths have in common at their beginnings and at their ends.
func shared(a, b []string) int {
	n := min(len(a), len(b))
	first := 0
	for first < n && a[first] == b[first] {
		first++
	}
	last := 0
	for last < n-first && a[len(a)-1-last] == b[len(b)-1-last] {
		last++
	}
	return first + last
}

// natural compares texts with the numbers in them as numbers: v1.9 comes before v1.10.
func natural(a, b string) int {
	for i, j := 0, 0; ; {
		if i == len(a) || j == len(b) {
			return cmp.Or((len(a)-i)-(len(b)-j), strings.Compare(a, b))
		}
		m, n := digits(a[i:]), digits(b[j:])
		if m > 0 && n > 0 {
			x, y := strings.TrimLeft(a[i:i+m], "0"), strings.TrimLeft(b[j:j+n], "0")
			if d := cmp.Or(len(x)-len(y), strings.Compare(x, y)); d != 0 {
				return d
			}
			i, j = i+m, j+n
			continue
		}
		if a[i] != b[j] {
			return cmp.Compare(a[i], b[j])
		}
		i, j = i+1, j+1
	}
}

func digits(s string) int { return len(s) - len(strings.TrimLeft(s, "0123456789")) }

// find is Find for what asks for an object.
func (s *Side) find(name, path string, nth int) (*CRD, *file) {
	candidates := s.candidates(name)
	byNearness(candidates, s.from.near(path))
	s.byRole(candidates, name, path)
	for _, f := range candidates {
		if old := s.findIn(f, name, nth); old != nil {
			return old, f
		}
	}
	return nil, nil
}

// candidates lists the files that may hold a CRD of a name. A name that no API server would take may be written in ways
// that are not recognised; then it is all of them.
func (s *Side) candidates(name string) []*file {
	found := s.files
	if isName(name) {
		found = slices.Concat(s.mentioned[name], s.veiled)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(found), func(f *file) bool {
		return !f.mayHave(func(names map[string]int) bool { return names[name] > 0 })
	})
}
