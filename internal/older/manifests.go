package older

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/crdlift/crdlift/internal/gitrev"
	"github.com/crdlift/crdlift/internal/worktree"
	"github.com/crdlift/crdlift/lint"
)

// Manifests are the manifests at a name. Close ends the git process that reads them.
type Manifests struct {
	Name
	Files  []lint.File
	Links  []lint.File // to files of a folder: what these have counts at their paths, too
	Folder bool        // the name is that of a folder

	Rendered bool // pass Helm templates over: what they render to is compared elsewhere

	tree   *gitrev.Tree
	reader Reader
}

// A Reader is how a run reads files of this machine, and what it does about those that it does not read.
type Reader struct {
	Limit int64 // of the size of a file, in bytes
	// Find lists the manifests at a path, or that of standard input. Everywhere says to look into folders that are passed over otherwise.
	Find func(path string, everywhere bool) (found []FoundFile, folder bool, err error)
	// TooLarge takes a file above the limit, which counts as empty: its label, its path from the working directory, and the
	// revision that has it, "" for none.
	TooLarge func(label, path, revision string)
}

// A FoundFile is a manifest of this machine.
type FoundFile struct {
	Path  string
	Links []string // its other paths
	Read  func() ([]byte, error)
}

// Open lists the manifests at the name. Files at the paths of the new side count there, too, whatever their names are.
func (n Name) Open(ctx context.Context, r Reader, paths ...string) (*Manifests, error) {
	m := &Manifests{Name: n, reader: r}
	list := m.listFolder
	if n.IsGit() {
		list = func() error { return m.listRevision(ctx, paths) }
	}
	if err := list(); err != nil {
		m.Close()
		return nil, err
	}
	return m, nil
}

func (m *Manifests) listRevision(ctx context.Context, paths []string) error {
	r := m.repository
	named := map[string]bool{m.Path: true}
	for _, p := range paths {
		if at, ok := r.Path(p); ok {
			named[at] = true
		} else if p != Stdin {
			return fmt.Errorf("%s is outside of the repository at %s, which has the revision to compare with; run crdlift in the repository of that path",
				p, filepath.ToSlash(r.Top))
		}
	}
	wanted := func(at string) bool {
		inside := m.Path == "" || isWithin(at, m.Path)
		return inside && (worktree.IsManifest(at) || named[at])
	}
	var err error
	if m.tree, err = r.Tree(ctx, m.commit, m.reader.Limit, wanted); err != nil {
		return err
	}
	if m.Path != "" && len(m.tree.Files) == 0 {
		for _, module := range m.tree.Missing {
			if isWithin(m.Path, module.Path) {
				return fmt.Errorf("the submodule %s of %s cannot be read: %s", r.Shown(module.Path), m.Revision, module.Why)
			}
		}
		return fmt.Errorf("%s has no manifests at %q; 'git ls-tree -r --name-only %s' lists what it has", m.Revision, m.Path, m.Revision)
	}
	for _, b := range m.tree.Files {
		label := m.Revision + ":" + b.Path
		m.Files = append(m.Files, lint.File{Path: b.Path, Label: label, Read: func() ([]byte, error) {
			text, err := m.tree.Read(b)
			if errors.Is(err, gitrev.ErrTooLarge) {
				m.reader.TooLarge(label, r.Shown(b.Path), m.Revision)
				return nil, nil
			}
			return text, err
		}})
	}
	return nil
}

// listFolder lists the manifests of a folder, or the file that is named.
func (m *Manifests) listFolder() error {
	found, folder, err := m.reader.Find(m.Path, false)
	if err != nil {
		return err
	}
	m.Folder = folder
	for _, f := range found {
		read := f.Read
		switch info, err := os.Stat(f.Path); {
		case m.IsStdin() || err == nil && !info.Mode().IsRegular(): // a pipe can be read only once
			read = sync.OnceValues(read)
		case err == nil && info.Size() > m.reader.Limit:
			label := worktree.Shown(f.Path)
			read = func() ([]byte, error) {
				m.reader.TooLarge(label, label, "")
				return nil, nil
			}
		}
		if len(f.Links) > 0 {
			read = sync.OnceValues(read)
		}
		m.Files = append(m.Files, m.file(f.Path, read))
		for _, link := range f.Links {
			m.Links = append(m.Links, m.file(link, read))
		}
	}
	return nil
}

