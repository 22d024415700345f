package cli

import (
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/gitrev"
	"github.com/crdlift/crdlift/lint"
)

// unknown reports whether the old form of a CRD cannot be determined: its head was misspelt, or its file is in a
// submodule that cannot be read.
func (o *oldSide) unknown(name, file string) bool {
	if o.tree == nil || o.IsMisspelt(name) {
		return o.IsMisspelt(name)
	}
	at, _ := o.name.repository.Path(file)
	return o.hides(at)
}

// hides reports whether a path of the revision lies in a submodule that cannot be looked into.
func (o *oldSide) hides(at string) bool {
	return o.tree != nil && slices.ContainsFunc(o.tree.Missing, func(m gitrev.Module) bool { return isWithin(at, m.Path) })
}

// uncompared names the submodules that cannot be looked into, of those that the paths of the new side have to do with.
func (o *oldSide) uncompared(paths []string, excluded func(path string) bool) []string {
	if o == nil || o.tree == nil {
		return nil
	}
	// A submodule that is not checked out is not linted either: it matters only if it is named.
	below := o.inside(paths, excluded)
	return o.modules(func(m gitrev.Module) bool {
		return m.Here && below(lint.File{Path: m.Path + "/crds.yaml"}) || slices.ContainsFunc(paths, func(path string) bool {
			at, ok := o.name.repository.Path(path)
			return ok && isWithin(at, m.Path)
		})
	})
}

// modules says of submodules that cannot be looked into why that is so.
func (o *oldSide) modules(matters func(gitrev.Module) bool) []string {
	if o == nil || o.tree == nil {
		return nil
	}
	var lines []string
	for _, m := range o.tree.Missing {
		if o.name.mayHave(m.Path) && matters(m) {
			lines = append(lines, "submodule "+o.name.repository.Shown(m.Path)+" is not compared: "+m.Why)
		}
	}
	return lines
}

// mayHave reports whether a folder has to do with the part of the revision that is named.
func (n oldName) mayHave(folder string) bool {
	return n.path == "" || isWithin(folder, n.path) || isWithin(n.path, folder)
}

// isWithin reports whether a path is that of a folder, or lies in it.
func isWithin(at, folder string) bool {
	return at == folder || strings.HasPrefix(at, folder+"/")
}
