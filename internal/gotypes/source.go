package gotypes

import (
	"maps"
	"path"
	"path/filepath"
	"slices"
)

// A Source is a Go file as it was read, for those who change it.
type Source struct {
	Root string // of its repository, an absolute path; nothing outside of it is to be written
	Path string // absolute
	Text []byte // not to be changed
	// Program writes the file, as that of a File.
	Program string
}

// Source returns a file of a repository that types were looked for in, by the path that positions in it have. A package that was
// not read yet is read now: an earlier run may have found the types.
func (x *Index) Source(shown string) (s Source, ok bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, root := range slices.Backward(slices.Sorted(maps.Keys(x.repositories))) { // a repository before the one that it is in
		if s, ok = x.repositories[root].source(shown, x.absolute(shown)); ok {
			return s, true
		}
	}
	return Source{}, false
}

func (r *repository) source(shown, absolute string) (Source, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := r.sources[shown]
	if at, err := filepath.Rel(r.root, absolute); f == nil && err == nil && r.goFiles[path.Dir(filepath.ToSlash(at))] != nil {
		r.load(path.Dir(filepath.ToSlash(at)))
		f = r.sources[shown]
	}
	if f == nil {
		return Source{}, false
	}
	at := path.Join(f.pkg.folder, path.Base(f.Path))
	return Source{r.root, filepath.Join(r.root, filepath.FromSlash(at)), f.Text, f.Program}, true
}
