// Package before finds what a CRD was before a change: among the manifests of a git revision, of a folder or of a dump
// from a cluster, which may hold it elsewhere, several times, in another API version or not at all. It does not say what
// the difference means.
package before

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/manifest"
)

// A File is a manifest of the old side.
type File struct {
	Path  string                 // from the top of the old side, with slashes
	Label string                 // as messages name it, such as "main:config/crd/foos.yaml"
	Read  func() ([]byte, error) // no text and no error for a file that is passed over, such as one that is too large
}

// A Side is the old side of a comparison. It keeps which file mentions which name; files are read, and documents parsed,
// when someone asks for one of their CRDs. Find may be called from several goroutines.
type Side struct {
	// Near gives the path that a file of the new side has, or would have, on the old one. Nil leaves it as it is.
	Near func(path string) string

	files    []File
	paths    map[string]int // indexes of files
	mentions mentions

	mu     sync.Mutex
	asked  map[string]bool // names that somebody looked for
	groups map[string]bool // of those names
	used   map[int]bool    // files that something was found in
	names  map[int]*names
	latest []*slot          // of the files that were read last, the latest at the end
	broken map[int]error    // what does not parse, of files that somebody looked for a CRD in
	heads  map[string]error // heads that are misspelt, by the names of what they are meant for
	missed map[string]bool  // names that nothing was found of
	err    error
}

// A slot is a file that is read once for all who ask for it at the same time.
type slot struct {
	index int
	once  sync.Once
	*content
}

// keptFiles bounds how many files are kept: each worker may go through a bundle, which is not to be read and split anew
// for each of its CRDs.
func keptFiles() int { return 2 * runtime.GOMAXPROCS(0) }

// New looks through the files of the old side.
func New(files []File) (*Side, error) {
	s := &Side{
		files: files, paths: map[string]int{}, mentions: mentions{},
		asked: map[string]bool{}, groups: map[string]bool{}, used: map[int]bool{}, names: map[int]*names{}, broken: map[int]error{},
		heads: map[string]error{}, missed: map[string]bool{},
	}
	for i, f := range files {
		s.paths[f.Path] = i
		text, err := f.Read()
		if err != nil {
			return nil, err
		}
		if mayHold(text) {
			s.mentions.add(i, text)
		}
	}
	return s, nil
}