// file is a file of the folder, or the one that is named.
func (m *Manifests) file(name string, read func() ([]byte, error)) lint.File {
	at, err := filepath.Rel(m.Path, name)
	if err != nil || at == "." || m.IsStdin() {
		at = name
	}
	return lint.File{Path: filepath.ToSlash(at), Label: worktree.Shown(name), Read: read}
}

// near is the path that a file has, or would have, among the manifests.
func (m *Manifests) near(file string) string {
	if !m.IsGit() {
		return file
	}
	at, _ := m.repository.Path(file)
	return at
}

// Here is where one of the files is, or would be, on this machine, as seen from the working directory.
func (m *Manifests) Here(f lint.File) string {
	if m.IsGit() {
		return m.repository.Shown(f.Path)
	}
	return f.Label
}

// Close ends the git process.
func (m *Manifests) Close() {
	if m != nil && m.tree != nil {
		m.tree.Close()
	}
}

// Hides reports whether a path of the revision lies in a submodule that cannot be looked into.
func (m *Manifests) Hides(at string) bool {
	return m.tree != nil && slices.ContainsFunc(m.tree.Missing, func(module gitrev.Module) bool { return isWithin(at, module.Path) })
}

// Modules says of the submodules that cannot be looked into why that is so.
func (m *Manifests) Modules() []string { return m.modules(func(gitrev.Module) bool { return true }) }

// ModulesOf is Modules for those that the paths of the new side have to do with. A submodule that is not checked out is not
// linted either: it matters only if it is named.
func (m *Manifests) ModulesOf(paths []string, excluded func(path string) bool) []string {
	if m == nil || m.tree == nil {
		return nil
	}
	below := m.inside(paths, excluded)
	return m.modules(func(module gitrev.Module) bool {
		return module.Here && below(lint.File{Path: module.Path + "/crds.yaml"}) || slices.ContainsFunc(paths, func(path string) bool {
			at, ok := m.repository.Path(path)
			return ok && isWithin(at, module.Path)
		})
	})
}

func (m *Manifests) modules(matters func(gitrev.Module) bool) (lines []string) {
	if m == nil || m.tree == nil {
		return nil
	}
	for _, module := range m.tree.Missing {
		if named := m.Path == "" || isWithin(module.Path, m.Path) || isWithin(m.Path, module.Path); named && matters(module) {
			lines = append(lines, "submodule "+m.repository.Shown(module.Path)+" is not compared: "+module.Why)
		}
	}
	return lines
}

// isWithin reports whether a path is that of a folder, or lies in it.
func isWithin(at, folder string) bool {
	return at == folder || strings.HasPrefix(at, folder+"/")
}

// inside is covered for a revision: its files that are one of the paths, or below it.
func (m *Manifests) inside(paths []string, excluded func(path string) bool) func(lint.File) bool {
	exactly := map[string]bool{}
	var below []string
	for _, p := range paths {
		at, ok := m.repository.Path(p)
		switch {
		case p == Stdin || !ok:
		case at == ".":
			below = append(below, "")
		case isFolder(p):
			below = append(below, at+"/")
		default:
			exactly[at] = true
		}
	}
	return func(f lint.File) bool {
		if excluded(m.Here(f)) {
			return false
		}
		return exactly[f.Path] || slices.ContainsFunc(below, func(dir string) bool {
			inside, is := strings.CutPrefix(f.Path, dir)
			return is && worktree.IsWalked(inside)
		})
	}
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
