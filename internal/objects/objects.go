// Package objects finds custom resources in manifests, the CRDs that define them, and the nodes that parts of them are
// written in. It states facts; it does not judge an object.
//
// Read objects.go first: the objects of a document. definition.go has a CRD that defines them, catalogue.go those of a run,
// match.go finds those of an object, candidates.go says which there are, and partial.go knows what only looks like an
// object. tree.go reads an object as a server does, place.go leads from there back to the text, and schema.go to the schema
// that constrains it and to places in the CRD.
package objects

import (
	"bytes"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/limit"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/yaml11"
)

// An Object is one API object of a manifest: whatever has an apiVersion and a kind.
type Object struct {
	Node *yaml.Node // its mapping
	Head *yaml.Node // what has the apiVersion and kind that count for it: Node, or the list that it is an item of
	// What identifies it. An item of a list that has neither apiVersion nor kind has those of its list.
	Group, Version, Kind, Namespace, Name string
	Index                                 int // among the objects of its document

	large map[*yaml.Node]*index   // of large mappings
	going map[*yaml.Node][]string // the names of entries that Settle removes
}

// An index says where a mapping had its entries of each name, when it had as many nodes. It is empty where merge keys bring in others.
type index struct {
	size int
	at   map[string][]int
}

// Find lists the objects of a document: the document itself, or the items of a `kind: List`, or of a list of a kind such
// as DatabaseList, at any depth. Others counts the items, or documents, that are no objects.
func Find(root *yaml.Node) (found []*Object, others int) {
	found, others, _ = FindWithin(root)
	return found, others
}

// FindWithin is Find that also lists the lists which are in so many others that they are not looked into.
// One that is Swollen has none.
func FindWithin(root *yaml.Node) (found []*Object, others int, deep []*yaml.Node) {
	if Swollen(root) {
		return nil, 1, nil
	}
	f := &finder{}
	f.add(nil, root)
	for i, o := range f.found {
		o.Index = i
	}
	return f.found, f.others, f.deep
}

// Swollen reports whether a document is a list that repeats items by aliases so often that kubectl does not send it: to visit
// them all would take without end.
func Swollen(root *yaml.Node) bool {
	_, isList := itemsOf(crd.Deref(root))
	return isList && yaml11.Excessive(root)
}

// MayHold reports whether a text could hold an object: whether it has the words that every object has, if need be in
// UTF-16.
func MayHold(src []byte) bool {
	src = text.WithoutNULs(src)
	return bytes.Contains(src, []byte("apiVersion")) && bytes.Contains(src, []byte("kind"))
}

// APIVersion is the object's apiVersion.
func (o *Object) APIVersion() string {
	return schema.GroupVersion{Group: o.Group, Version: o.Version}.String()
}

// ID is the object's namespace and name, as messages have it.
func (o *Object) ID() string {
	if o.Namespace == "" {
		return o.Name
	}
	return o.Namespace + "/" + o.Name
}

// IsNameless reports whether the object has neither a name nor the beginning of one that a server makes.
func (o *Object) IsNameless() bool {
	_, meta := crd.Lookup(o.Node, "metadata")
	if meta = crd.Deref(meta); meta != nil && meta.Kind != yaml.MappingNode && !crd.IsNull(meta) {
		return false // which is a mistake in an object
	}
	name, _ := crd.Lookup(meta, "name")
	base, _ := crd.Lookup(meta, "generateName")
	return name == nil && base == nil
}

// FromServer reports whether an API server wrote the object: it has what only a server gives an object.
func (o *Object) FromServer() bool {
	meta := crd.Get(o.Node, "metadata")
	return crd.StringAt(meta, "uid") != "" || crd.StringAt(meta, "resourceVersion") != "" || crd.Get(meta, "managedFields") != nil
}

// A finder collects objects.
type finder struct {
	found  []*Object
	others int
	lists  int // that it is in
	deep   []*yaml.Node
}

// add adds the objects at a node, an item of a list unless that is nil. With aliases, lists may contain themselves.
func (f *finder) add(list, n *yaml.Node) {
	n = crd.Deref(n)
	if n == nil || n.Kind == yaml.ScalarNode && crd.IsNull(n) {
		return
	}
	items, isList := itemsOf(n)
	if isList && f.lists == limit.Lists {
		f.deep = append(f.deep, n)
		return
	}
	if isList {
		f.lists++
		defer func() { f.lists-- }()
		for _, item := range items {
			f.add(n, item)
		}
		return
	}
	if o := objectOf(list, n); o != nil {
		f.found = append(f.found, o)
		return
	}
	f.others++
}

// itemsOf returns the items of a list of objects; is is false for anything else. An object of a kind such as AllowList,
// whose items are its own, is none: every item of a list of objects is a mapping, and the list has no spec.
func itemsOf(n *yaml.Node) (items []*yaml.Node, is bool) {
	if !strings.HasSuffix(crd.StringAt(n, "kind"), "List") || crd.Get(n, "spec") != nil {
		return nil, false
	}
	list := crd.Get(n, "items")
	if list == nil || list.Kind != yaml.SequenceNode {
		return nil, false
	}
	return list.Content, true
}

// objectOf is the object at a node; nil where there is none. The apiVersion and kind of an item that has neither are
// those of its list (decodeToList of k8s.io/apimachinery/pkg/apis/meta/v1/unstructured).
func objectOf(list, n *yaml.Node) *Object {
	if n.Kind != yaml.MappingNode {
		return nil
	}
	o := &Object{Node: n, Head: n, Kind: crd.StringAt(n, "kind"), Namespace: crd.StringAt(n, "metadata", "namespace"), Name: crd.StringAt(n, "metadata", "name")}
	apiVersion := crd.StringAt(n, "apiVersion")
	if apiVersion == "" && o.Kind == "" && list != nil {
		o.Head, apiVersion = list, crd.StringAt(list, "apiVersion")
		o.Kind = strings.TrimSuffix(crd.StringAt(list, "kind"), "List")
	}
	if apiVersion == "" || o.Kind == "" {
		return nil
	}
	o.Group = GroupOf(apiVersion)
	o.Version = strings.TrimPrefix(strings.TrimPrefix(apiVersion, o.Group), "/")
	return o
}

// GroupOf is the group of an apiVersion; "" for the core group.
func GroupOf(apiVersion string) string {
	group, _, grouped := strings.Cut(apiVersion, "/")
	if !grouped {
		return ""
	}
	return group
}
