package objects

import (
	"slices"
	"sync"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/xrd"
)

// A reread is what was read again of a definition; nil before it is asked for.
type reread struct {
	reading sync.Mutex
	tree    *Tree
	whole   *apiextensions.CustomResourceDefinition // of one that was unloaded
}

// Unload lets go of what takes memory and can be read again from the text of the file, which a function returns: schemas, the tree, what
// checks objects, and the text itself. The first time, it is not to be called while others read the definition.
func (d *Definition) Unload(text func() []byte) {
	if d.unread != "" {
		return
	}
	if !d.bare {
		d.Hub, d.bare = withoutSchemas(d.Hub), true
		if !d.IsTemplate() && text != nil {
			d.Document, d.reopen = d.Document.WithoutText(), text
		}
	}
	d.prepare.Lock()
	d.server, d.why = nil, ""
	d.prepare.Unlock()
	d.reading.Lock()
	d.tree, d.whole = nil, nil
	d.reading.Unlock()
}

// withoutSchemas is a copy of a CRD that shares everything else with it.
func withoutSchemas(of *apiextensions.CustomResourceDefinition) *apiextensions.CustomResourceDefinition {
	hub := *of
	hub.Spec.Validation, hub.Spec.Versions = nil, slices.Clone(hub.Spec.Versions)
	for i := range hub.Spec.Versions {
		hub.Spec.Versions[i].Schema = nil
	}
	return &hub
}

// Whole is the CRD with its schemas, which is Hub unless it was unloaded.
func (d *Definition) Whole() *apiextensions.CustomResourceDefinition {
	if !d.bare {
		return d.Hub
	}
	tree := d.Tree()
	d.reading.Lock()
	defer d.reading.Unlock()
	if d.whole == nil {
		d.whole = d.Hub
		if decoded, err := tree.Decode(); err == nil {
			d.whole = decoded.Hub
		}
	}
	return d.whole
}

// Tree parses the CRD again, once: its places are only asked for when there is a finding, and the trees of all CRDs take more
// memory than a definition. Of a CRD that does not parse, it is empty.
func (d *Definition) Tree() *Tree {
	d.reading.Lock()
	defer d.reading.Unlock()
	if d.tree == nil {
		document := d.Document
		if d.reopen != nil {
			document = d.reopened()
		}
		d.tree = treeOf(document.Shared(), d.Name, d.index)
	}
	return d.tree
}

// reopened is the document with its text. A file that has changed may not have it any more: somebody is about to say so.
func (d *Definition) reopened() *manifest.Document {
	f := manifest.Split(d.Document.File.Path, d.reopen())
	if d.Document.Index < len(f.Documents) {
		return f.Documents[d.Document.Index]
	}
	return &manifest.Document{File: f}
}

// Written is the document with its text and tree.
func (d *Definition) Written() *manifest.Document { return d.Tree().document }

// A Tree is the YAML of a CRD, which has the places in it.
type Tree struct {
	*crd.CRD
	document *manifest.Document
	schemas  map[string]crd.Place // of its versions
	index    crd.Index            // of these
	fields   sync.Map             // what Fields returns, by the nodes of schemas
}

func treeOf(d *manifest.Document, name string, i int) *Tree {
	found, _ := xrd.Find(d.Root.YNode())
	if i >= len(found) || found[i].Name() != name {
		return &Tree{CRD: &crd.CRD{}, document: d}
	}
	t := &Tree{CRD: found[i], document: d, schemas: map[string]crd.Place{}}
	for _, v := range t.Versions() {
		t.schemas[v.Name] = v.Schema
	}
	return t
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
