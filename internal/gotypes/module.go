package gotypes

import (
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// A module is what a go.mod says of itself and of others.
type module struct {
	path, folder string
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

// readModule reads a go.mod.
func (r *repository) readModule(at string) {
	text, err := r.read(at)
	if err != nil {
		r.gap(at, "it cannot be read: "+cause(err))
	} else if m := parseModule(path.Dir(at), string(text)); m.path != "" {
		r.modules = append(r.modules, m)
	} else {
		r.gap(at, "it names no module")
	}
}

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
func (r *repository) moduleOf(folder string) (own *module) {
	for _, m := range r.modules {
		if within(folder, m.folder) && (own == nil || depth(m.folder) > depth(own.folder)) {
			own = m
		}
	}
	return own
}

// imported returns the folder of the package that a folder imports, or, if it is outside of the repository, the
// foreign module.
func (r *repository) imported(from, name string) (folder string, foreign *Foreign) {
	foreign = &Foreign{Package: name}
	m := r.moduleOf(from)
	if m == nil {
		return "", foreign
	}
	if rest, ok := below(name, m.path); ok {
		return path.Join(m.folder, rest), nil
	}
	replaced, required := longest(m.replaces, name), longest(m.requires, name)
	if to, ok := m.replaces[replaced]; ok {
		if to.version != "" {
			foreign.Module, foreign.Version = to.target, to.version
			return "", foreign
		}
		rest, _ := below(name, replaced)
		if folder = path.Join(m.folder, to.target); filepath.IsAbs(to.target) || folder == ".." || strings.HasPrefix(folder, "../") {
			foreign.Module, foreign.Version = replaced, m.requires[replaced]
			return "", foreign
		}
		return path.Join(folder, rest), nil
	}
	if sibling := r.sibling(from, name); sibling != nil {
		rest, _ := below(name, sibling.path)
		return path.Join(sibling.folder, rest), nil
	}
	foreign.Module, foreign.Version = required, m.requires[required]
	return "", foreign
}

// sibling returns the module of the repository that has a package: the one with the longest path, the nearest of equal
// ones.
func (r *repository) sibling(from, name string) (best *module) {
	for _, m := range r.modules {
		if _, ok := below(name, m.path); !ok || !visible(m.folder, from) {
			continue
		}
		if best == nil || len(m.path) > len(best.path) ||
			len(m.path) == len(best.path) && distance(from, m.folder) < distance(from, best.folder) {
			best = m
		}
	}
	return best
}

// longest returns the longest module path that a package's import path begins with, or "".
func longest[V any](modules map[string]V, name string) (best string) {
	for m := range modules {
		if _, ok := below(name, m); ok && len(m) > len(best) {
			best = m
		}
	}
	return best
}

// below returns the part of an import path after that of its module.
func below(name, module string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(name, module)
	if !ok || rest != "" && rest[0] != '/' {
		return "", false
	}
	return strings.TrimPrefix(rest, "/"), true
}
