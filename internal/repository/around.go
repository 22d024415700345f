package repository

import (
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/crdlift/crdlift/internal/worktree"
	"github.com/crdlift/crdlift/lint"
)

// Around is the repository around a folder, and those around files elsewhere that are asked about. Files are called as they are called
// in the folder. Each repository is looked at when somebody asks about a file in it, once.
type Around struct {
	Look     func() *Repository // looks at the repository around the folder
	Tree     func() Tree        // what it looks at
	Top      string             // of that repository, without symbolic links
	dir      string             // the folder, likewise
	settings []lint.RoleSetting
	others   sync.Map // by their tops
}

// AroundFolder returns it for a folder, which is a repository by itself where it is in none. If paths are given and all of them are in
// one other repository, it is that.
func AroundFolder(dir string, settings []lint.RoleSetting, paths ...string) (*Around, error) {
	dir, err := worktree.RealPath(dir)
	if err != nil {
		return nil, err
	}
	top := topOfAll(paths)
	if top == "" {
		top = worktree.TopOf(dir)
	}
	if top == "" {
		top = dir
	}
	return around(dir, top, settings), nil
}

// topOfAll is the top of the git working tree that all paths are in; "" where there is none.
func topOfAll(paths []string) (top string) {
	for i, at := range paths {
		real, err := worktree.RealPath(at)
		if err != nil {
			return ""
		}
		if info, err := os.Stat(real); err == nil && !info.IsDir() {
			real = filepath.Dir(real)
		}
		if i > 0 && worktree.TopOf(real) != top {
			return ""
		}
		top = worktree.TopOf(real)
	}
	return top
}

func around(dir, top string, settings []lint.RoleSetting) *Around {
	a := &Around{Tree: sync.OnceValue(func() Tree { return OnDisk(top) }), Top: top, dir: dir, settings: settings}
	a.Look = sync.OnceValue(func() *Repository { return Look(a.Tree(), a.Settings()...) })
	return a
}

// Settings are those of the configuration, with their files as the tree has them.
func (a *Around) Settings() []lint.RoleSetting {
	inTree := slices.Clone(a.settings)
	for i := range inTree {
		at := &inTree[i].At.Pos
		at.File = a.InTree(at.File)
	}
	return inTree
}

// InTree is the path of a file from the top of the repository; "" for one that is outside of it.
func (a *Around) InTree(file string) string {
	below, err := filepath.Rel(a.Top, a.absolute(file))
	if err != nil || !filepath.IsLocal(below) {
		return ""
	}
	return filepath.ToSlash(below)
}

func (a *Around) absolute(file string) string {
	if file = filepath.FromSlash(file); filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(a.dir, file)
}

// Shown is a file of the tree as it is called in the folder.
func (a *Around) Shown(file string) string {
	at, err := filepath.Rel(a.dir, filepath.Join(a.Top, filepath.FromSlash(file)))
	if file == "" || err != nil {
		return file
	}
	return filepath.ToSlash(at)
}

// Here is a decision with files as they are called in the folder.
func (a *Around) Here(d Decision) Decision {
	d.Source, d.Because.File = a.Shown(d.Source), a.Shown(d.Because.File)
	return d
}

// CRD is the role of a CRD in a file, by the repository that this is in. What is no file of a repository has none.
func (a *Around) CRD(file, name string) Decision {
	if _, err := os.Stat(a.absolute(file)); err != nil {
		return Decision{}
	}
	if at := a.InTree(file); at != "" {
		return a.Here(a.Look().CRD(at, name))
	}
	top := worktree.TopOf(filepath.Dir(a.absolute(file)))
	if top == "" {
		return Decision{}
	}
	other, _ := a.others.LoadOrStore(top, around(a.dir, top, a.settings))
	return other.(*Around).CRD(file, name)
}

// Role is the role of a CRD in a file likewise, and the file that it is a copy of.
func (a *Around) Role(file, name string) (role lint.Role, source string) {
	d := a.CRD(file, name)
	return d.Role, d.Source
}
