// Package before finds what a CRD was before a change: among the manifests of a git revision, of a folder or of a dump
// from a cluster, which may hold it elsewhere, several times, in another API version or not at all. It does not say what
// the difference means.
package before

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/lint"
)

// A File is a manifest of the old side.
type File struct {
	Path  string                 // from the top of the old side, with slashes
	Label string                 // as messages name it, such as "main:config/crd/foos.yaml"
	Read  func() ([]byte, error) // no text and no error for a file that is passed over, such as one that is too large
}

// A Side is the old side of a comparison. It keeps which file mentions which name; files are read and parsed when
// someone asks for one of their CRDs. Find may be called from several goroutines.
type Side struct {
	// Near gives the path that a file of the new side has, or would have, on the old one. Nil leaves it as it is.
	Near func(path string) string

	files    []File
	mentions mentions

	mu     sync.Mutex
	asked  map[string]bool // names that somebody looked for
	used   map[int]bool    // files that something was found in
	names  map[int][]string
	parsed []*parsedFile // the last few, the latest at the end
	err    error
}

// A parsedFile is the CRDs of a file.
type parsedFile struct {
	index int
	once  sync.Once
	crds  []lint.OldCRD
}

// parsedFiles bounds how many files stay parsed: a few for each worker, so that the CRDs of a bundle are found without
// parsing it anew for each.
const parsedFiles = 16

// New looks through the files of the old side.
func New(files []File) (*Side, error) {
	s := &Side{
		files: files, mentions: mentions{},
		asked: map[string]bool{}, used: map[int]bool{}, names: map[int][]string{},
	}
	for i, f := range files {
		text, err := f.Read()
		if err != nil {
			return nil, err
		}
		if bytes.Contains(text, []byte(crd.Kind)) || isVeiled(text) {
			s.mentions.add(i, text)
		}
	}
	return s, nil
}

// Find gives the CRD of a name as it was; nil when the old side has none. Of several manifests of one CRD, that at the
// path of the new one counts, then the one that shares most folders with it, counted from both ends of the path; then
// the last in the order of their paths, where numbers count as such: of a folder for each release, the newest. In a
// file that has the CRD several times, the one with as many above it counts as nth says, or else the last.
func (s *Side) Find(name, path string, nth int) *lint.OldCRD {
	if s.Near != nil {
		path = s.Near(path)
	}
	s.mu.Lock()
	s.asked[name] = true
	s.mu.Unlock()
	candidates := s.mentions.of(name)
	byNearness(candidates, s.files, path)
	for _, i := range candidates {
		if !s.mayHold(i, name) {
			continue
		}
		var old *lint.OldCRD
		for _, c := range s.parse(i) {
			if c.CRD.Name() == name && nth >= 0 {
				old = &c
				nth--
			}
		}
		if old != nil {
			s.mu.Lock()
			s.used[i] = true
			s.mu.Unlock()
			return old
		}
	}
	return nil
}

// mayHold says whether a file has a CRD of a name, as far as is known without parsing it.
func (s *Side) mayHold(index int, name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	names, known := s.names[index]
	return !known || slices.Contains(names, name)
}

// parse gives the CRDs of a file. What does not parse has none.
func (s *Side) parse(index int) []lint.OldCRD {
	p := s.slot(index)
	p.once.Do(func() {
		text, err := s.files[index].Read()
		if err != nil {
			s.fail(err)
			return
		}
		p.crds = find(manifest.Parse(s.files[index].Label, text))
		var names []string
		for _, c := range p.crds {
			names = append(names, c.CRD.Name())
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.names[index] = names
	})
	return p.crds
}

// slot is where the CRDs of a file are, or will be.
func (s *Side) slot(index int) *parsedFile {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := slices.IndexFunc(s.parsed, func(p *parsedFile) bool { return p.index == index })
	p := &parsedFile{index: index}
	switch {
	case at >= 0:
		p = s.parsed[at]
		s.parsed = slices.Delete(s.parsed, at, at+1)
	case len(s.parsed) >= parsedFiles:
		s.parsed = slices.Delete(s.parsed, 0, 1)
	}
	s.parsed = append(s.parsed, p)
	return p
}

func find(f *manifest.File) []lint.OldCRD {
	var all []lint.OldCRD
	for _, d := range f.Documents {
		if d.Err != nil || d.Root == nil {
			continue
		}
		found, _ := crd.Find(d.Root.YNode())
		for _, c := range found {
			all = append(all, lint.OldCRD{CRD: c, Document: d})
		}
	}
	return all
}

func (s *Side) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = fmt.Errorf("the old side: %w", err)
	}
}

// Err is what kept a file of the old side from being read since New; what was found since is not to be relied on.
func (s *Side) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// Used are the files that something was found in, in the order of the old side.
func (s *Side) Used() []File {
	var used []File
	for i, f := range s.files {
		if s.used[i] {
			used = append(used, f)
		}
	}
	return used
}

// A Lost is a CRD of the old side that nobody has asked for.
type Lost struct {
	File File
	CRD  lint.OldCRD
}

// Lost lists the CRDs in some files that nobody has asked for, each name once. Like Used it is for when the run is over.
func (s *Side) Lost(in func(File) bool) []Lost {
	var lost []Lost
	seen := map[string]bool{"": true}
	for i, f := range s.files {
		if !s.mentions.has(i) || !in(f) {
			continue
		}
		if names, known := s.names[i]; known && !slices.ContainsFunc(names, func(name string) bool { return !s.asked[name] }) {
			continue
		}
		for _, c := range s.parse(i) {
			name := c.CRD.Name()
			if s.asked[name] || seen[name] {
				continue
			}
			seen[name] = true
			lost = append(lost, Lost{f, c})
		}
	}
	return lost
}

// At gives the file of the old side at the path of one of the new side; if there is none, the one with the longest path
// that the new one ends with, as in another folder. An old side of one file has only that.
func (s *Side) At(path string) (f File, ok bool) {
	if s.Near != nil {
		path = s.Near(path)
	}
	for _, c := range s.files {
		switch {
		case c.Path == path:
			return c, true
		case len(s.files) == 1, strings.HasSuffix(path, "/"+c.Path) && len(c.Path) > len(f.Path):
			f, ok = c, true
		}
	}
	return f, ok
}

// AskedForGroup says whether somebody looked for a CRD of an API group.
func (s *Side) AskedForGroup(group string) bool {
	for name := range s.asked {
		if _, of, ok := strings.Cut(name, "."); ok && of == group {
			return true
		}
	}
	return false
}

// FromCluster says whether a CRD was read from an API server rather than written by its author.
func FromCluster(c *crd.CRD) bool {
	stored := crd.Get(c.Node, "status", "storedVersions")
	return crd.StringAt(c.Node, "metadata", "uid") != "" || stored != nil && len(stored.Content) > 0
}
