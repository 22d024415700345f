package gotypes

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
)

// Fingerprint is a text that is another one when anything has changed that Find, Glance and Source may have read in the
// repository of a manifest; "" where the repository is too large to be read as a whole.
func (x *Index) Fingerprint(manifest string) string {
	root, _, ok := x.split(manifest)
	if !ok {
		return "no repository"
	}
	return x.repository(root).fingerprint()
}

// FingerprintBelow is that of what FindBelow may read.
func (x *Index) FingerprintBelow(folder string) string {
	root, _, ok := x.split(filepath.Join(folder, "go.mod"))
	if !ok {
		root = x.absolute(folder)
	}
	return x.repository(root).fingerprint()
}

func (r *repository) fingerprint() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.walk()
	if r.cut {
		return ""
	}
	if r.print != "" {
		return r.print
	}
	h := sha256.New()
	add := func(at string) {
		text, err := r.read(at)
		fmt.Fprintf(h, "%q %d %v\n", at, len(text), err)
		h.Write(text)
	}
	fmt.Fprintf(h, "%q %q %v\n", r.root, r.dir, r.gaps)
	for _, folder := range slices.Sorted(maps.Keys(r.modules)) {
		fmt.Fprintf(h, "%q %q\n", folder, r.modules[folder].text)
	}
	for _, folder := range r.folders {
		fmt.Fprintf(h, "%q %v %v\n", folder, r.large[folder], r.links[folder])
		for _, name := range r.goFiles[folder] {
			add(path.Join(folder, name))
		}
	}
	r.print = fmt.Sprintf("%x", h.Sum(nil))
	return r.print
}
