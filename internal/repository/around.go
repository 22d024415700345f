package repository

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/crdlift/crdlift/internal/worktree"
	"github.com/crdlift/crdlift/lint"
)

// Around is a git working tree, or a folder that is in none. It knows the others that files are in, below
// it, such as submodules, or elsewhere: each file is that of the innermost. Files are called as they are called in the folder. A
// repository is read when somebody asks about a file in it, once.
type Around struct {
	Look     func() *Repository // looks at it
	Tree     func() Tree        // what it looks at
	Files    func() []string    // below its folder, those of others included
	Top      string             // its folder, without symbolic links
	dir      string             // the folder that somebody is in, likewise
	settings []lint.RoleSetting
	all      *sync.Map // the one that a folder is in, by its path and by what it is called
}

// AroundFolder returns that of a folder. In no working tree the folder has to be a program's: it may be the user's whole disk. If it is
// none, each of some paths is read by itself.
func AroundFolder(dir string, settings []lint.RoleSetting, paths ...string) (*Around, error) {
	dir, err := worktree.RealPath(dir)
	if err != nil {
		return nil, err
	}
	a := &Around{dir: dir, settings: settings, all: &sync.Map{}}
	if top := worktree.TopOf(dir); top != "" || len(paths) == 0 || len(settings) > 0 || slices.ContainsFunc(programs, func(name string) bool { return exists(filepath.Join(dir, name)) }) {
		return a.at(cmp.Or(top, dir)), nil
	}
	var folders []string
	for _, path := range paths {
		real, err := worktree.RealPath(path)
		if info, failed := os.Stat(real); err == nil && failed == nil && info.IsDir() {
			folders = append(folders, real)
		}
	}
	slices.SortFunc(folders, func(a, b string) int { return len(a) - len(b) }) // one is around another
	for _, folder := range folders {
		if above := filepath.Dir(folder); above == folder || a.in(above) == nil {
			a.at(folder)
		}
	}
	if here := a.in(dir); here != nil {
		return here, nil
	}
	return a.holding(dir, func() []string { return nil }), nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// at is the one whose top a folder is.
func (a *Around) at(top string) *Around {
	known, _ := a.all.LoadOrStore(top, a.holding(top, sync.OnceValue(func() []string { return filesIn(top) })))
	return known.(*Around)
}

// holding is one for a folder and the files below it.
func (a *Around) holding(top string, files func() []string) *Around {
	one := &Around{Files: files, Top: top, dir: a.dir, settings: a.settings, all: a.all}
	one.Tree = sync.OnceValue(func() Tree {
		isOthers := func(file string) bool { return one.Of(filepath.Join(top, file)) != one }
		return Of(top, slices.DeleteFunc(slices.Clone(one.Files()), isOthers))
	})
	one.Look = sync.OnceValue(func() *Repository { return Look(one.Tree(), one.Settings()...) })
	return one
}

// Of is the one that a file is in; nil where that is in none.
func (a *Around) Of(file string) *Around {
	folder, _ := filepath.Split(file) // as it is called, with a separator behind it
	if known, ok := a.all.Load(folder); ok {
		return known.(*Around)
	}
	one := a.in(filepath.Dir(a.absolute(file)))
	a.all.Store(folder, one)
	return one
}

// in is the one that a folder is in, or is.
func (a *Around) in(folder string) (one *Around) {
	if known, ok := a.all.Load(folder); ok {
		return known.(*Around)
	}
	if worktree.IsRepository(folder) {
		return a.at(folder)
	}
	if above := filepath.Dir(folder); above != folder {
		one = a.in(above)
	}
	a.all.Store(folder, one)
	return one
}

// Inner are those that files below its folder are in, itself first.
func (a *Around) Inner() []*Around {
	all := []*Around{a}
	for _, file := range a.Files() {
		if at := a.Of(filepath.Join(a.Top, file)); !slices.Contains(all, at) {
			all = append(all, at)
		}
	}
	return all
}

// Settings are those of the configuration, with their files as the tree has them.
func (a *Around) Settings() (all []Setting) {
	for _, s := range a.settings {
		one, file := Setting{RoleSetting: s}, a.absolute(s.At.Pos.File)
		if below, err := filepath.Rel(filepath.Dir(file), a.Top); err == nil && below != "." && filepath.IsLocal(below) {
			one.Below = filepath.ToSlash(below)
			file, _ = filepath.Rel(a.Top, file)
			one.At.Pos.File = filepath.ToSlash(file)
		} else {
			one.At.Pos.File = a.InTree(file)
		}
		all = append(all, one)
	}
	return all
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
	d.Source, d.Because.File, d.Top = a.Shown(d.Source), a.Shown(d.Because.File), a.Top
	return d
}

// CRD is the role of a CRD in a file, by the repository that this is in. What is in none has none.
func (a *Around) CRD(file, name string) Decision {
	if a = a.Of(file); a == nil {
		return Decision{}
	}
	return a.Here(a.Look().CRD(a.InTree(file), name))
}

// OneOwner reports whether the CRD of a name in a file is made from that in another one, or both are from a third, or one of them is
// kept or a test's. Of two charts without any other source, each has its own.
func (a *Around) OneOwner(name, file, other string) bool {
	tree, one, two := a.Of(file), a.CRD(file, name), a.CRD(other, name)
	if tree == nil || tree != a.Of(other) {
		return false
	}
	for _, d := range []Decision{one, two} {
		if d.Role != "" && d.Role != lint.RoleForeign && !d.Role.Told() {
			return true
		}
	}
	source := cmp.Or(one.Source, file)
	chart := func(file string) string {
		at, _ := tree.Look().folders.above(tree.InTree(file), "Chart.yaml")
		return at
	}
	return source == cmp.Or(two.Source, other) && (chart(source) == "" || chart(file) == chart(other))
}

// File is the role of a file for the custom resources in it, likewise.
func (a *Around) File(file string) Decision {
	if a = a.Of(file); a == nil {
		return Decision{}
	}
	return a.Here(a.Look().File(a.InTree(file)))
}

// Role is the role of a CRD in a file, and the file that it is a copy of. What is no file has no role, and nothing is read for it.
func (a *Around) Role(file, name string) (role lint.Role, source string) {
	if !exists(a.absolute(file)) {
		return "", ""
	}
	d := a.CRD(file, name)
	return d.Role, d.Source
}
