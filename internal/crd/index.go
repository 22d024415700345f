package crd

import "sigs.k8s.io/kustomize/kyaml/yaml"

// An index finds entries of mappings as Lookup does, and remembers what large ones hold: whoever asks for each of ten
// thousand properties must not read ten thousand of them every time. The trees that it was asked about must not change.
// A nil index remembers nothing.
type index map[*yaml.Node]map[string]Entry

// largeMapping is how many entries make it worth while to remember them.
const largeMapping = 64

func (x index) lookup(n *yaml.Node, key string) (k, v *yaml.Node) {
	n = Deref(n)
	if x == nil || n == nil || n.Kind != yaml.MappingNode || len(n.Content) < 2*largeMapping {
		return Lookup(n, key)
	}
	held, known := x[n]
	if !known {
		held = map[string]Entry{}
		for _, e := range Entries(n) {
			held[e.Name] = e
		}
		x[n] = held
	}
	e := held[key]
	return e.Key, e.Value
}
