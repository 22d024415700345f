// Package older is the older side of a comparison: the manifests of a git revision, of a folder, of a file or of a dump from
// a cluster. It finds the former version of a CRD or of a custom resource there, which may be in another file, several times,
// in another API version or not at all. It does not interpret the difference.
//
// What counts among several is what had the same role, which roles.go has, or else the nearest: see nearest.go. Read name.go first,
// which resolves what users call a side, and manifests.go, which lists its files; then side.go, with file.go, which has what is kept
// and parses what may hold a CRD, and names.go, which finds them without parsing. objects.go has custom resources, definition.go the
// CRDs that they are judged by, and lost.go knows which CRDs are deleted.
package older

import (
	"fmt"
	"hash/maphash"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/memory"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/template"
	"github.com/crdlift/crdlift/lint"
)

// New looks through files, which are of no name. Wanted reports whether the custom resources in a text matter; nil for never.
func New(files []lint.File, wanted func(src []byte) bool) (*Side, error) {
	return (&Manifests{Files: files}).Side(wanted)
}

// Side looks through the manifests, as New does.
func (m *Manifests) Side(wanted func(src []byte) bool) (*Side, error) {
	s := &Side{
		from: m, paths: map[string]*file{}, mentioned: map[string][]*file{},
		asked: map[string]bool{}, groups: map[string]bool{}, heads: map[string]error{}, missed: map[string]bool{},
		others:      map[string]string{},
		custom:      customObjects{in: map[identity][]formerObject{}, named: map[identity]bool{}},
		contents:    memory.Memory[*file, *content]{Limit: keptFiles},
		definitions: definitions{made: map[lookup]func() *objects.Definition{}, all: objects.Catalogue{Deployed: true}},
	}
	s.definitions.kinds = sync.OnceValue(s.namesOfKinds)
	for _, in := range append(slices.Clone(m.Files), m.Links...) {
		text, err := in.Read()
		if err != nil {
			return nil, err
		}
		if m.Rendered && template.Recognise(in.Path, text) == template.Helm {
			continue
		}
		f := &file{File: in, hash: maphash.Bytes(seed, text), holds: mayHold(text)}
		s.files, s.paths[f.Path] = append(s.files, f), f
		if f.holds {
			s.index(f, text)
		}
		if wanted != nil && wanted(text) {
			s.custom.read(f, text)
		}
	}
	return s, nil
}

// From are the manifests that it was made from.
func (s *Side) From() *Manifests { return s.from }

// index files a text under all names in it.
func (s *Side) index(f *file, text []byte) {
	if isVeiled(text) {
		s.veiled = append(s.veiled, f)
	}
	for name := range names(text) {
		if files := s.mentioned[string(name)]; len(files) == 0 || files[len(files)-1] != f {
			s.mentioned[string(name)] = append(files, f)
		}
	}
}

// Find returns the CRD of a name as it was; nil when the earlier version does not have it. Of several manifests of one CRD, their roles decide,
// and else which is the nearest to that at the path of the new one. In a file that has the CRD several times, it is the one with as
// many above it as nth says, or else the last.
func (s *Side) Find(name, path string, nth int) *CRD {
	found, in := s.find(name, path, nth)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked[name] = s.asked[name] || !isKept(s.is(path, name))
	if _, group, ok := strings.Cut(name, "."); ok {
		s.groups[group] = true
	}
	if found == nil {
		s.missed[name] = true
		return nil
	}
	in.used = true
	s.noteOther(name, path, in)
	return found
}

// Err returns the error that has kept a file of the earlier version from being read since New; results since then are not
// reliable.
func (s *Side) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// IsUnknown reports whether the former version of a CRD in a file, which Find has not found, cannot be determined: its head was
// misspelt, by which no server knows it, or its file is in a submodule that cannot be read.
func (s *Side) IsUnknown(name, file string) bool {
	s.mu.Lock()
	misspelt := s.missed[name] && s.heads[name] != nil
	s.mu.Unlock()
	return misspelt || s.from.Hides(s.from.near(file))
}

