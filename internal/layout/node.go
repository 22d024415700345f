package layout

import (
	"strconv"

	"github.com/crdlift/crdlift/internal/yaml11"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// String makes a node for a string, quoted where YAML 1.1 or 1.2 would read the plain text as something else.
func String(s string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: s}
	if !yaml11.PlainSafe(s) {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

// Bool makes a node for a boolean.
func Bool(b bool) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagBool, Value: strconv.FormatBool(b)}
}

// List makes a node for a sequence.
func List(items ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq, Content: items}
}

// Mapping makes a node for a mapping of alternating keys (string) and values (*yaml.Node).
func Mapping(keysAndValues ...any) *yaml.Node {
	m := &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap}
	for i := 0; i+1 < len(keysAndValues); i += 2 {
		m.Content = append(m.Content, String(keysAndValues[i].(string)), keysAndValues[i+1].(*yaml.Node))
	}
	return m
}

// EveryNode lists a node and all below it, in the order of the text.
func EveryNode(n *yaml.Node) (all []*yaml.Node) {
	var list func(n *yaml.Node)
	list = func(n *yaml.Node) {
		all = append(all, n)
		for _, c := range n.Content {
			list(c)
		}
	}
	if n != nil {
		list(n)
	}
	return all
}

// Forget removes the positions of the nodes of a tree that is not in this file: the writer identifies nodes of its file
// by their positions.
func Forget(n *yaml.Node) {
	n.Line, n.Column = 0, 0
	for _, c := range n.Content {
		Forget(c)
	}
}
