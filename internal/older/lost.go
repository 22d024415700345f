package older

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/xrd"
	"github.com/crdlift/crdlift/lint"
)

// Deleted lists the CRDs of the earlier version that are deleted: they were where the paths of the new side point to, and are
// nowhere now. Like Lost it is to be called after the run. Those of a cluster do not count: it has CRDs of many owners, also
// within a group. The ones in the groups of the CRDs that were looked up are returned by themselves.
func (s *Side) Deleted(paths []string, excluded func(path string) bool) (deleted, ofCluster []lint.LostCRD) {
	lost := s.Lost(s.from.covered(paths, excluded))
	if s.from.IsGit() && !s.Strict {
		return s.gone(lost), nil
	}
	for _, l := range lost {
		switch {
		case !l.FromCluster:
			deleted = append(deleted, l)
		case s.groups[l.Group]:
			ofCluster = append(ofCluster, l)
		}
	}
	return deleted, ofCluster
}

// covered returns a function that reports whether a file of the older side is below the paths of the new side.
func (m *Manifests) covered(paths []string, excluded func(path string) bool) func(lint.File) bool {
	if m.IsGit() {
		return m.inside(paths, excluded)
	}
	if !m.Folder || slices.ContainsFunc(paths, isFolder) {
		return func(lint.File) bool { return true }
	}
	names := map[string]bool{}
	for _, p := range paths {
		names[filepath.Base(p)] = true
	}
	return func(f lint.File) bool { return names[f.Path[strings.LastIndexByte(f.Path, '/')+1:]] }
}

// gone returns those that no manifest of the working tree has: one may have moved out of the linted paths. What is kept there,
// or is a test's, does not count.
func (s *Side) gone(lost []lint.LostCRD) []lint.LostCRD {
	if len(lost) == 0 {
		return nil
	}
	m := s.from
	top := m.repository.Top
	missing := search{}
	from := map[string][]string{} // names by the files that had them
	var places []string
	for _, l := range lost { // even where .gitignore hides them
		missing[l.Name] = true
		at := filepath.Join(top, filepath.FromSlash(l.File.Path))
		if from[at] == nil && isFile(at) {
			places = append(places, at)
		}
		from[at] = append(from[at], l.Name)
	}
	for _, place := range append(places, top) {
		found, _, _ := m.reader.Find(place, true) // the run has failed on what cannot be read, or it was not requested
		for _, f := range found {
			if text, err := f.Read(); err != nil {
				missing.forget(from[f.Path])
			} else {
				missing.look(text, func(name string) bool { return !isKept(s.is(f.Path, name)) })
			}
		}
	}
	return slices.DeleteFunc(lost, func(l lint.LostCRD) bool { return !missing[l.Name] })
}

// A search has the names of the CRDs that were not found yet.
type search map[string]bool

func (s search) forget(names []string) {
	for _, name := range names {
		delete(s, name)
	}
}

// look takes those out that a manifest has and that count in it. One that does not parse, such as a template, may have all it mentions.
func (s search) look(text []byte, counts func(name string) bool) {
	if len(s) == 0 || !xrd.MayHold(text) {
		return
	}
	var mentioned []string
	for name := range s {
		if !isName(name) && bytes.Contains(text, []byte(name)) || bytes.Contains(text, claims) {
			mentioned = append(mentioned, name)
		}
	}
	for name := range names(text) {
		if s[string(name)] {
			mentioned = append(mentioned, string(name))
		}
	}
	if len(mentioned) == 0 {
		return
	}
	for _, d := range manifest.Parse("", text).Documents {
		if d.Err != nil {
			s.forget(mentioned)
		}
		found, _ := xrd.Find(d.Root.YNode())
		for _, c := range found {
			if (!c.IsPart() || len(c.Slips()) > 0) && counts(c.Name()) { // a patch of a removed CRD is a leftover
				delete(s, c.Name())
			}
		}
	}
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
