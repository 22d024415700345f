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
)

// lost lists the CRDs of the old side that are deleted: they were where the paths of the new side point to, and are
// nowhere now.
func (o *oldSide) lost(paths []string, excluded func(path string) bool, limit int64) []before.Lost {
	lost := o.Lost(o.covered(paths, excluded))
	if o.name.isGit() {
		return o.gone(lost, limit)
	}
	// A cluster has CRDs of many owners. Those of other API groups are none of this manifest's business, and a single
	// file says nothing about other files.
	folder := slices.ContainsFunc(paths, isFolder)
	return slices.DeleteFunc(lost, func(l before.Lost) bool {
		return before.FromCluster(l.CRD.CRD) && !(folder && o.AskedForGroup(crd.StringAt(l.CRD.CRD.Node, "spec", "group")))
	})
}

// covered says which files of the old side the paths of the new side stand for.
func (o *oldSide) covered(paths []string, excluded func(path string) bool) func(before.File) bool {
	if o.name.isGit() {
		return o.inside(paths, excluded)
	}
	if !o.dir || slices.ContainsFunc(paths, isFolder) {
		return func(before.File) bool { return true }
	}
	names := map[string]bool{}
	for _, p := range paths {
		names[filepath.Base(p)] = true
	}
	return func(f before.File) bool { return names[f.Path[strings.LastIndexByte(f.Path, '/')+1:]] }
}

// inside is covered for a revision: its files that are one of the paths, or below it.
func (o *oldSide) inside(paths []string, excluded func(path string) bool) func(before.File) bool {
	var exactly, below []string
	for _, p := range paths {
		at, ok := o.name.repository.Path(p)
		switch {
		case p == stdinPath || !ok:
		case at == ".":
			below = append(below, "")
		case isFolder(p):
			below = append(below, at+"/")
		default:
			exactly = append(exactly, at)
		}
	}
	return func(f before.File) bool {
		if excluded(o.newPath(f)) {
			return false
		}
		return slices.Contains(exactly, f.Path) || isManifestName(f.Path) && slices.ContainsFunc(below, func(dir string) bool {
			return strings.HasPrefix(f.Path, dir)
		})
	}
}

// newPath is where a file of the old side is, or would be, on the new one.
func (o *oldSide) newPath(f before.File) string {
	if o.name.isGit() {
		return o.name.repository.Shown(f.Path)
	}
	return f.Label
}

// gone leaves those that no manifest of the working tree has: one may have moved to where nobody looks this time.
func (o *oldSide) gone(lost []before.Lost, limit int64) []before.Lost {
	if len(lost) == 0 {
		return nil
	}
	top := o.name.repository.Top
	found := &finder{}
	for _, l := range lost { // even where .gitignore hides them
		if at := filepath.Join(top, filepath.FromSlash(l.File.Path)); isFile(at) {
			found.find(at)
		}
	}
	found.find(top)
	for _, in := range found.inputs {
		text, err := in.read(nil, limit)
		if err != nil { // the run has failed on it, or nobody asked for it
			lost = slices.DeleteFunc(lost, func(l before.Lost) bool { return in.path == filepath.Join(top, filepath.FromSlash(l.File.Path)) })
			continue
		}
		if !bytes.Contains(text, []byte(crd.Kind)) {
			continue
		}
		held := heldBy(text)
		lost = slices.DeleteFunc(lost, func(l before.Lost) bool { return held(l.CRD.CRD.Name()) })
		if len(lost) == 0 {
			break
		}
	}
	return lost
}

// heldBy says which CRDs a manifest has. One that does not parse, such as a template, may have all it mentions.
func heldBy(text []byte) func(name string) bool {
	var names map[string]bool
	broken := false
	return func(name string) bool {
		if !bytes.Contains(text, []byte(name)) {
			return false
		}
		if names == nil {
			names = map[string]bool{}
			for _, d := range manifest.Parse("", text).Documents {
				broken = broken || d.Err != nil
				if d.Root == nil {
					continue
				}
				found, _ := crd.Find(d.Root.YNode())
				for _, c := range found {
					names[c.Name()] = true
				}
			}
		}
		return broken || names[name]
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
