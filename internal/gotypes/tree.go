package gotypes

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// A repository is what is known of the folders below a root. Paths are relative to the root, with slashes.
type repository struct {
	root, dir string // absolute: of the repository, and the one that paths are shown relative to
	limits    Limits
	cache     string // of modules: a folder that may be below the root, "" for none

	mu       sync.Mutex // held by whoever uses anything below
	walked   bool
	files    int                  // that were admitted, go.mod files included
	size     int64                // of these, in bytes
	goFiles  map[string][]string  // names by folder
	folders  []string             // that have Go files, also such as are not read, sorted
	modules  map[string]*module   // by folder
	byPath   map[string][]*module // the same by module path
	gaps     []Gap
	cut      bool                // a limit of the repository was reached, as the last of the gaps says
	large    map[string][]Gap    // Go files that are too large, by folder
	links    map[string][]Gap    // links that are named like Go files, by folder
	packages map[string]*Package // by folder
	sources  map[string]*File    // of these, by path
	fields   map[*ast.StructType][]*Field
	members  map[body]*members
	scans    map[string]*scan // by folder
	print    string           // of the files; "" while nobody asked for it

	// Of a glance, which does not walk; nil otherwise.
	listed map[string]bool     // folders whose files are known
	groups map[string][]string // the folders in a folder
	unread bool                // something that the answer may depend on was not read
}

func newRepository(root, dir string, limits Limits) *repository {
	return &repository{
		root: root, dir: dir, limits: limits,
		goFiles: map[string][]string{}, modules: map[string]*module{}, byPath: map[string][]*module{},
		packages: map[string]*Package{}, sources: map[string]*File{}, fields: map[*ast.StructType][]*Field{}, members: map[body]*members{},
		large: map[string][]Gap{}, links: map[string][]Gap{}, scans: map[string]*scan{},
	}
}

// walk lists the folders that have Go files, and reads every go.mod. All limits are applied here, in the order of paths,
// so that what is found does not depend on who asks first.
func (r *repository) walk() {
	if r.walked {
		return
	}
	r.walked = true
	entries := 0
	err := fs.WalkDir(os.DirFS(r.root), ".", func(at string, d fs.DirEntry, err error) error {
		if err != nil {
			r.gap(at, "it cannot be read: "+cause(err))
			return nil
		}
		if entries++; entries > r.limits.Entries {
			r.cut = true
			r.gap(at, fmt.Sprintf("the repository has more than %d files and folders", r.limits.Entries))
			return fs.SkipAll
		}
		if d.IsDir() && at != "." && (skippedFolder(d.Name()) || filepath.Join(r.root, filepath.FromSlash(at)) == r.cache) {
			return fs.SkipDir
		}
		return r.enter(at, d)
	})
	if err != nil { // not possible: the function above returns no others
		r.gap(".", cause(err))
	}
	slices.Sort(r.folders)
	r.folders = slices.Compact(r.folders)
}

// enter takes a file in that types or modules may be in. Links are not followed.
func (r *repository) enter(at string, d fs.DirEntry) error {
	switch {
	case d.Type().IsRegular() && (d.Name() == "go.mod" || mayDeclareTypes(d.Name())):
		return r.admit(at, d)
	case d.Type()&fs.ModeSymlink != 0 && mayDeclareTypes(d.Name()):
		r.leaveOut(r.links, at, "it is a symbolic link")
	}
	return nil
}

// admit takes a file in if the limits allow it.
func (r *repository) admit(at string, d fs.DirEntry) error {
	info, err := d.Info()
	if err != nil {
		r.gap(at, "it cannot be read: "+cause(err))
		return nil
	}
	if info.Size() > r.limits.FileSize {
		reason := fmt.Sprintf("it has more than %d bytes", r.limits.FileSize)
		if d.Name() == "go.mod" {
			r.gap(at, reason)
		} else {
			r.leaveOut(r.large, at, reason)
		}
		return nil
	}
	r.files, r.size = r.files+1, r.size+info.Size()
	if r.files > r.limits.Files || r.size > r.limits.Bytes {
		r.cut = true
		r.gap(at, fmt.Sprintf("the repository has more than %d Go files or %d bytes of Go", r.limits.Files, r.limits.Bytes))
		return fs.SkipAll
	}
	if d.Name() == "go.mod" {
		r.readModule(at)
		return nil
	}
	folder := path.Dir(at)
	r.folders = append(r.folders, folder)
	r.goFiles[folder] = append(r.goFiles[folder], d.Name())
	return nil
}

// leaveOut notes a Go file that is not read.
func (r *repository) leaveOut(by map[string][]Gap, at, reason string) {
	folder := path.Dir(at)
	r.folders = append(r.folders, folder)
	by[folder] = append(by[folder], Gap{r.shown(at), reason})
}

func (r *repository) gap(at, reason string) {
	r.gaps = append(r.gaps, Gap{r.shown(at), reason})
}

// cause returns an error without the path that errors of files begin with.
func cause(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err.Error()
	}
	return err.Error()
}

// skippedFolder reports whether no types of a repository's own are below a folder of a name. The go command skips the
// same ones, and testdata, for which see visible.
func skippedFolder(name string) bool {
	return name == "vendor" || name == "node_modules" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")
}

// mayDeclareTypes reports whether a file may declare types of an API. Tests do not, nor do functions that were generated
// for types; generated types do.
func mayDeclareTypes(name string) bool {
	stem, ok := strings.CutSuffix(name, ".go")
	if !ok || strings.HasSuffix(stem, "_test") || stem == "openapi_generated" {
		return false
	}
	what, generated := strings.CutPrefix(stem, "zz_generated")
	return !generated || !slices.Contains([]string{"deepcopy", "conversion", "defaults", "openapi"}, strings.TrimLeft(what, "._"))
}

// visible reports whether a folder belongs to the repository as seen from another: folders named testdata are seen from
// inside of them only.
func visible(folder, from string) bool {
	for at := range upwards(folder) {
		if path.Base(at) == "testdata" && !within(from, at) {
			return false
		}
	}
	return true
}

// within reports whether a path is another, or below it.
func within(at, above string) bool {
	return above == "." || at == above || strings.HasPrefix(at, above+"/")
}

// distance returns the number of steps from one folder to another.
func distance(from, to string) int {
	common := from
	for !within(to, common) {
		common = path.Dir(common)
	}
	return depth(from) + depth(to) - 2*depth(common)
}

func depth(folder string) int {
	if folder == "." {
		return 0
	}
	return 1 + strings.Count(folder, "/")
}

// read returns the content of a file. It never leaves the root, even if folders have become links since the walk.
func (r *repository) read(at string) ([]byte, error) {
	f, err := os.OpenInRoot(r.root, filepath.FromSlash(at))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var text bytes.Buffer
	if _, err := text.ReadFrom(io.LimitReader(f, r.limits.FileSize+1)); err != nil {
		return nil, err
	}
	if int64(text.Len()) > r.limits.FileSize {
		return nil, fmt.Errorf("it has more than %d bytes", r.limits.FileSize)
	}
	return text.Bytes(), nil
}

// shown returns a path of the repository as users see it.
func (r *repository) shown(at string) string {
	abs := filepath.Join(r.root, filepath.FromSlash(at))
	if rel, err := filepath.Rel(r.dir, abs); err == nil {
		abs = rel
	}
	return filepath.ToSlash(abs)
}