// Find gives the CRD of a name as it was; nil when the old side has none. Of several manifests of one CRD, that at the
// path of the new one counts, then the one that shares most folders with it, counted from both ends of the path; then
// the last in the order of their paths, where numbers count as such: of a folder for each release, the newest. In a
// file that has the CRD several times, the one with as many above it counts as nth says, or else the last.
func (s *Side) Find(name, path string, nth int) *engine.OldCRD {
	if s.Near != nil {
		path = s.Near(path)
	}
	s.ask(name)
	if i, ok := s.paths[path]; ok && s.mentions.mayHave(name, i) { // nothing is nearer
		if old := s.findIn(i, name, nth); old != nil {
			return old
		}
	}
	candidates := s.mentions.of(name)
	candidates = slices.DeleteFunc(candidates, func(i int) bool { return !s.namesIn(i).mayHave(name) })
	byNearness(candidates, s.files, path)
	for _, i := range candidates {
		if old := s.findIn(i, name, nth); old != nil {
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

func (s *Side) findIn(index int, name string, nth int) *engine.OldCRD {
	if !s.namesIn(index).mayHave(name) {
		return nil
	}
	old := s.content(index).find(name, nth)
	if old != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.used[index] = true
	}
	return old
}

// namesIn is what is known of a file without reading it.
func (s *Side) namesIn(index int) *names {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.names[index] == nil {
		s.names[index] = newNames()
	}
	return s.names[index]
}

// content gives what is in a file. One that cannot be read holds nothing.
func (s *Side) content(index int) *content {
	at := s.slot(index)
	at.once.Do(func() {
		f := s.files[index]
		text, err := f.Read()
		if err == nil {
			broken := func(err error) {
				if manifest.TemplateOf(f.Path, text) == manifest.NoTemplate {
					s.setBroken(index, err)
				}
			}
			at.content, err = newContent(f.Label, text, s.namesIn(index), broken, s.addHead)
		}
		if err != nil {
			s.fail(err)
			at.content = &content{}
		}
	})
	return at.content
}

// slot is where a file is, or will be.
func (s *Side) slot(index int) *slot {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := slices.IndexFunc(s.latest, func(p *slot) bool { return p.index == index })
	p := &slot{index: index}
	switch {
	case at >= 0:
		p = s.latest[at]
		s.latest = slices.Delete(s.latest, at, at+1)
	case len(s.latest) >= keptFiles():
		s.latest = slices.Delete(s.latest, 0, 1)
	}
	s.latest = append(s.latest, p)
	return p
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

func (s *Side) setBroken(index int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.broken[index] = err
}

func (s *Side) addHead(name string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, known := s.heads[name]; !known {
		s.heads[name] = err
	}
}

// IsMisspelt reports whether a CRD that Find has not found is there but for its head, by which no server knows it.
func (s *Side) IsMisspelt(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.missed[name] && s.heads[name] != nil
}

// Misspelt says of such CRDs what is wrong with their heads, in the order of their names.
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

// Broken says what does not parse in files that somebody looked for a CRD in, once for each, in the order of the old side:
// what was there counts as not there.
func (s *Side) Broken() []error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []error
	for _, i := range slices.Sorted(maps.Keys(s.broken)) {
		all = append(all, s.broken[i])
	}
	return all
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

// IsEmpty reports whether there is no CRD at all.
func (s *Side) IsEmpty() bool {
	for i := range s.files {
		if !s.mentions.has(i) {
			continue
		}
		c := s.content(i)
		for d := range c.documents {
			if len(c.look(d).crds) > 0 {
				return false
			}
		}
	}
	return true
}

// A Lost is a CRD of the old side that nobody has asked for.
type Lost struct {
	File        File
	Name, Group string
	FromCluster bool

	side  *Side
	index int // of the file
}

// CRD is the CRD itself; nil when its file cannot be read any more.
func (l *Lost) CRD() *engine.OldCRD { return l.side.content(l.index).find(l.Name, 0) }

// Lost lists the CRDs in some files that nobody has asked for, each name once. Like Used it is for when the run is over.
func (s *Side) Lost(in func(File) bool) []Lost {
	var lost []Lost
	done := maps.Clone(s.asked)
	done[""] = true
	for i, f := range s.files {
		if !s.mentions.has(i) || !in(f) || !s.namesIn(i).mayHaveOthers(done) {
			continue
		}
		c := s.content(i)
		for d := range c.documents {
			if !c.known.mayHaveOthersIn(d, done) {
				continue
			}
			for _, old := range c.look(d).crds {
				if name := old.CRD.Name(); !done[name] {
					done[name] = true
					lost = append(lost, Lost{f, name, crd.StringAt(old.CRD.Node, "spec", "group"), FromCluster(old.CRD), s, i})
				}
			}
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
	for rest, more := path, true; more; _, rest, more = strings.Cut(rest, "/") {
		if i, ok := s.paths[rest]; ok {
			return s.files[i], true
		}
	}
	if len(s.files) == 1 {
		return s.files[0], true
	}
	return File{}, false
}

// AskedForGroup says whether somebody looked for a CRD of an API group.
func (s *Side) AskedForGroup(group string) bool { return s.groups[group] }

// FromCluster says whether a CRD was read from an API server rather than written by its author.
func FromCluster(c *crd.CRD) bool {
	stored := crd.Get(c.Node, "status", "storedVersions")
	return crd.StringAt(c.Node, "metadata", "uid") != "" || stored != nil && len(stored.Content) > 0
}
