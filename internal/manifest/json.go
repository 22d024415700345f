package manifest

import (
	"fmt"

	"github.com/crdlift/crdlift/internal/lines"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// readJSON reads the one JSON value that src starts with, by the rules of encoding/json: surrogate escapes are
// characters, which YAML does not know. It returns the offset after the value, so that a caller can read on, and the
// bytes of every node. The text after the value is not read. Nodes are as kyaml would make them of the same text:
// lines count from 1 and end at "\n", columns count code points from 1. Duplicate keys stay. An error is a
// *syntaxError.
func readJSON(src []byte) (root *yaml.Node, end int, spans map[*yaml.Node]lines.Span, err error) {
	// A node for every 16 bytes is usual in manifests.
	r := jsonReader{src: src, line: 1, column: 1, spans: make(map[*yaml.Node]lines.Span, len(src)/16)}
	if root, err = r.value(0); err != nil {
		return nil, 0, nil, err
	}
	return root, r.at, r.spans, nil
}

// readJSONValue is readJSON without the positions of nodes: their table is sized by the rest of the text, so building
// one for each of many values in a text would take quadratic time.
func readJSONValue(src []byte) (root *yaml.Node, end int, err error) {
	r := jsonReader{src: src, line: 1, column: 1}
	if root, err = r.value(0); err != nil {
		return nil, 0, err
	}
	return root, r.at, nil
}

// value reads the value after any white space, inside depth arrays and objects.
func (r *jsonReader) value(depth int) (n *yaml.Node, err error) {
	r.space()
	start := r.at
	switch c := r.peek(); {
	case c == '{' || c == '[':
		if depth == maxJSONDepth {
			return nil, r.fail(r.at, "nested deeper than %d levels", maxJSONDepth)
		}
		if c == '{' {
			n, err = r.object(depth)
		} else {
			n, err = r.array(depth)
		}
	case c == '"':
		return r.str()
	case c == '-' || '0' <= c && c <= '9':
		n, err = r.number()
	case c == 't':
		n, err = r.word("true", yaml.NodeTagBool)
	case c == 'f':
		n, err = r.word("false", yaml.NodeTagBool)
	case c == 'n':
		n, err = r.word("null", yaml.NodeTagNull)
	default:
		return nil, r.unexpected("a JSON value")
	}
	if err != nil {
		return nil, err
	}
	r.note(n, start)
	return n, nil
}

func (r *jsonReader) object(depth int) (*yaml.Node, error) {
	n := r.node(yaml.MappingNode, yaml.FlowStyle, yaml.NodeTagMap)
	r.at++
	r.space()
	if r.peek() == '}' {
		r.at++
		return n, nil
	}
	for {
		r.space()
		if r.peek() != '"' {
			return nil, r.unexpected("a key in double quotes")
		}
		key, err := r.str()
		if err != nil {
			return nil, err
		}
		if r.space(); r.peek() != ':' {
			return nil, r.unexpected("the colon behind a key")
		}
		r.at++
		value, err := r.value(depth + 1)
		if err != nil {
			return nil, err
		}
		n.Content = append(n.Content, key, value)
		switch r.space(); r.peek() {
		case ',':
			r.at++
		case '}':
			r.at++
			return n, nil
		default:
			return nil, r.unexpected("a comma or a closing brace")
		}
	}
}

func (r *jsonReader) array(depth int) (*yaml.Node, error) {
	n := r.node(yaml.SequenceNode, yaml.FlowStyle, yaml.NodeTagSeq)
	r.at++
	r.space()
	if r.peek() == ']' {
		r.at++
		return n, nil
	}
	for {
		item, err := r.value(depth + 1)
		if err != nil {
			return nil, err
		}
		n.Content = append(n.Content, item)
		switch r.space(); r.peek() {
		case ',':
			r.at++
		case ']':
			r.at++
			return n, nil
		default:
			return nil, r.unexpected("a comma or a closing bracket")
		}
	}
}

func (r *jsonReader) word(word, tag string) (*yaml.Node, error) {
	n := r.node(yaml.ScalarNode, 0, tag)
	n.Value = word
	for i := range len(word) {
		if r.peek() != word[i] {
			return nil, r.unexpected(fmt.Sprintf("%q of %s", word[i], word))
		}
		r.at++
	}
	return n, nil
}

func (r *jsonReader) number() (*yaml.Node, error) {
	n := r.node(yaml.ScalarNode, 0, yaml.NodeTagInt)
	start := r.at
	if r.peek() == '-' {
		r.at++
	}
	if r.peek() == '0' {
		r.at++ // digits after a leading zero are not part of the number
	} else if !r.digits() {
		return nil, r.unexpected("a digit")
	}
	if r.peek() == '.' {
		n.Tag = yaml.NodeTagFloat
		r.at++
		if !r.digits() {
			return nil, r.unexpected("a digit")
		}
	}
	if c := r.peek(); c == 'e' || c == 'E' {
		n.Tag = yaml.NodeTagFloat
		r.at++
		if c := r.peek(); c == '+' || c == '-' {
			r.at++
		}
		if !r.digits() {
			return nil, r.unexpected("a digit")
		}
	}
	n.Value = string(r.src[start:r.at])
	return n, nil
}

func (r *jsonReader) digits() bool {
	start := r.at
	for '0' <= r.peek() && r.peek() <= '9' {
		r.at++
	}
	return r.at > start
}
