package gotypes

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Glance returns the struct of a kind if it is where most projects have it, as "api/v1" or "apis/group/v1" next to the
// manifest or above it, and nil otherwise. It reads that package and those that it imports, which is a small part of what
// Find reads. It is good enough to learn that a manifest is up to date: whether another package declares the kind
// as well only Find knows.
func (x *Index) Glance(manifest string, id schema.GroupVersionKind) *Kind {
	root, below, ok := x.split(manifest)
	if !ok {
		return nil
	}
	r := x.glanceAt(root)
	r.mu.Lock()
	defer r.mu.Unlock()
	for at := range upwards(path.Dir(below)) {
		for _, candidate := range r.usual(at, id.Version) {
			for _, t := range r.scan(candidate).kinds {
				if t.Name == id.Kind && t.File.pkg.serves(id) {
					return &Kind{t, r}
				}
			}
		}
	}
	return nil
}

// Whole reports whether nothing that was asked for about the kinds of a Glance so far is left unread: a file, or a package
// that may be in another module of the repository.
func (k *Kind) Whole() bool {
	k.repository.mu.Lock()
	defer k.repository.mu.Unlock()
	return !k.repository.unread
}

// glanceAt returns what is known of a repository that is not read as a whole.
func (x *Index) glanceAt(root string) *repository {
	return x.known(x.glances, root, x.dir, func(r *repository) { r.listed, r.groups = map[string]bool{}, map[string][]string{} })
}

// usual returns the folders below another that projects have the types of a version in.
func (r *repository) usual(at, version string) (all []string) {
	for _, base := range []string{"api", "apis", "pkg/api", "pkg/apis", "exp/api"} {
		base = path.Join(at, base)
		all = append(all, path.Join(base, version))
		for _, group := range r.groupsIn(base) {
			all = append(all, path.Join(base, group, version))
		}
	}
	return all
}

// maxGroups bounds the folders that a glance looks into. What has more is read as a whole.
const maxGroups = 1000

// groupsIn returns the names of the folders in a folder, which are usually those of groups.
func (r *repository) groupsIn(folder string) []string {
	names, known := r.groups[folder]
	if !known && r.exists(folder) {
		all, err := os.ReadDir(filepath.Join(r.root, filepath.FromSlash(folder)))
		r.unread = r.unread || err != nil
		for _, d := range all[:min(len(all), maxGroups)] {
			if d.IsDir() {
				names = append(names, d.Name())
			}
		}
	}
	r.groups[folder] = names
	return names
}

// exists reports whether there is a folder that a walk would come to: no link leads there.
func (r *repository) exists(folder string) bool {
	if folder == "." {
		return true
	}
	if skippedFolder(path.Base(folder)) || path.Base(folder) == ".." || !r.exists(path.Dir(folder)) {
		return false
	}
	info, err := os.Lstat(filepath.Join(r.root, filepath.FromSlash(folder)))
	return err == nil && info.IsDir()
}

// list finds the Go files and the go.mod of a folder that a glance comes to.
func (r *repository) list(folder string) {
	if r.listed == nil || r.listed[folder] {
		return
	}
	r.listed[folder] = true
	if !r.exists(folder) {
		return
	}
	all, err := os.ReadDir(filepath.Join(r.root, filepath.FromSlash(folder)))
	if err != nil {
		r.unread = true
	}
	for _, d := range all {
		if r.enter(path.Join(folder, d.Name()), d) == fs.SkipAll {
			break
		}
	}
	r.unread = r.unread || len(r.gaps)+len(r.large[folder])+len(r.links[folder]) > 0
}

// mayBeNear notes that a package which a glance takes for foreign may be that of another module of the repository: its path
// begins like that of the module that imports it.
func (r *repository) mayBeNear(m *module, name string) {
	parts := strings.SplitN(strings.TrimSuffix(m.path, "/"+m.folder), "/", 4) // as in github.com/owner/name
	common := strings.Join(parts[:min(3, len(parts))], "/")
	if r.listed != nil && strings.HasPrefix(name+"/", common+"/") {
		r.unread = true
	}
}
