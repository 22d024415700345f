package mask

import (
	"bytes"
	"maps"
	"slices"

	"github.com/crdlift/crdlift/internal/layout"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// changed is shown in the place of a hidden value that is not the one before.
const changed = Hidden + " (changed)"

// Print shows what an object is and what becomes of it as YAML, with its entries in the order of the alphabet, and without
// what is hidden. Values that come from a default of the CRD are shown.
func (m *Mask) Print(before, after any) (was, is []byte, err error) {
	if was, err = encode(m.root().print(before, printedValue{was: before})); err != nil {
		return nil, nil, err
	}
	is, err = encode(m.root().print(after, printedValue{was: before}))
	return was, is, err
}

// A printedValue is one that is shown beside the one before.
type printedValue struct {
	was   any
	added bool // there was none
	usual any  // its default
}

// print is a node for a value.
func (p place) print(value any, beside printedValue) *yaml.Node {
	if p.schema != nil && beside.usual == nil {
		if n := p.schema.Get("default"); n != nil {
			beside.usual, _ = layout.Value(n)
		}
	}
	switch value := value.(type) {
	case map[string]any:
		if p.isClosed() {
			return layout.String(Hidden)
		}
		return p.printMapping(value, beside)
	case []any:
		if p.isClosed() {
			return layout.String(Hidden)
		}
		list := layout.List()
		was, _ := beside.was.([]any)
		usual, _ := beside.usual.([]any)
		for i, item := range value {
			list.Content = append(list.Content, p.item().print(item, printedValue{at(was, i), beside.added || i >= len(was), at(usual, i)}))
		}
		return list
	}
	isDefault := beside.added && layout.Same(value, beside.usual) && !p.secret
	switch {
	case isDefault || !p.hides(value):
		return layout.Node(value)
	case beside.added || layout.Same(value, beside.was):
		return layout.String(Hidden)
	}
	return layout.String(changed)
}

// isClosed reports whether nothing in the value is shown.
func (p place) isClosed() bool { return p.whole && (p.options.All || p.options.Secrets) }

func (p place) printMapping(value map[string]any, beside printedValue) *yaml.Node {
	m := layout.Mapping()
	was, _ := beside.was.(map[string]any)
	usual, _ := beside.usual.(map[string]any)
	for _, key := range slices.Sorted(maps.Keys(value)) {
		below, declared := p.entry(value, key)
		_, there := was[key]
		shown := layout.String(key)
		if !declared && p.isMap() && p.options.All {
			shown = layout.String(Hidden)
		}
		m.Content = append(m.Content, shown, below.print(value[key], printedValue{was[key], beside.added || !there, usual[key]}))
	}
	return m
}

// at is an item of a list; nil where there is none.
func at(list []any, i int) any {
	if i < len(list) {
		return list[i]
	}
	return nil
}

func encode(n *yaml.Node) ([]byte, error) {
	var out bytes.Buffer
	enc := yaml.NewEncoderWithOptions(&out, &yaml.EncoderOptions{SeqIndent: yaml.CompactSequenceStyle})
	if err := enc.Encode(n); err != nil {
		return nil, err
	}
	err := enc.Close()
	text := out.Bytes()
	for _, quoted := range []string{Hidden, changed} { // which YAML would take for an alias, and no reader does
		text = bytes.ReplaceAll(text, []byte(`"`+quoted+`"`), []byte(quoted))
	}
	return text, err
}
