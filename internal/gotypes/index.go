// Package gotypes answers where the Go types of a repository declare what a CustomResourceDefinition says: for a group,
// version and kind the struct, and for a path in its schema the field. It follows controller-gen, which writes most CRDs
// from such types, but reads source text only: it needs no Go toolchain, no type checking and no network, and runs
// nothing.
//
// It knows nothing of CRDs, of rules, or of what a marker means. Types that other modules declare are named, and not
// looked into, but for kinds that the repository does not declare at all. What was not read, because a limit was reached or
// a file is broken, is part of the answer.
//
// Read index.go first: an Index finds the repository around a manifest (tree.go, module.go) and, in it, the struct of a
// kind (kind.go), or else in a module that it requires (required.go). place.go follows a path from there, by resolve.go,
// which finds what a type expression means, and member.go, which lists the JSON members of a struct; carrier.go decides
// what markers have to stand above. glance.go finds kinds by reading little. package.go and file.go read the source;
// source.go gives files to those who change them.
package gotypes

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"

	"github.com/crdlift/crdlift/lint"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Limits bound what is read of one repository.
type Limits struct {
	Entries  int   // files and folders of any kind
	Files    int   // Go files and go.mod files
	FileSize int64 // bytes of one of them
	Bytes    int64 // bytes of them all
}

// DefaultLimits are several times what the largest operators have.
var DefaultLimits = Limits{Entries: 500_000, Files: 50_000, FileSize: 4 << 20, Bytes: 128 << 20}

// An Index finds the Go types of manifests. It reads a repository when it is first asked for one of its kinds, and keeps
// what it read: it is for one run of the program. It is safe for concurrent use.
type Index struct {
	dir    string
	limits Limits

	cache string // the folder that Go downloads modules into, "" for none

	mu           sync.Mutex
	roots        map[string]string      // of repositories, by the folder that is in one
	repositories map[string]*repository // by root
	glances      map[string]*repository // those of which only a part was read, by root
	required     map[string]*repository // modules of others, by folder
}

// New returns an Index. Manifests are relative to a working directory, an absolute path, and so are the positions in
// Go files where there is a relative path to them.
func New(dir string, limits Limits) *Index {
	return &Index{dir: dir, limits: limits, roots: map[string]string{}, repositories: map[string]*repository{}, glances: map[string]*repository{}, required: map[string]*repository{}}
}

// Anew returns an Index that starts from scratch and is otherwise the same.
func (x *Index) Anew() *Index {
	fresh := New(x.dir, x.limits)
	fresh.cache = x.cache
	return fresh
}

// An Answer is where the type of a kind is.
type Answer struct {
	Kind *Kind // nil when no package declares it, or several do and none can be told to be the right one
	// Several are these declarations, the nearest to the manifest first: they differ, or are equally near.
	Several []lint.Position
	// Gaps are what could have changed the answer and was not read.
	Gaps []Gap
	// Near are those of them that probably did: they are in the package of the kind or, if that is not found, in one of its
	// group and version.
	Near []Gap
}

// Undeclared reports whether the repository is known to declare no struct for the kind.
func (f Answer) Undeclared() bool { return f.Kind == nil && len(f.Several) == 0 && len(f.Near) == 0 }

// A Gap is something that was not read, or not completely.
type Gap struct {
	Path   string // of a file or folder, relative as positions are
	Reason string
}

// Find returns the struct that controller-gen writes a version of a kind from. It looks in the module of the manifest and
// those nested in it, then outwards to the root of the git repository.
func (x *Index) Find(manifest string, id schema.GroupVersionKind) Answer {
	root, below, ok := x.split(manifest)
	if !ok {
		return Answer{}
	}
	r := x.repository(root)
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.find(path.Dir(below), id)
}

// FindBelow is Find in a folder and those below it, wherever the manifest is. A folder that no repository has may have
// modules below.
func (x *Index) FindBelow(folder string, id schema.GroupVersionKind) Answer {
	root, below, ok := x.split(filepath.Join(folder, "go.mod"))
	if !ok {
		root, below = x.absolute(folder), "go.mod"
	}
	r := x.repository(root)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.walk()
	if !ok && len(r.modules) == 0 {
		gap := Gap{r.shown("."), "it has no go.mod"}
		return Answer{Gaps: append(slices.Clone(r.gaps), gap), Near: []Gap{gap}}
	}
	return r.findIn([]string{path.Dir(below)}, path.Dir(below), id)
}

// split returns the root of the repository of a manifest, and its path below.
func (x *Index) split(manifest string) (root, below string, ok bool) {
	manifest = x.absolute(manifest)
	root = x.rootOf(filepath.Dir(manifest))
	if root == "" {
		return "", "", false
	}
	below, err := filepath.Rel(root, manifest)
	return root, filepath.ToSlash(below), err == nil
}

func (x *Index) absolute(at string) string {
	if filepath.IsAbs(at) {
		return filepath.Clean(at)
	}
	return filepath.Join(x.dir, at)
}

// repository returns what is known of a repository. Reading it is left to the first who locks it, so that others
// can go on with other repositories.
func (x *Index) repository(root string) *repository {
	return x.known(x.repositories, root, x.dir, func(r *repository) { r.cache = x.cache })
}

// known returns what is known of a root, of which nothing was read yet where it is new.
func (x *Index) known(of map[string]*repository, root, dir string, begin func(*repository)) *repository {
	x.mu.Lock()
	defer x.mu.Unlock()
	if of[root] == nil {
		of[root] = newRepository(root, dir, x.limits)
		begin(of[root])
	}
	return of[root]
}

// rootOf is the repositoryRoot of a folder, which is looked for once.
func (x *Index) rootOf(folder string) string {
	x.mu.Lock()
	defer x.mu.Unlock()
	root, known := x.roots[folder]
	if !known {
		root = repositoryRoot(folder)
		x.roots[folder] = root
	}
	return root
}

// repositoryRoot returns the nearest folder with .git at or above a folder. Outside of git it is the nearest one with a
// go.mod, or "".
func repositoryRoot(folder string) (root string) {
	for {
		// Of a submodule and a second work tree .git is a file.
		if _, err := os.Lstat(filepath.Join(folder, ".git")); err == nil {
			return folder
		}
		if info, err := os.Lstat(filepath.Join(folder, "go.mod")); err == nil && info.Mode().IsRegular() && root == "" {
			root = folder
		}
		above := filepath.Dir(folder)
		if above == folder {
			return root
		}
		folder = above
	}
}
