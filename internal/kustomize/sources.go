package kustomize

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/api/konfig"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
)

// sources are the files that a build has read.
type sources struct {
	dir           string // as the user named it
	root          string // the same, absolute and without links
	kustomization string // the file at the root, as messages name it
	read          []string

	written    []sourceCRD
	operations []operation
}

// A sourceCRD is a CRD, or a patch of one, of a file that was read.
type sourceCRD struct {
	*crd.CRD
	text *text
}

func newSources(dir string, d *disk) *sources {
	if info, err := os.Lstat(dir); err == nil && info.Mode()&os.ModeSymlink != 0 {
		dir = d.root // `..` leads elsewhere than from the link
	}
	s := &sources{dir: dir, root: d.root, read: d.read, kustomization: filepath.Join(dir, konfig.DefaultKustomizationFileName())}
	for _, path := range d.read {
		if filepath.Dir(path) == d.root && IsKustomization(path) {
			s.kustomization = filepath.Join(dir, filepath.Base(path))
		}
	}
	s.look()
	return s
}

// shown is a path below the root as messages name it.
func (s *sources) shown(path string) string { return filepath.Join(s.dir, filepath.FromSlash(path)) }

// name is a file that was read as messages name it.
func (s *sources) name(path string) string {
	if below, err := filepath.Rel(s.root, path); err == nil {
		return s.shown(below)
	}
	return path
}

// look reads the files once more, for the CRDs and patches that are in them.
func (s *sources) look() {
	texts := map[string][]*text{}
	for _, path := range s.read {
		src, err := os.ReadFile(path)
		if err != nil || texts[path] != nil { // gone since, or read twice
			continue
		}
		file := manifest.Parse(s.name(path), withoutTabs(src))
		texts[path] = textsOf(file, file, nil)
		s.addParts(texts[path])
	}
	for _, path := range s.read {
		if !IsKustomization(path) {
			continue
		}
		for _, k := range texts[path] {
			s.readPatches(path, k, texts)
		}
	}
}

// withoutTabs lets a JSON patch, which is a list, be read as YAML, in which nothing is indented by tabs.
func withoutTabs(src []byte) []byte {
	if bytes.HasPrefix(bytes.TrimSpace(src), []byte("[")) {
		return bytes.ReplaceAll(src, []byte("\t"), []byte(" "))
	}
	return src
}

// of lists what may have written a part of a CRD that was built from a file: its base, and the patches of the base's name.
func (s *sources) of(c *crd.CRD, path string) (base *sourceCRD, patches []sourceCRD) {
	for _, w := range s.written {
		if w.text.file.Path == path && !w.IsPart() && sameResource(w.CRD, c) {
			base = &w
			break
		}
	}
	for _, w := range s.written {
		if w.IsPart() && (w.Name() == c.Name() || base != nil && w.Name() == base.Name()) {
			patches = append(patches, w)
		}
	}
	return base, patches
}

// sameResource reports whether two CRDs define the same resource: a kustomization may change the name of one, not its
// resource.
func sameResource(a, b *crd.CRD) bool {
	return a.Name() == b.Name() || crd.StringAt(a.Node, "spec", "group") == crd.StringAt(b.Node, "spec", "group") &&
		crd.StringAt(a.Node, "spec", "names", "plural") == crd.StringAt(b.Node, "spec", "names", "plural")
}

// operationsFor lists the operations of JSON patches that are for a CRD, the last one first: it has the last word.
func (s *sources) operationsFor(c *crd.CRD, base *sourceCRD) (all []operation) {
	names := []string{c.Name()}
	if base != nil {
		names = append(names, base.Name())
	}
	for _, o := range slices.Backward(s.operations) {
		if o.selects(c, names...) {
			all = append(all, o)
		}
	}
	return all
}
