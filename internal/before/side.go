// Package before finds the former version of a CRD: among the manifests of a git revision, of a folder or of a dump
// from a cluster, which may hold it elsewhere, several times, in another API version or not at all. It does not
// interpret the difference.
//
// Read side.go first, then names.go, which finds the files that may hold a CRD without parsing them, file.go, which
// parses them, and nearest.go, which chooses between several.
package before

import (
	"fmt"
	"hash/maphash"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/lint"
)

// A Side is the old side of a comparison. It remembers which file mentions which name; files are read, and documents
// parsed, when one of their CRDs is requested with Find or OldCRD. Those may be called from several goroutines. They
// are not methods, because package rules exports Side, and their types are internal.
type Side struct {
	// Near maps the path of a file of the new side to the path that it has, or would have, on the old one. Nil leaves
	// it as it is.
	Near func(path string) string

	files     []*file
	paths     map[string]*file
	mentioned map[string][]*file // the files that mention a name
	veiled    []*file            // those that may hold names without mentioning them

	mu     sync.Mutex
	asked  map[string]bool  // names that somebody looked for
	groups map[string]bool  // of those names
	latest []*content       // of the files that were read last, the latest at the end
	heads  map[string]error // misspelt heads, by the names of the intended CRDs
	missed map[string]bool  // names that nothing was found of
	err    error
}

// New looks through the files of the old side.
func New(files []lint.File) (*Side, error) {
	s := &Side{
		paths: map[string]*file{}, mentioned: map[string][]*file{},
		asked: map[string]bool{}, groups: map[string]bool{}, heads: map[string]error{}, missed: map[string]bool{},
	}
	for _, in := range files {
		text, err := in.Read()
		if err != nil {
			return nil, err
		}
		f := &file{File: in, hash: maphash.Bytes(seed, text), holds: mayHold(text)}
		s.files, s.paths[f.Path] = append(s.files, f), f
		if f.holds {
			s.index(f, text)
		}
	}
	return s, nil
}

// index files a text under all names in it.
func (s *Side) index(f *file, text []byte) {
	if isVeiled(text) {
		s.veiled = append(s.veiled, f)
	}
	for name := range Names(text) {
		if files := s.mentioned[string(name)]; len(files) == 0 || files[len(files)-1] != f {
			s.mentioned[string(name)] = append(files, f)
		}
	}
}

// candidates lists the files that may hold a CRD of a name. A name that no API server would take may be written in ways
// that are not recognised; then it is all of them.
func (s *Side) candidates(name string) []*file {
	found := s.files
	if IsName(name) {
		found = slices.Concat(s.mentioned[name], s.veiled)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(found), func(f *file) bool {
		return !f.mayHave(func(names map[string]int) bool { return names[name] > 0 })
	})
}

// Find returns the CRD of a name as it was; nil when the old side has none. Of several manifests of one CRD, that at the
// path of the new one counts, then the one that shares most folders with it, counted from both ends of the path; then
// the last in the order of their paths, where numbers count as such: of a folder for each release, the newest. In a
// file that has the CRD several times, the one with as many above it counts as nth says, or else the last.
func Find(s *Side, name, path string, nth int) *engine.OldCRD {
	if s.Near != nil {
		path = s.Near(path)
	}
	s.ask(name)
	candidates := s.candidates(name)
	byNearness(candidates, path)
	for _, f := range candidates {
		if old := s.findIn(f, name, nth); old != nil {
			s.mu.Lock()
			defer s.mu.Unlock()
			f.used = true
			return old
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.missed[name] = true
	return nil
}

func (s *Side) ask(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked[name] = true
	if _, group, ok := strings.Cut(name, "."); ok {
		s.groups[group] = true
	}
}

// Err returns the error that has kept a file of the old side from being read since New; results since then are not
// reliable.
func (s *Side) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// IsMisspelt reports whether a CRD that Find has not found is there but for its head, by which no server knows it.
func (s *Side) IsMisspelt(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.missed[name] && s.heads[name] != nil
}

// Misspelt returns the errors in the heads of CRDs with misspelt heads, in the order of their names.
func (s *Side) Misspelt() []error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []error
	for _, name := range slices.Sorted(maps.Keys(s.missed)) {
		if err := s.heads[name]; err != nil {
			all = append(all, fmt.Errorf("%s is not compared: %w", name, err))
		}
	}
	return all
}

// Broken returns the documents that do not parse, of files in which a CRD was looked up, once for each, in the order of
// the old side: their CRDs count as missing.
func (s *Side) Broken() []error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []error
	for _, f := range s.files {
		if f.broken != nil {
			all = append(all, f.broken)
		}
	}
	return all
}

