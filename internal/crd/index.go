package crd

import (
	"strconv"
	"sync"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// An Index finds entries of mappings as Lookup does, and remembers what large ones hold: whoever asks for each of ten
// thousand properties must not read ten thousand of them every time. The trees that it was asked about must not change.
// A nil Index remembers nothing. Several goroutines may ask.
type Index struct {
	mu    sync.Mutex
	large map[*yaml.Node]map[string]Entry
}

// largeMapping is how many entries make it worth while to remember them.
const largeMapping = 64

func (x *Index) lookup(n *yaml.Node, key string) (k, v *yaml.Node) {
	n = Deref(n)
	if x == nil || n == nil || n.Kind != yaml.MappingNode || len(n.Content) < 2*largeMapping {
		return Lookup(n, key)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	held, known := x.large[n]
	if !known {
		held = map[string]Entry{}
		for _, e := range Entries(n) {
			held[e.Name] = e
		}
		if x.large == nil {
			x.large = map[*yaml.Node]map[string]Entry{}
		}
		x.large[n] = held
	}
	e := held[key]
	return e.Key, e.Value
}

// below is the node that a step leads to: an item of a list, or the value of an entry; nil where there is none.
func (x *Index) below(n *yaml.Node, step string) *yaml.Node {
	if n = Deref(n); n != nil && n.Kind == yaml.SequenceNode {
		if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(n.Content) {
			return n.Content[i]
		}
		return nil
	}
	_, v := x.lookup(n, step)
	return v
}
