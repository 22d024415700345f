package objects

import (
	"sync"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// A Tree is the YAML of a CRD, which has the places in it.
type Tree struct {
	*crd.CRD
	document *manifest.Document
	schemas  map[string]crd.Place // of its versions
	index    crd.Index            // of these
	fields   sync.Map             // what Fields returns, by the nodes of schemas
}

// Fields are the names of the fields of a schema of the CRD, and of the others that a value of it may have: these are looked for
// once, as many objects may have unknown ones.
func (t *Tree) Fields(s *crd.Schema, others ...string) *text.Words {
	words, _ := t.fields.LoadOrStore(s.Node, sync.OnceValue(func() *text.Words {
		var names []string
		for _, e := range crd.Entries(s.Get("properties")) {
			names = append(names, e.Name)
		}
		return text.NewWords(append(names, others...))
	}))
	return words.(func() *text.Words)()
}

// Tree parses the CRD again, once: its places are only asked for when there is a finding, and the trees of all CRDs take more
// memory than what objects are judged by. Of a CRD that does not parse, it is empty.
func (d *Definition) Tree() *Tree { return d.tree() }

func treeOf(d *manifest.Document, i int) *Tree {
	found, _ := crd.Find(d.Root.YNode())
	t := &Tree{CRD: found[i], document: d, schemas: map[string]crd.Place{}}
	for _, v := range t.Versions() {
		t.schemas[v.Name] = v.Schema
	}
	return t
}

// Position is that of a node of the CRD's tree.
func (d *Definition) Position(n *yaml.Node) (lint.Position, bool) {
	document := d.Tree().document
	start, end, ok := document.Span(n)
	if !ok {
		return lint.Position{}, false
	}
	return document.File.Range(start, end), true
}

// At is the position of a place in the CRD; where it is not written, that of the CRD as a whole.
func (d *Definition) At(at crd.Place) lint.Position {
	if pos, ok := d.Position(at.Node); ok {
		return pos
	}
	return d.Where()
}

// WhereServed is the place that says whether a version is served; false where the CRD has no such version.
func (d *Definition) WhereServed(version string) (lint.Position, bool) {
	for _, v := range d.Tree().Versions() {
		if k, _ := crd.Lookup(v.At.Node, "served"); v.Name == version && k != nil {
			return d.Position(k)
		}
	}
	return lint.Position{}, false
}

// Where is the place of the CRD as a whole: its name or, where it does not parse, the place of that.
func (d *Definition) Where() lint.Position {
	if err := d.Document.Err; err != nil {
		return lint.Point(err.Path, err.Line, err.Column)
	}
	if pos, ok := d.Position(crd.Get(d.Tree().Node, "metadata", "name")); ok {
		return pos
	}
	return d.Document.File.Range(d.Document.Start, d.Document.Start)
}
