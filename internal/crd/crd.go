// Package crd interprets a CustomResourceDefinition of a manifest: it finds the object that an API server would decode
// from it, and the node of the manifest that each part of that object came from. It states facts; it does not judge
// them.
package crd

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/yaml11"
	"github.com/crdlift/crdlift/lint"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A Version is an apiVersion of the group apiextensions.k8s.io.
type Version string

const (
	V1beta1 Version = "v1beta1"
	V1      Version = "v1"

	// Group is the API group of CustomResourceDefinitions.
	Group = "apiextensions.k8s.io"
	// Kind is what this package is about.
	Kind = "CustomResourceDefinition"
)

// Unknown is the message about a version that does not exist.
func (v Version) Unknown() text.Text {
	return text.Sprintf("there is no %s; write %s/v1", text.Quoted(Group+"/"+string(v)), Group)
}

// A CRD is one CustomResourceDefinition of a manifest.
type CRD struct {
	Node    *yaml.Node // its mapping
	Version Version    // as written; not checked to be one that exists
	List    *yaml.Node // the list that has the apiVersion and kind of all its items; nil for a CRD that has its own
	From    *Envelope  // what another program makes the CRD of; nil for a CRD that is written as one

	// The cache of a frozen CRD.
	index    *Index // nil when it is not frozen
	roots    map[string]*Schema
	versions []APIVersion
	decoded  func() (*Object, error)

	changing *Index // of one that is being fixed
}

// Changing has schemas found fast by their paths while fixes change the CRD.
func (c *CRD) Changing() *CRD {
	c.changing = &Index{changing: map[*yaml.Node]*ownKeys{}}
	return c
}

// Find lists the CustomResourceDefinitions of a document: the document itself, or the items of a `kind: List` or a
// CustomResourceDefinitionList, and of lists among them. Items of the latter need no apiVersion and kind of their own: API servers and Go programs
// write none. Others counts the objects that are something else; an empty document does not count.
func Find(root *yaml.Node) (found []*CRD, others int) { return FindWith(root, nil) }

// FindWith is Find that also asks which CRDs another program makes from an object that is no CRD. One without any is counted
// among the others.
func FindWith(root *yaml.Node, made func(object *yaml.Node) []*CRD) (found []*CRD, others int) {
	if root == nil {
		return nil, 0
	}
	take := func(c *CRD, object *yaml.Node) {
		all := []*CRD{c}
		if c == nil && made != nil {
			all = made(object)
		}
		if len(all) == 0 || all[0] == nil {
			others++
			return
		}
		found = append(found, all...)
	}
	if items, ok := listItems(root); ok {
		for _, item := range items {
			c := itemOf(root, item)
			if _, isList := listItems(item); c == nil && isList && item.Kind != yaml.AliasNode { // with aliases, lists may have no end
				in, more := FindWith(item, made)
				found, others = append(found, in...), others+more
				continue
			}
			take(c, item)
		}
		return found, others
	}
	if root.Kind == yaml.ScalarNode && root.ShortTag() == yaml.NodeTagNull {
		return nil, 0
	}
	take(of(root), root)
	return found, others
}

// MayHold reports whether a text that does not parse could hold a CustomResourceDefinition, or a patch of one: whether it
// names the kind or its group, if need be in UTF-16.
func MayHold(src []byte) bool {
	src = text.WithoutNULs(src)
	return bytes.Contains(src, []byte(Kind)) || bytes.Contains(src, []byte(Group))
}

// listItems returns the items of a list object; ok is false when the node is none.
func listItems(n *yaml.Node) (items []*yaml.Node, ok bool) {
	if !strings.HasSuffix(StringAt(n, "kind"), "List") {
		return nil, false
	}
	list := Get(n, "items")
	if list == nil || list.Kind != yaml.SequenceNode {
		return nil, false
	}
	return list.Content, true
}

func of(n *yaml.Node) *CRD {
	group, version, ok := strings.Cut(StringAt(n, "apiVersion"), "/")
	if !ok || group != Group || StringAt(n, "kind") != Kind {
		return nil
	}
	return &CRD{Node: n, Version: Version(version)}
}

// itemOf is the CRD that an item of a list is; nil when it is none. An item that has neither apiVersion nor kind has those
// of its list (decodeToList of k8s.io/apimachinery/pkg/apis/meta/v1/unstructured).
func itemOf(list, item *yaml.Node) *CRD {
	group, version, _ := strings.Cut(StringAt(list, "apiVersion"), "/")
	own := StringAt(item, "apiVersion") != "" || StringAt(item, "kind") != ""
	if own || group != Group || StringAt(list, "kind") != Kind+"List" || Deref(item).Kind != yaml.MappingNode {
		return of(item)
	}
	return &CRD{Node: item, Version: Version(version), List: list}
}

