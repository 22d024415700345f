package gotypes

import (
	"fmt"
	"iter"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A module is what a go.mod says of itself and of others.
type module struct {
	path, folder string
	text         []byte                 // of the go.mod
	requires     map[string]string      // versions by module path
	replaces     map[string]replacement // by module path
}

// A replacement is another module, or a folder if it has no version.
type replacement struct{ target, version string }

// A Foreign is a type that the repository does not declare.
type Foreign struct {
	Package string // its import path
	Name    string
	Module  string // the module that declares it, by go.mod; "" for the standard library, and where go.mod does not say it
	Version string
}

// Symbol is the type as Go code refers to it, such as v1.PodTemplateSpec.
func (f *Foreign) Symbol() string { return path.Base(f.Package) + "." + f.Name }

// readModule reads a go.mod.
func (r *repository) readModule(at string) {
	text, err := r.read(at)
	if err != nil {
		r.gap(at, "it cannot be read: "+cause(err))
		return
	}
	m := parseModule(path.Dir(at), string(text))
	m.text = text
	switch {
	case m.path == "":
		r.gap(at, "it names no module")
	case len(r.byPath[m.path]) == maxCopies:
		r.gap(at, fmt.Sprintf("the repository has more than %d modules of this path", maxCopies))
	default:
		r.modules[m.folder] = m
		r.byPath[m.path] = append(r.byPath[m.path], m)
	}
}

// maxCopies bounds how many modules of one path there are, of which the nearest is used.
const maxCopies = 100

// parseModule reads the text of a go.mod. Lines that it does not understand are passed over, as the go command does in
// those of dependencies.
func parseModule(folder, text string) *module {
	m := &module{folder: folder, requires: map[string]string{}, replaces: map[string]replacement{}}
	block := ""
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "//")
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
		case len(words) == 2 && words[1] == "(":
			block = words[0]
		case words[0] == ")":
			block = ""
		case block != "":
			m.directive(block, words)
		default:
			m.directive(words[0], words[1:])
		}
	}
	return m
}

// directive understands one line of a go.mod.
func (m *module) directive(verb string, words []string) {
	for i, word := range words {
		if plain, err := strconv.Unquote(word); err == nil {
			words[i] = plain
		}
	}
	switch {
	case verb == "module" && len(words) == 1:
		m.path = words[0]
	case verb == "require" && len(words) == 2:
		m.requires[words[0]] = words[1]
	case verb == "replace":
		var to replacement
		switch n := len(words); {
		case n >= 3 && words[n-2] == "=>":
			to.target = words[n-1]
		case n >= 4 && words[n-3] == "=>":
			to.target, to.version = words[n-2], words[n-1]
		default:
			return
		}
		m.replaces[words[0]] = to
	}
}

// moduleOf returns the module that a folder belongs to, nil if it belongs to none.
func (r *repository) moduleOf(folder string) *module {
	for at := range upwards(folder) {
		r.list(at)
		if m := r.modules[at]; m != nil {
			return m
		}
	}
	return nil
}

// imported returns the folder of the package that a folder imports, or, if it is outside of the repository, the module it
// is of. As in Go, the module with the longest path has it.
func (r *repository) imported(from, name string) (folder string, foreign *Foreign) {
	foreign = &Foreign{Package: name}
	m := r.moduleOf(from)
	if m == nil {
		return "", foreign
	}
	for at := range upwards(name) {
		rest := strings.TrimPrefix(name, at)
		if at == m.path {
			return path.Join(m.folder, rest), nil
		}
		if to, ok := m.replaces[at]; ok {
			return r.replaced(m, at, rest, to, foreign)
		}
		// Modules of the repository are used as they are there, even if go.mod requires a release.
		if sibling := r.sibling(from, at); sibling != nil {
			return path.Join(sibling.folder, rest), nil
		}
		if version, ok := m.requires[at]; ok {
			foreign.Module, foreign.Version = at, version
			break
		}
	}
	r.mayBeNear(m, name)
	return "", foreign
}

// replaced returns what a module's go.mod puts in the place of another's package. A folder that is not in the repository,
// which may be vendored, is that of another module.
func (r *repository) replaced(m *module, name, rest string, to replacement, foreign *Foreign) (string, *Foreign) {
	if to.version != "" {
		foreign.Module, foreign.Version = to.target, to.version
		return "", foreign
	}
	folder := path.Join(m.folder, to.target)
	r.unread = true // by a glance, which does not know the folders
	if _, there := slices.BinarySearch(r.folders, path.Join(folder, rest)); filepath.IsAbs(to.target) || !there {
		foreign.Module, foreign.Version = name, m.requires[name]
		return "", foreign
	}
	return path.Join(folder, rest), nil
}

// sibling returns the module of the repository with a path, the nearest to a folder if there are several.
func (r *repository) sibling(from, name string) (best *module) {
	for _, m := range r.byPath[name] {
		if visible(m.folder, from) && (best == nil || distance(from, m.folder) < distance(from, best.folder)) {
			best = m
		}
	}
	return best
}

// upwards yields a path with slashes and those above it, the last being "." or "/".
func upwards(at string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for yield(at) && at != path.Dir(at) {
			at = path.Dir(at)
		}
	}
}
