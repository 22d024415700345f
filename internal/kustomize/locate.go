package kustomize

import (
	"os"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/worktree"
)

// A Spot is a range of bytes of a file.
type Spot struct {
	File       *manifest.File
	Document   int // index in the file
	Start, End int
	Loss       *Loss // what the patch there takes away, where the finding is about that
}

// Sources are the files that the CRDs come from: the one they are written in, those of their patches, and the
// kustomizations that were read.
func (f *File) Sources() []string {
	all := []string{f.Path}
	for _, c := range f.crds {
		_, patches := f.sources.cutOf(c, f.Path)
		for _, p := range patches {
			all = append(all, p.text.file.Path)
		}
	}
	for _, path := range f.sources.read {
		if worktree.IsKustomization(path) {
			all = append(all, f.sources.shown(path))
		}
	}
	slices.Sort(all[1:])
	return slices.Compact(all)
}

// crd is the one of a document of the text.
func (f *File) crd(document int) *crd.CRD {
	found := find(f.built().Documents[document].Root.YNode())
	return found[0]
}

// Locate finds the source of the value at a path of a CRD that was built. The document counts in the File's
// text, and line and column are the position there; the message may name a field that the path's value lacks. What a patch has
// taken away counts first, then what the patches have written, the last one first, then the base; a value that none of them has
// was made by a transformer, which is in the kustomization.
func (f *File) Locate(document int, path string, line, column int, message string) Spot {
	wanted, c := crd.Steps(path), f.crd(document)
	t := newTarget(f.built().Documents[document], c, wanted, line, column)
	base, patches := f.sources.of(c, f.Path)
	lost, known := f.lost[document]
	if base != nil && !known {
		lost = losses(base.crd.Node, c.Node, nil, nil)
		f.lost[document] = lost
	}
	if base != nil && len(wanted) > len(t.steps) { // a patch may also take away what another has added
		lost = append(slices.Clip(lost), loss{was: wanted, steps: wanted})
	}
	for _, l := range lost {
		if !l.explains(t, wanted, message) {
			continue
		}
		for _, p := range slices.Backward(patches) {
			if spot, ok := l.spot(t, &p, base); ok {
				return spot
			}
		}
	}
	for _, p := range slices.Backward(patches) {
		if spot, ok := p.wrote(t, c); ok {
			return spot
		}
	}
	if base != nil {
		patches = slices.Insert(patches, 0, *base)
	}
	for _, p := range patches {
		if spot, ok := t.in(&p); ok {
			return spot
		}
	}
	return f.sources.top()
}

// A target is the entry of a CRD that a path leads to, or the nearest above it when there is none.
type target struct {
	steps []string
	value *yaml.Node
	onKey bool // its key is to be shown
}

func newTarget(d *manifest.Document, c *crd.CRD, steps []string, line, column int) target {
	key, value := entry(c.Node, steps)
	for value == nil && len(steps) > 0 { // about a missing value
		steps = steps[:len(steps)-1]
		key, value = entry(c.Node, steps)
	}
	onKey := value.Kind != yaml.ScalarNode
	if key != nil {
		l, col := d.Begin(key)
		onKey = onKey || l == line && col == column
	}
	return target{steps, value, onKey}
}

// same reports whether a value may be the one that was built: the contents of the two may differ.
func same(v, built *yaml.Node) bool { return v.Kind == built.Kind && v.Value == built.Value }

// in finds a target in a source.
func (t target) in(w *source) (Spot, bool) {
	if w.crd == nil {
		return Spot{}, false
	}
	k, v := entry(w.crd.Node, t.steps)
	if v == nil || !same(v, t.value) {
		return Spot{}, false
	}
	return w.text.spot(head(k, v, t.onKey))
}

// head is what to show of an entry: the key, where it is about that, or else the value, of which the first key will do.
func head(key, value *yaml.Node, onKey bool) *yaml.Node {
	switch {
	case onKey && key != nil:
		return key
	case value.Kind == yaml.MappingNode && len(value.Content) > 0:
		return value.Content[0]
	}
	return value
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
