package gotypes

import (
	"cmp"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdlift/crdlift/internal/text"
)

// A Module is one that a go.mod requires.
type Module struct{ Path, Version string }

// UseModuleCache makes the Index find required modules that Go has downloaded into a folder, an absolute path. Those in a
// vendor folder are found without it.
func (x *Index) UseModuleCache(folder string) { x.cache = folder }

// ModuleCache returns the folder that Go downloads modules into, by the environment, or "".
func ModuleCache() string {
	folder := os.Getenv("GOMODCACHE")
	if folder == "" {
		if all := filepath.SplitList(os.Getenv("GOPATH")); len(all) > 0 {
			folder = filepath.Join(all[0], "pkg", "mod")
		} else if home, err := os.UserHomeDir(); err == nil {
			folder = filepath.Join(home, "go", "pkg", "mod")
		}
	}
	if !filepath.IsAbs(folder) { // as the go command, which rejects it
		return ""
	}
	return filepath.Clean(folder)
}

// A download is where a module may have been put.
type download struct {
	Module
	vendor string // a path in the repository
	cache  string // a path in the module cache, "" for none
	words  int    // that its path has in common with the group and the kind
}

// required returns the modules that may declare a kind, for a manifest in a folder: the go.mod files around it require them,
// and their paths share a word with the group or the kind. A module comes before those that it is nested in.
func (r *repository) required(folder string, id schema.GroupVersionKind) (all []download) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.walk()
	words := wordsOf(id.Group + "." + humps().ReplaceAllString(id.Kind, " $0"))
	seen := map[string]bool{}
	for at := range upwards(folder) {
		m := r.modules[at]
		if m == nil {
			continue
		}
		for name, version := range m.requires {
			n := 0
			for word := range wordsOf(name) {
				if words[word] {
					n++
				}
			}
			if n == 0 || seen[name] || r.byPath[name] != nil || !fs.ValidPath(name) || strings.ContainsAny(name, `\:`) {
				continue
			}
			seen[name] = true
			d := download{Module{name, version}, path.Join(m.folder, "vendor", name), cachePath(name, version), n}
			if to, ok := m.replaces[name]; ok {
				d.cache = cachePath(to.target, to.version)
				if to.version != "" {
					d.Module = Module{to.target, to.version}
				}
			}
			all = append(all, d)
		}
	}
	slices.SortFunc(all, func(a, b download) int {
		return cmp.Or(b.words-a.words, len(b.vendor)-len(a.vendor), strings.Compare(a.vendor, b.vendor))
	})
	return all
}

// humps begin the words in the name of a type.
var humps = text.Pattern(`\p{Lu}+`)

// wordsOf returns the words of names that tell them from others.
func wordsOf(name string) map[string]bool {
	all := map[string]bool{}
	for word := range strings.FieldsFuncSeq(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if len(word) > 2 && !slices.Contains(commonWords, word) {
			all[word] = true
		}
	}
	return all
}

// commonWords say where modules are kept, or that something belongs to Kubernetes.
var commonWords = []string{"api", "apis", "com", "dev", "github", "gitlab", "k8s", "kubernetes", "net", "org", "pkg", "sigs"}

var moduleVersion = text.Pattern(`^v[0-9][0-9A-Za-z.+-]*$`)

// cachePath returns the folder of a module in the module cache, where an upper-case letter is an exclamation mark and the
// lower-case one; "" for what is not a module.
func cachePath(name, version string) string {
	if !fs.ValidPath(name) || strings.ContainsAny(name, `\:`) || !moduleVersion().MatchString(version) {
		return ""
	}
	var escaped strings.Builder
	for _, c := range name + "@" + version {
		if 'A' <= c && c <= 'Z' {
			escaped.WriteByte('!')
			c = unicode.ToLower(c)
		}
		escaped.WriteRune(c)
	}
	return escaped.String()
}

// FindRequired returns the struct of a kind that the repository of a manifest does not declare, in a module that it requires
// and that is on this machine; nil where none is known to be the right one. Positions in it are relative to the folder of the
// module.
func (x *Index) FindRequired(manifest string, id schema.GroupVersionKind) (*Kind, Module) {
	root, below, ok := x.split(manifest)
	if !ok {
		return nil, Module{}
	}
	for _, d := range x.repository(root).required(path.Dir(below), id) {
		folder := plainFolder(root, d.vendor)
		if folder == "" && x.cache != "" && d.cache != "" {
			folder = plainFolder(x.cache, d.cache)
		}
		if folder == "" {
			continue
		}
		if found := x.module(folder, d.Path).declares(id); found != nil {
			return found, d.Module
		}
	}
	return nil, Module{}
}

// MayRequire reports whether there are modules that FindRequired looks in, on this machine or not.
func (x *Index) MayRequire(manifest string, id schema.GroupVersionKind) bool {
	root, below, ok := x.split(manifest)
	return ok && len(x.repository(root).required(path.Dir(below), id)) > 0
}

// plainFolder returns the absolute path of a folder below another; "" where there is none, or a link is on the way.
func plainFolder(root, below string) string {
	at := root
	for part := range strings.SplitSeq(below, "/") {
		at = filepath.Join(at, part)
		if info, err := os.Lstat(at); err != nil || !info.IsDir() {
			return ""
		}
	}
	return at
}

// module returns what is known of a module in a folder. Paths in it are relative to that.
func (x *Index) module(folder, name string) *repository {
	return x.known(x.required, folder, folder, func(r *repository) {
		r.modules["."] = &module{path: name, folder: "."} // in a vendor folder, there is no go.mod
	})
}

// declares returns the struct of a kind in a module of others.
func (r *repository) declares(id schema.GroupVersionKind) *Kind {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.find(".", id).Kind
}
