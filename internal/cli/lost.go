package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/before"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/worktree"
	"github.com/crdlift/crdlift/lint"
)

// lost lists the CRDs of the old side that are deleted: they were where the paths of the new side point to, and are
// nowhere now.
func (o *oldSide) lost(paths []string, excluded func(path string) bool, limit int64) []lint.LostCRD {
	lost := o.Lost(o.covered(paths, excluded))
	if o.name.isGit() {
		return o.gone(lost, limit)
	}
	// A cluster has CRDs of many owners. Those of other API groups are none of this manifest's business, and a single
	// file says nothing about other files.
	folder := slices.ContainsFunc(paths, isFolder)
	return slices.DeleteFunc(lost, func(l lint.LostCRD) bool {
		return l.FromCluster && !(folder && o.AskedForGroup(l.Group))
	})
}

// covered returns a function that reports whether a file of the old side is below the paths of the new side.
func (o *oldSide) covered(paths []string, excluded func(path string) bool) func(lint.File) bool {
	if o.name.isGit() {
		return o.inside(paths, excluded)
	}
	if !o.dir || slices.ContainsFunc(paths, isFolder) {
		return func(lint.File) bool { return true }
	}
	names := map[string]bool{}
	for _, p := range paths {
		names[filepath.Base(p)] = true
	}
	return func(f lint.File) bool { return names[f.Path[strings.LastIndexByte(f.Path, '/')+1:]] }
}

// inside is covered for a revision: its files that are one of the paths, or below it.
func (o *oldSide) inside(paths []string, excluded func(path string) bool) func(lint.File) bool {
	exactly := map[string]bool{}
	var below []string
	for _, p := range paths {
		at, ok := o.name.repository.Path(p)
		switch {
		case p == stdinPath || !ok:
		case at == ".":
			below = append(below, "")
		case isFolder(p):
			below = append(below, at+"/")
		default:
			exactly[at] = true
		}
	}
	return func(f lint.File) bool {
		if excluded(o.newPath(f)) {
			return false
		}
		return exactly[f.Path] || worktree.IsManifest(f.Path) && slices.ContainsFunc(below, func(dir string) bool {
			inside, is := strings.CutPrefix(f.Path, dir)
			steps := strings.Split(inside, "/")
			return is && !slices.ContainsFunc(steps[:len(steps)-1], worktree.LeftOut)
		})
	}
}

// newPath is where a file of the old side is, or would be, on the new one.
func (o *oldSide) newPath(f lint.File) string {
	if o.name.isGit() {
		return o.name.repository.Shown(f.Path)
	}
	return f.Label
}

// gone returns those that no manifest of the working tree has: one may have moved out of the linted paths.
func (o *oldSide) gone(lost []lint.LostCRD, limit int64) []lint.LostCRD {
	if len(lost) == 0 {
		return nil
	}
	top := o.name.repository.Top
	found := &finder{everywhere: true}
	missing := search{}
	from := map[string][]string{} // names by the files that had them
	for _, l := range lost {      // even where .gitignore hides them
		missing[l.Name] = true
		at := filepath.Join(top, filepath.FromSlash(l.File.Path))
		if from[at] == nil && isFile(at) {
			found.find(at)
		}
		from[at] = append(from[at], l.Name)
	}
	found.find(top)
	for _, in := range found.inputs {
		text, err := in.read(nil, limit)
		if err != nil { // the run has failed on it, or it was not requested
			missing.forget(from[in.path])
		} else {
			missing.look(text)
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

// look takes those out that a manifest has. One that does not parse, such as a template, may have all it mentions.
func (s search) look(text []byte) {
	if len(s) == 0 || !bytes.Contains(text, []byte(crd.Kind)) {
		return
	}
	var mentioned []string
	for name := range s {
		if !before.IsName(name) && bytes.Contains(text, []byte(name)) {
			mentioned = append(mentioned, name)
		}
	}
	for name := range before.Names(text) {
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
		if d.Root == nil {
			continue
		}
		found, _ := crd.Find(d.Root.YNode())
		for _, c := range found {
			if !c.IsPart() || len(c.Slips()) > 0 { // a patch of a removed CRD is a leftover
				delete(s, c.Name())
			}
		}
	}
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