// Used are the files that something was found in, in the order of the old side.
func (s *Side) Used() []lint.File {
	var used []lint.File
	for _, f := range s.files {
		if f.used {
			used = append(used, f.File)
		}
	}
	return used
}

// IsEmpty reports whether there is no CRD at all.
func (s *Side) IsEmpty() bool {
	for _, f := range s.files {
		for range s.crds(f, func(string) bool { return true }) {
			return false
		}
	}
	return true
}

// crds goes through the CRDs of those documents of a file that may have one with a name that is wanted. It is for when the
// run is over.
func (s *Side) crds(f *file, wanted func(name string) bool) iter.Seq[engine.OldCRD] {
	some := func(names map[string]int) bool {
		for name := range names {
			if wanted(name) {
				return true
			}
		}
		return false
	}
	return func(yield func(engine.OldCRD) bool) {
		if !f.mayHave(some) {
			return
		}
		c := s.content(f)
		for i := range c.documents {
			if names := f.names[i]; names != nil && !some(names) {
				continue
			}
			for _, old := range s.look(c, i) {
				if !yield(old) {
					return
				}
			}
		}
	}
}

// OldCRD returns a CRD that is lost; nil when its file cannot be read any more.
func OldCRD(s *Side, lost lint.LostCRD) *engine.OldCRD {
	return s.findIn(s.paths[lost.File.Path], lost.Name, 0)
}

// Lost lists the CRDs in some files that were never requested, each name once. Like Used it is to be called after the
// run.
func (s *Side) Lost(in func(lint.File) bool) []lint.LostCRD {
	var lost []lint.LostCRD
	done := maps.Clone(s.asked)
	done[""] = true
	for _, f := range s.files {
		if !in(f.File) {
			continue
		}
		for old := range s.crds(f, func(name string) bool { return !done[name] }) {
			if name := old.CRD.Name(); !done[name] {
				done[name] = true
				lost = append(lost, lint.LostCRD{
					File: f.File, Name: name, Group: crd.StringAt(old.CRD.Node, "spec", "group"), FromCluster: FromCluster(old.CRD),
				})
			}
		}
	}
	return lost
}

// At returns the file of the old side at the path of one of the new side; if there is none, the one with the longest path
// that the new one ends with, as in another folder. An old side of one file has only that.
func (s *Side) At(path string) (f lint.File, ok bool) {
	if s.Near != nil {
		path = s.Near(path)
	}
	for rest, more := path, true; more; _, rest, more = strings.Cut(rest, "/") {
		if f, ok := s.paths[rest]; ok {
			return f.File, true
		}
	}
	if len(s.files) == 1 {
		return s.files[0].File, true
	}
	return lint.File{}, false
}

// AskedForGroup reports whether somebody looked for a CRD of an API group.
func (s *Side) AskedForGroup(group string) bool { return s.groups[group] }

// FromCluster reports whether a CRD was read from an API server rather than written by its author.
func FromCluster(c *crd.CRD) bool {
	stored := crd.Get(c.Node, "status", "storedVersions")
	return crd.StringAt(c.Node, "metadata", "uid") != "" || stored != nil && len(stored.Content) > 0
}