// Copy is the CRD with nodes of its own, but for the list that it is in.
func (c *CRD) Copy() *CRD {
	return &CRD{Node: Clone(c.Node), Version: c.Version, List: c.List, From: c.From}
}

// APIVersion is the place of the apiVersion that counts for the CRD.
func (c *CRD) APIVersion() Place {
	n := c.Node
	if c.List != nil {
		n = c.List
	}
	return Place{Node: Get(n, "apiVersion"), Path: "apiVersion"}
}

// Name is the CRD's metadata.name, "" when it has none.
func (c *CRD) Name() string { return StringAt(c.Node, "metadata", "name") }

// Excessive reports whether no server reads the CRD because its aliases expand to more than servers allow: with a chain
// of merge keys, visiting every schema takes quadratic time.
func (c *CRD) Excessive() bool {
	_, err := c.Decode()
	return err != nil && yaml11.Excessive(c.Node)
}

// Swollen reports whether no server reads the CRD because of what its aliases expand to, in nodes or in bytes.
func (c *CRD) Swollen() bool {
	_, err := c.Decode()
	at := (*yaml11.Error)(nil)
	return errors.As(err, &at) && at.Huge || c.Excessive()
}

// IsPart reports whether the manifest lacks what every CRD has and only a whole one does, as a kustomize patch does. No API
// server accepts it by itself.
func (c *CRD) IsPart() bool {
	spec := Get(c.Node, "spec")
	return spec == nil || spec.Kind != yaml.MappingNode || Get(spec, "group") == nil && Get(spec, "names") == nil
}

// Lookup finds an entry as the function Lookup does, but faster in the large mappings of a frozen CRD, which are indexed.
func (c *CRD) Lookup(n *yaml.Node, key string) (k, v *yaml.Node) { return c.index.lookup(n, key) }

// Parse lists the CustomResourceDefinitions of a file, in its order. Documents that do not parse have none.
func Parse(src []byte) []*CRD {
	var all []*CRD
	for _, d := range manifest.Parse("", src).Documents {
		if d.Root != nil {
			found, _ := Find(d.Root.YNode())
			all = append(all, found...)
		}
	}
	return all
}

// parseJSON is the tree of JSON; a null where it does not parse.
func parseJSON(raw []byte) *yaml.Node {
	for _, d := range manifest.Parse("", raw).Documents {
		if d.Root != nil {
			return d.Root.YNode()
		}
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagNull, Value: "null"}
}

// Told is what a report says about a CRD of a document. Shown makes a text of the manifest one that may be shown: of a Helm
// template, it puts the actions back.
func (c *CRD) Told(d *manifest.Document, shown func(string) string) lint.CRD {
	line, _ := d.Begin(c.Root())
	told := lint.CRD{
		File:       d.File.Path,
		Line:       max(line, 1), // a copy that is judged in the place of what cannot be read has none
		Document:   d.Index,
		Name:       shown(c.Name()),
		Group:      shown(StringAt(c.Node, "spec", "group")),
		Kind:       shown(StringAt(c.Node, "spec", "names", "kind")),
		APIVersion: Group + "/" + string(c.Version),
	}
	if c.From != nil {
		told.APIVersion = c.From.APIVersion
	}
	for _, v := range c.Versions() {
		told.Versions = append(told.Versions, lint.APIVersion{Name: shown(v.Name), Served: v.Served, Storage: v.Storage, Deprecated: v.Deprecated})
	}
	return told
}

// A Patch is the content, besides schemas, that a part of a CRD, such as a kustomize patch, adds to the CRD of its
// name.
type Patch struct {
	Name        string   // metadata.name
	Converts    bool     // spec.conversion asks a webhook
	CABundle    bool     // spec.conversion has the webhook's certificate
	Annotations []string // their keys
}

// Patch sums a part up.
func (c *CRD) Patch() Patch {
	conversion := Get(c.Node, "spec", "conversion")
	p := Patch{
		Name:     c.Name(),
		Converts: StringAt(conversion, "strategy") == "Webhook",
		CABundle: StringAt(conversion, "webhook", "clientConfig", "caBundle") != "" || StringAt(conversion, "webhookClientConfig", "caBundle") != "",
	}
	for _, e := range Entries(Get(c.Node, "metadata", "annotations")) {
		p.Annotations = append(p.Annotations, e.Name)
	}
	return p
}

// A Lack is what a CRD misses and a patch may add: one of several things.
type Lack struct {
	Converts, CABundle bool     // as a Patch has them
	Annotations        []string // beginnings of their keys
}

// In reports whether a patch adds it.
func (l *Lack) In(p Patch) bool {
	return l.Converts && p.Converts || l.CABundle && p.CABundle || slices.ContainsFunc(p.Annotations, func(key string) bool {
		return slices.ContainsFunc(l.Annotations, func(prefix string) bool { return strings.HasPrefix(key, prefix) })
	})
}
