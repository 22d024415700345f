package kustomize

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/worktree"
	"github.com/crdlift/crdlift/internal/xrd"
)

// sources are the files that a build has read.
type sources struct {
	*disk
	kustomization string // the file at the root, as messages name it

	written []source                           // the CRDs, and the parts of CRDs, of all files
	whole   map[*manifest.File]func() []source // those of a file without schemas as they are in it
	patches []source                           // as they are applied
	others  []source                           // the strategic merge patches of other objects, likewise
}

func newSources(d *disk) *sources {
	s := &sources{disk: d, kustomization: filepath.Join(d.dir, konfig.DefaultKustomizationFileName()), whole: map[*manifest.File]func() []source{}}
	for _, path := range d.read {
		if filepath.Dir(path) == d.root && worktree.IsKustomization(path) {
			s.kustomization = d.shown(path)
		}
	}
	s.look()
	return s
}

// look reads the files once more, for the CRDs and patches that are in them.
func (s *sources) look() {
	texts := map[string][]*input{}
	for _, path := range s.read {
		if texts[path] != nil { // read twice
			continue
		}
		read := func() (found []source) {
			src, _ := os.ReadFile(path) // none of one that is gone since
			texts[path], found = s.parse(path, src)
			return found
		}
		if src, isCut := s.cut[path]; isCut {
			all, found := s.parse(path, src)
			if len(found) > 0 && !slices.ContainsFunc(found, func(w source) bool { return w.crd.IsPart() }) {
				texts[path], s.written = all, append(s.written, found...)
				s.whole[found[0].text.file] = sync.OnceValue(read)
				continue
			}
		}
		s.written = append(s.written, read()...)
	}
	left := map[string]string{} // kustomizations by their folders
	for _, path := range s.read {
		if worktree.IsKustomization(path) {
			left[filepath.Dir(path)] = path
		}
	}
	for _, path := range s.read {
		s.visit(filepath.Dir(path), texts, left)
	}
	for _, w := range s.written { // those of transformers, which come last
		if w.crd.IsPart() && !slices.ContainsFunc(s.patches, func(p source) bool { return p.text == w.text }) {
			s.patches = append(s.patches, w)
		}
	}
}

// find lists the CRDs of a document, and the objects that Crossplane makes CRDs of as they are written, where findings have their paths.
func find(root *yaml.Node) []*crd.CRD {
	found, _ := crd.FindWith(root, func(object *yaml.Node) []*crd.CRD {
		group, _, _ := strings.Cut(crd.StringAt(object, "apiVersion"), "/")
		if group != xrd.Group || crd.StringAt(object, "kind") != xrd.Kind {
			return nil
		}
		return []*crd.CRD{{Node: object}}
	})
	return found
}

// parse returns the documents of a file, and the CRDs in them.
func (s *sources) parse(path string, src []byte) (all []*input, found []source) {
	file := manifest.Parse(s.shown(path), withoutTabs(src))
	all = textsOf(file, file, nil)
	for _, t := range all {
		crds := find(t.Root.YNode())
		for _, c := range crds {
			found = append(found, source{text: t, crd: c})
		}
	}
	return all, found
}

// visit adds the patches of the kustomization of a folder after those of what it is made from, as accumulateTarget of
// sigs.k8s.io/kustomize/api/internal/target applies them. It is one of those that are left.
func (s *sources) visit(dir string, texts map[string][]*input, left map[string]string) {
	path := left[dir]
	delete(left, dir)
	for _, k := range texts[path] {
		for _, field := range []string{"resources", "bases", "components"} {
			for _, item := range items(k.Root.YNode(), field) {
				below := filepath.Join(dir, filepath.FromSlash(item.Value))
				if real, err := filepath.EvalSymlinks(below); err == nil && texts[below] == nil {
					below = real
				}
				s.visit(below, texts, left)
			}
		}
		s.readPatches(path, k, texts)
	}
}

// withoutTabs lets a JSON patch, which is a list, be read as YAML, in which nothing is indented by tabs.
func withoutTabs(src []byte) []byte {
	if bytes.HasPrefix(bytes.TrimSpace(src), []byte("[")) {
		return bytes.ReplaceAll(src, []byte("\t"), []byte(" "))
	}
	return src
}

// of lists what may have written a part of a CRD that was built from a file: its base, and the patches in their order.
func (s *sources) of(c *crd.CRD, path string) (base *source, patches []source) {
	base, patches = s.cutOf(c, path)
	if base != nil && s.whole[base.text.file] != nil {
		for _, w := range s.whole[base.text.file]() {
			if sameResource(w.crd, base.crd) {
				return &w, patches
			}
		}
	}
	return base, patches
}

// cutOf is of for those who do not need the schemas of the base.
func (s *sources) cutOf(c *crd.CRD, path string) (base *source, patches []source) {
	names := []string{c.Name()}
	for _, w := range s.written {
		if w.text.file.Path == path && !w.crd.IsPart() && sameResource(w.crd, c) {
			base, names = &w, append(names, w.crd.Name())
			break
		}
	}
	for _, p := range s.patches {
		if p.selects(c, names...) {
			patches = append(patches, p)
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
