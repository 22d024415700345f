package crd

import (
	"strconv"
	"sync"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// An Index finds entries of mappings as Lookup does, and remembers what large ones hold: whoever asks for each of ten
// thousand properties must not read ten thousand of them every time. The trees that it was asked about must not change.
// A nil Index remembers nothing. Several goroutines may ask, but for one of trees that change.
type Index struct {
	mu    sync.Mutex
	large map[*yaml.Node]map[string]Entry
	// changing is for trees that fixes change: what is remembered of a mapping counts where it still is. Nil for others.
	changing map[*yaml.Node]*ownKeys
}

// ownKeys are the keys of a mapping that are its own and count, by their names.
type ownKeys struct {
	size int // of the mapping
	at   map[string]ownKey
}

// An ownKey is where a key was in a mapping, and its text.
type ownKey struct {
	i    int
	key  *yaml.Node
	text string
}

// inChange is lookup in a mapping that may have changed. No fix gives a key the name of another in its mapping.
func (x *Index) inChange(n *yaml.Node, key string) (k, v *yaml.Node) {
	known := x.changing[n]
	if known == nil || known.size != len(n.Content) {
		x.changing[n] = ownKeysOf(n)
		return Lookup(n, key)
	}
	if s, ok := known.at[key]; ok && n.Content[s.i] == s.key && s.key.Value == s.text {
		return s.key, n.Content[s.i+1]
	}
	return Lookup(n, key)
}

func ownKeysOf(n *yaml.Node) *ownKeys {
	found, at := &ownKeys{len(n.Content), map[string]ownKey{}}, map[*yaml.Node]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		at[n.Content[i]] = i
	}
	for _, e := range Entries(n) {
		if i, own := at[e.Key]; own {
			found.at[e.Name] = ownKey{i, e.Key, e.Key.Value}
		}
	}
	return found
}

// largeMapping is how many entries make it worth while to remember them.
const largeMapping = 64

func (x *Index) lookup(n *yaml.Node, key string) (k, v *yaml.Node) {
	n = Deref(n)
	if x == nil || n == nil || n.Kind != yaml.MappingNode || len(n.Content) < 2*largeMapping {
		return Lookup(n, key)
	}
	if x.changing != nil {
		return x.inChange(n, key)
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
