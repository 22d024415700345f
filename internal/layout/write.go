package layout

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/rewrite"
	"github.com/crdlift/crdlift/internal/yaml11"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Value is a node as API servers decode it: what encoding/json decodes into any, with whole numbers as int64. The error is
// that of yaml11.ToJSON.
func Value(n *yaml.Node) (value any, err error) {
	raw, err := yaml11.ToJSON(n)
	if err != nil {
		return nil, err
	}
	err = kjson.UnmarshalCaseSensitivePreserveInts(raw, &value)
	return value, err
}

// Write returns the edits of a document after which its Value is another one. Entries that both have keep their text and
// their order; those that are new follow the alphabet where the others do. Where a change is inside of an alias or of
// merged entries, all aliases of the document give way to copies if it may expand them. The errors are those of rewrite.Writer, or
// say that the document does not decode, or cannot be written without that.
func Write(d *manifest.Document, value any, mayExpand bool) (*rewrite.Result, error) {
	root, err := shaped(d.Root.YNode(), value, mayExpand)
	if err != nil {
		return nil, err
	}
	return rewrite.Of(d).Write(root)
}

// Same reports whether two values are the same in JSON, which knows one number where Go has 1 and 1.0.
func Same(a, b any) bool {
	left, errLeft := json.Marshal(a)
	right, errRight := json.Marshal(b)
	return errLeft == nil && errRight == nil && bytes.Equal(left, right)
}

var errUnshaped = errors.New("the document cannot be written as the object that it becomes")

func shaped(root *yaml.Node, value any, mayExpand bool) (*yaml.Node, error) {
	for _, expand := range []bool{false, true} {
		to := crd.Clone(root)
		if expand {
			if !mayExpand || !Expandable(to) {
				break
			}
			ExpandAliases(to)
		}
		Shape(to, value)
		now, err := Value(to)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", root.Line, err)
		}
		if Same(now, value) && Dangling(to, nil) == "" {
			return to, nil
		}
	}
	return nil, errUnshaped
}

// Shape changes a tree into one that has a value, as far as that is possible without a change of what aliases and merge
// keys bring in.
func Shape(n *yaml.Node, value any) {
	switch value := value.(type) {
	case map[string]any:
		if n.Kind == yaml.MappingNode {
			shapeMapping(n, value)
			return
		}
	case []any:
		if n.Kind == yaml.SequenceNode && len(n.Content) == len(value) {
			for i, item := range n.Content {
				Shape(item, value[i])
			}
			return
		}
	}
	if now, err := Value(n); n.Kind == yaml.AliasNode || err == nil && Same(now, value) {
		return
	}
	*n = *replacement(n, value)
}

// shapeMapping removes the entries that a value does not have, shapes the others and adds those that are missing.
func shapeMapping(m *yaml.Node, value map[string]any) {
	own, known := map[*yaml.Node]bool{}, map[string]bool{}
	for i := 0; i < len(m.Content); i += 2 {
		own[m.Content[i]] = true
	}
	var gone []string
	for _, e := range crd.Entries(m) {
		known[e.Name] = true
		if _, stays := value[e.Name]; !stays {
			gone = append(gone, e.Name)
		} else if own[e.Key] {
			Shape(e.Value, value[e.Name])
		}
	}
	Remove(m, gone...)
	var fresh []*yaml.Node
	for _, name := range slices.Sorted(maps.Keys(value)) {
		if !known[name] {
			fresh = append(fresh, String(name), Node(value[name]))
		}
	}
	InsertSorted(m, fresh...)
}

// replacement is a node for a value in the place of another one: comments beside that stay.
func replacement(was *yaml.Node, value any) *yaml.Node {
	n := Node(value)
	n.HeadComment, n.LineComment, n.FootComment = was.HeadComment, was.LineComment, was.FootComment
	n.Anchor = was.Anchor
	return n
}

// Node is a tree for a value that JSON was decoded to, with the members of objects in the order of the alphabet.
func Node(value any) *yaml.Node {
	switch value := value.(type) {
	case map[string]any:
		m := Mapping()
		for _, name := range slices.Sorted(maps.Keys(value)) {
			m.Content = append(m.Content, String(name), Node(value[name]))
		}
		return m
	case []any:
		list := List()
		for _, item := range value {
			list.Content = append(list.Content, Node(item))
		}
		return list
	case string:
		return String(value)
	case bool:
		return Bool(value)
	case int64:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagInt, Value: strconv.FormatInt(value, 10)}
	case float64:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagFloat, Value: float(value)}
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagNull, Value: "null"}
}

// float is a number as YAML 1.1 and JSON both read it, and not as a whole one.
func float(value float64) string {
	text := strconv.FormatFloat(value, 'g', -1, 64)
	if kind, _ := yaml11.Resolve(&yaml.Node{Kind: yaml.ScalarNode, Value: text}); kind == yaml11.Float {
		return text
	}
	return text + ".0"
}
