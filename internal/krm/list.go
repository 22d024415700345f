package krm

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/fn/framework"
	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/rewrite"
)

// inputName is what errors call the ResourceList.
const inputName = "<stdin>"

// A resourceList is the text of a ResourceList, and its tree.
type resourceList struct {
	text     []byte
	document *manifest.Document
	items    []item
}

// readList reads a ResourceList. Items may be anything: most of them are none of crdlift's business.
func readList(text []byte) (*resourceList, error) {
	l := &resourceList{text: text}
	for _, d := range manifest.Parse(inputName, text).Documents {
		switch {
		case d.Err != nil:
			return nil, d.Err
		case d.Root == nil || crd.IsNull(d.Root.YNode()):
		case l.document != nil:
			return nil, errors.New("standard input has more than a ResourceList: a second document")
		default:
			l.document = d
		}
	}
	if l.document == nil || crd.StringAt(l.document.Root.YNode(), "kind") != "ResourceList" {
		return nil, errors.New("standard input is not a ResourceList; for manifests, use crdlift lint or crdlift convert")
	}
	list := l.field("items")
	if list == nil || crd.IsNull(list) {
		return l, nil
	}
	if list.Kind != yaml.SequenceNode {
		line, _ := l.document.Begin(list)
		return nil, fmt.Errorf("%s:%d: items of the ResourceList must be a list", inputName, line)
	}
	for i, node := range list.Content {
		l.items = append(l.items, newItem(i, node))
	}
	return l, nil
}

// field is the value of a field of the ResourceList; nil when there is none.
func (l *resourceList) field(name string) *yaml.Node { return crd.Get(l.document.Root.YNode(), name) }

// crds are the items that are CRDs, and those that were meant to be, each in the order in which a conversion reports
// them.
func (l *resourceList) crds() (found, meant []item) {
	root := l.document.Root.YNode()
	crds, _ := crd.Find(root)
	return l.itemsOf(crds), l.itemsOf(crd.Meant(root))
}

// itemsOf are the items that objects in their order are.
func (l *resourceList) itemsOf(found []*crd.CRD) (all []item) {
	for _, it := range l.items {
		if len(found) > len(all) && found[len(all)].Node == it.node {
			all = append(all, it)
		}
	}
	return all
}

// answer is the ResourceList with results, and with no items if there are to be none. Only the results are written anew.
func (l *resourceList) answer(results []result, none bool) ([]byte, error) {
	root := l.document.Root.YNode()
	var all framework.Results
	for _, r := range results {
		all = append(all, r.Result)
	}
	text, err := yaml.Marshal(all)
	if err != nil {
		return nil, err
	}
	if len(results) > 0 {
		node, err := yaml.Parse(string(text))
		if err != nil {
			return nil, err
		}
		layout.Forget(node.YNode()) // the writer identifies nodes of its file by their positions
		layout.Set(root, "results", node.YNode())
	}
	if none {
		layout.Set(root, "items", &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq, Style: yaml.FlowStyle})
		text, err := yaml.NewRNode(root).String()
		return []byte(text), err
	}
	written, err := rewrite.Of(l.document).Write(root)
	if err != nil || written.Encoded != "" {
		return l.prefixed(string(text))
	}
	return rewrite.Apply(l.text, written.Edits), nil
}

// prefixed puts the results before the items, for lists that cannot be changed after them without writing all items
// anew.
func (l *resourceList) prefixed(results string) ([]byte, error) {
	refused := fmt.Errorf("%s: the results cannot be added without rewriting all items", inputName)
	key, _ := crd.Lookup(l.document.Root.YNode(), "items")
	if key == nil { // the CRDs of the list are elsewhere in it
		return nil, refused
	}
	line, column := l.document.Begin(key)
	at, _ := l.document.File.Table.Offset(line, 1)
	results = strings.ReplaceAll("results:\n"+results, "\n", lines.Break(l.text[:at]))
	with, err := readList(slices.Concat(l.text[:at], []byte(results), l.text[at:]))
	if err != nil || column != 1 || len(with.items) != len(l.items) {
		return nil, refused
	}
	return with.text, nil
}

// An item is an item of the ResourceList.
type item struct {
	node      *yaml.Node
	index     int    // among the items, from 0
	path      string // of the file that it was read from, "" when the orchestrator does not say
	fileIndex int    // of the document in that file
}

func newItem(i int, node *yaml.Node) item {
	it := item{node: node, index: i}
	path, index, err := kioutil.GetFileAnnotations(yaml.NewRNode(crd.Deref(node)))
	if err == nil && path != "" {
		it.path = path
		it.fileIndex, _ = strconv.Atoi(index) // absent means the first
	}
	return it
}

// position names an item without a name.
func (it item) position() string { return fmt.Sprintf("item %d", it.index) }

// holdsCRD reports whether an item is a CRD, or was meant to be one.
func (it item) holdsCRD() bool {
	node := crd.Deref(it.node)
	found, _ := crd.Find(node)
	return len(found) > 0 || len(crd.Meant(node)) > 0
}

// own returns the item's text by itself: without the orchestrator's internal annotations, and with the nodes that it
// shares with other items.
func (it item) own() (string, error) {
	node := crd.Clone(crd.Deref(it.node))
	all, inside := layout.EveryNode(node), map[*yaml.Node]bool{}
	for _, n := range all {
		inside[n] = true
	}
	shares := slices.ContainsFunc(all, func(n *yaml.Node) bool { return n.Kind == yaml.AliasNode && !inside[n.Alias] })
	if shares && layout.Expandable(node) {
		layout.ExpandAliases(node)
	}
	own := yaml.NewRNode(node)
	kept := kioutil.GetInternalAnnotations(own)
	for key := range kept {
		if err := own.PipeE(yaml.ClearAnnotation(key)); err != nil {
			return "", err
		}
	}
	if len(kept) > 0 {
		if err := yaml.ClearEmptyAnnotations(own); err != nil {
			return "", err
		}
	}
	return own.String()
}
