package kustomize

import (
	"os"
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
)

// sources are the files that a build has read.
type sources struct {
	dir           string // as the user named it
	root          string // the same, absolute and without links
	kustomization string // the file at the root, as messages name it
	read          []string
	written       []written // made when first needed
}

// A written is a CRD, or a patch of one, of a file that was read.
type written struct {
	*crd.CRD
	document *manifest.Document
}

func newSources(dir string, d *disk) *sources {
	if info, err := os.Lstat(dir); err == nil && info.Mode()&os.ModeSymlink != 0 {
		dir = d.root // `..` leads elsewhere than from the link
	}
	s := &sources{dir: dir, root: d.root, read: d.read, kustomization: filepath.Join(dir, konfig.DefaultKustomizationFileName())}
	for _, path := range d.read {
		if filepath.Dir(path) == d.root && slices.Contains(konfig.RecognizedKustomizationFileNames(), filepath.Base(path)) {
			s.kustomization = filepath.Join(dir, filepath.Base(path))
		}
	}
	return s
}

// shown is a path below the root as messages name it.
func (s *sources) shown(path string) string { return filepath.Join(s.dir, filepath.FromSlash(path)) }

// all lists the CRDs and patches of the files that were read.
func (s *sources) all() []written {
	if s.written != nil {
		return s.written
	}
	seen := map[string]bool{}
	for _, path := range s.read {
		src, err := os.ReadFile(path)
		if err != nil || seen[path] { // gone since
			continue
		}
		seen[path] = true
		name := path
		if below, err := filepath.Rel(s.root, path); err == nil {
			name = s.shown(below)
		}
		for _, d := range manifest.Parse(name, src).Documents {
			if d.Root == nil {
				continue
			}
			found, _ := crd.Find(d.Root.YNode())
			for _, c := range found {
				s.written = append(s.written, written{c, d})
			}
		}
	}
	return s.written
}

// of lists what may have written a part of a CRD that was built from a file: its base, and the patches of the base's name.
func (s *sources) of(c *crd.CRD, path string) (base *written, patches []written) {
	for _, w := range s.all() {
		if w.document.File.Path == path && !w.IsPart() && sameResource(w.CRD, c) {
			base = &w
			break
		}
	}
	for _, w := range s.all() {
		if w.IsPart() && (w.Name() == c.Name() || base != nil && w.Name() == base.Name()) {
			patches = append(patches, w)
		}
	}
	return base, patches
}

// sameResource reports whether two CRDs define the same resource: a kustomization may change the name of one, not what it
// is about.
func sameResource(a, b *crd.CRD) bool {
	return a.Name() == b.Name() || crd.StringAt(a.Node, "spec", "group") == crd.StringAt(b.Node, "spec", "group") &&
		crd.StringAt(a.Node, "spec", "names", "plural") == crd.StringAt(b.Node, "spec", "names", "plural")
}

// A Spot is a range of bytes of a file.
type Spot struct {
	File       *manifest.File
	Document   int // index in the file
	Start, End int
}

// Locate finds where in the sources it stands what is at a path of a CRD that was built. The document counts in the File's
// text, and line and column are the position there. A patch counts before its base; what neither has, a transformer made:
// that is in the kustomization.
func (f *File) Locate(document int, path string, line, column int) Spot {
	if f.built == nil {
		f.built = manifest.Parse("", f.Text)
	}
	d := f.built.Documents[document]
	found, _ := crd.Find(d.Root.YNode())
	c := found[0]
	steps := crd.Steps(path)
	key, value := entry(c.Node, steps)
	for value == nil && len(steps) > 0 { // about what is not there
		steps = steps[:len(steps)-1]
		key, value = entry(c.Node, steps)
	}
	onKey := value.Kind != yaml.ScalarNode
	if key != nil {
		l, col := d.Begin(key)
		onKey = onKey || l == line && col == column
	}
	base, patches := f.sources.of(c, f.Path)
	order := patches
	if base != nil {
		order = append(order, *base)
		if value.Kind != yaml.ScalarNode { // a patch has it only to hold something else
			order = append([]written{*base}, patches...)
		}
	}
	for _, w := range order {
		k, v := entry(w.Node, steps)
		if v == nil || v.Kind != value.Kind || v.Value != value.Value {
			continue
		}
		shown := v
		if onKey && k != nil {
			shown = k
		} else if v.Kind == yaml.MappingNode && len(v.Content) > 0 {
			shown = v.Content[0]
		}
		if start, end, ok := w.document.Span(shown); ok {
			return Spot{w.document.File, w.document.Index, start, end}
		}
	}
	return f.sources.top()
}

// top is the beginning of the kustomization.
func (s *sources) top() Spot {
	src, _ := os.ReadFile(s.kustomization) // an empty file will do
	return Spot{File: manifest.Split(s.kustomization, src)}
}

// entry is the entry of a CRD that steps lead to; the key is nil for an item of a list and for the CRD itself, the value
// where they do not lead to the end.
func entry(root *yaml.Node, steps []string) (key, value *yaml.Node) {
	at, complete := (&crd.CRD{Node: root}).Resolve(steps)
	if !complete {
		return nil, nil
	}
	if len(steps) == 0 {
		return nil, root
	}
	parent, _ := (&crd.CRD{Node: root}).Resolve(steps[:len(steps)-1])
	if p := crd.Deref(parent.Node); p != nil && p.Kind == yaml.MappingNode {
		return crd.Lookup(p, steps[len(steps)-1])
	}
	return nil, crd.Deref(at.Node)
}