// Uncompared describes what was skipped although it may have requested CRDs: documents that do not parse, of files in which a
// CRD was looked up, in the order of the side; then objects that were meant to be CRDs.
func (s *Side) Uncompared() (lines []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.files {
		if f.broken != nil {
			lines = append(lines, f.broken.Error()+"; its CRDs count as missing in the earlier version; compare with a version that parses")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.others)) {
		lines = append(lines, s.others[name])
	}
	return append(lines, s.misspelt()...)
}

// Misspelt describes the CRDs with misspelt heads, in the order of their names.
func (s *Side) Misspelt() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.misspelt()
}

func (s *Side) misspelt() (lines []string) {
	for _, name := range slices.Sorted(maps.Keys(s.missed)) {
		if err := s.heads[name]; err != nil {
			lines = append(lines, fmt.Sprintf("%s is not compared, because its earlier version has a mistake (%s); compare with a version without it", name, err))
		}
	}
	return lines
}

// Used are the files that something was found in, in the order of the earlier version.
func (s *Side) Used() []lint.File {
	var used []lint.File
	for _, f := range s.files {
		if f.used {
			used = append(used, f.File)
		}
	}
	return used
}

// IsEmpty reports whether there is no CRD, nor a message about what may be one.
func (s *Side) IsEmpty() bool { return len(s.Used())+len(s.Uncompared()) == 0 && !s.HasCRD() }

// HasCRD reports whether there is a CRD.
func (s *Side) HasCRD() bool {
	for _, f := range s.files {
		for range s.crds(f, func(string) bool { return true }) {
			return true
		}
	}
	return false
}

// Gone returns a CRD that is lost; nil when its file cannot be read any more.
func (s *Side) Gone(lost lint.LostCRD) *CRD {
	return s.findIn(s.paths[lost.File.Path], lost.Name, 0)
}

// Lost lists the CRDs in some files that were never requested, each name once. Like Used it is to be called after the
// run. Of files with roles, what was kept or is a test's is not lost, and what stands for a CRD is what was rather its source.
func (s *Side) Lost(in func(lint.File) bool) []lint.LostCRD {
	var lost []lint.LostCRD
	at, done := map[string]int{}, maps.Clone(s.asked)
	done[""] = true
	if s.was != nil {
		for _, m := range s.now.Missing() { // somebody has to generate it
			done[m.Name] = done[m.Name] || !m.IsTest
		}
	}
	for _, f := range s.files {
		if !in(f.File) {
			continue
		}
		for old := range s.crds(f, func(name string) bool { return !done[name] }) {
			name := old.Name()
			was := s.Was(f.Path, name)
			i, again := at[name]
			switch {
			case done[name] || isKept(was):
				continue
			case !again:
				i = len(lost)
				lost = append(lost, lint.LostCRD{})
			case s.was == nil || was.Rank >= s.Was(lost[i].File.Path, name).Rank:
				continue
			}
			at[name] = i
			lost[i] = lint.LostCRD{File: f.File, Name: name, Group: crd.StringAt(old.Node, "spec", "group"), FromCluster: FromCluster(old.CRD)}
		}
	}
	return lost
}

// At returns the file of the earlier version at the path of one of the new side; without one, the one with the longest path
// that the new one ends with, as in another folder. An earlier version of one file has only that.
func (s *Side) At(path string) (f lint.File, ok bool) {
	for rest, more := s.from.near(path), true; more; _, rest, more = strings.Cut(rest, "/") {
		if f, ok := s.paths[rest]; ok {
			return f.File, true
		}
	}
	if len(s.from.Files) == 1 {
		return s.files[0].File, true
	}
	return lint.File{}, false
}

// FromCluster reports whether a CRD was read from an API server rather than written by its author.
func FromCluster(c *crd.CRD) bool {
	stored := crd.Get(c.Node, "status", "storedVersions")
	return crd.StringAt(c.Node, "metadata", "uid") != "" || stored != nil && len(stored.Content) > 0
}
