package behaviour

import (
	"hash/fnv"
	"maps"
	"math/rand/v2"

	"github.com/crdlift/crdlift/internal/request"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// A Sample is a custom resource made to show something about one node of a schema.
type Sample struct {
	Node   Path
	About  string // what stands there: "valid", "null", "unknown object", ...
	Object map[string]any
}

// A Generator makes custom resources from the schema of one version. Everything it makes depends on the seed, the
// schema and the order of calls only.
type Generator struct {
	seed   uint64
	kind   schema.GroupVersionKind
	root   schemas
	accept func(at Path, object map[string]any) bool
}

// NewGenerator prepares to make objects for a version of the server. Nodes that the schema does not mention can be
// asked for as well; they count as untyped.
func NewGenerator(server *request.Server, version string, seed uint64) *Generator {
	g := &Generator{seed: seed, kind: server.Version(version).GroupVersionKind(), root: schemasOf(server.Version(version))}
	g.accept = func(at Path, object map[string]any) bool { return Show(server.Version(version), at, object).Accepted() }
	return g
}

// Nodes are the paths of all nodes of the schema and of the given further ones, in a fixed order. The root's apiVersion
// and kind are left out: an object with other values there is not the CRD's.
func (g *Generator) Nodes(also ...Path) []Path {
	seen := map[string]bool{"apiVersion": true, "kind": true}
	var nodes []Path
	add := func(at Path) {
		if !seen[at.String()] {
			seen[at.String()] = true
			nodes = append(nodes, at)
		}
	}
	walk(nil, g.root, func(at Path, _ schemas) { add(at) })
	for _, at := range also {
		add(at)
	}
	return nodes
}

// Node makes every object that shows something about one node. Around the node stands as little as makes the object
// valid; reached reports whether a valid object with a value at the node was found.
func (g *Generator) Node(at Path) (samples []Sample, reached bool) {
	m, base := g.base(at)
	reached = base != nil
	if !reached {
		m = maker{}
	}
	node := g.at(at)
	value, _ := get(base, at)
	if !reached {
		value = m.value(node, len(at))
	}
	for _, p := range g.probes(m, at, node, value) {
		object := base
		if !reached {
			object = g.build(m, at, p.value)
		} else {
			object = runtime.DeepCopyJSON(base)
			put(object, at, runtime.DeepCopyJSONValue(p.value))
		}
		samples = append(samples, Sample{Node: at, About: p.about, Object: object})
	}
	return samples, reached
}

// base is a valid object with a value at the path. It must not depend on which other nodes were asked for before.
func (g *Generator) base(at Path) (maker, map[string]any) {
	hash := fnv.New64a()
	hash.Write([]byte(at.String()))
	random := rand.New(rand.NewPCG(g.seed, hash.Sum64()))
	for attempt := range 10 {
		m := maker{full: attempt == 5 || attempt == 9}
		if attempt > 0 {
			m.random = random
		}
		object := g.build(m, at, nil)
		value := m.value(g.at(at), len(at))
		if len(at) > 0 {
			put(object, at, value)
		}
		if g.accept(at, object) {
			return m, object
		}
	}
	return maker{}, nil
}

// at is what the schema says about the node.
func (g *Generator) at(path Path) schemas {
	node := g.root
	for _, step := range path {
		node = node.child(step)
	}
	return node
}

// build makes an object with the value at the path.
func (g *Generator) build(m maker, at Path, value any) map[string]any {
	object, ok := g.around(m, g.root, at, value).(map[string]any)
	if !ok || len(at) == 0 {
		object, ok = m.value(g.root, 0).(map[string]any)
		if !ok {
			object = map[string]any{}
		}
		members, _ := value.(map[string]any)
		maps.Copy(object, members)
	}
	g.name(object)
	return object
}

// name makes the object one of the CRD's.
func (g *Generator) name(object map[string]any) {
	object["apiVersion"] = g.kind.GroupVersion().String()
	object["kind"] = g.kind.Kind
	metadata, ok := object["metadata"].(map[string]any)
	if !ok {
		if _, ok := object["metadata"]; ok {
			return
		}
		metadata = map[string]any{}
		object["metadata"] = metadata
	}
	if _, ok := metadata["name"].(string); !ok {
		metadata["name"] = "sample"
	}
}

func (g *Generator) around(m maker, node schemas, at Path, value any) any {
	if len(at) == 0 {
		return value
	}
	step := at[0]
	s := m.shape(node, step.Name)
	below := s.properties[step.Name]
	switch step.Kind {
	case Items:
		below = s.items
	case Values:
		below = s.values
	}
	if len(below) == 0 {
		below = node.child(step)
	}
	inner := g.around(m, below, at[1:], value)

	if step.Kind == Items {
		list, ok := m.fill(s, 0).([]any)
		if !ok || len(list) == 0 {
			list = make([]any, 1)
		}
		list[0] = inner
		return list
	}
	object, ok := m.fill(s, 0).(map[string]any)
	if !ok {
		object = m.object(s, 0)
	}
	object[key(step)] = inner
	return object
}

// key is the member that a step leads to.
func key(step Step) string {
	if step.Kind == Values {
		return "key"
	}
	return step.Name
}

// get is the value at a path as around builds it.
func get(object map[string]any, at Path) (any, bool) {
	var value any = object
	for _, step := range at {
		switch container := value.(type) {
		case map[string]any:
			member, ok := container[key(step)]
			if !ok {
				return nil, false
			}
			value = member
		case []any:
			if len(container) == 0 {
				return nil, false
			}
			value = container[0]
		default:
			return nil, false
		}
	}
	return value, true
}

// put replaces the value at a path; at the root, members are added to the object's own.
func put(object map[string]any, at Path, value any) {
	if len(at) == 0 {
		members, _ := value.(map[string]any)
		maps.Copy(object, members)
		return
	}
	container, _ := get(object, at[:len(at)-1])
	switch container := container.(type) {
	case map[string]any:
		container[key(at[len(at)-1])] = value
	case []any:
		container[0] = value
	}
}

// Whole makes objects that are filled at random, with unknown fields, nulls and wrong values strewn in at every level.
func (g *Generator) Whole(n int) []Sample {
	random := rand.New(rand.NewPCG(g.seed, uint64(n)))
	var samples []Sample
	for i := range n {
		m := maker{random: random, full: true}
		object, ok := m.value(g.root, 0).(map[string]any)
		if !ok {
			object = map[string]any{}
		}
		about := []string{"whole, unknown fields", "whole, nulls", "whole, wrong values", "whole"}[i%4]
		g.strew(random, object, i%4)
		g.name(object)
		samples = append(samples, Sample{About: about, Object: object})
	}
	return samples
}

// strew puts unknown fields (0), nulls as well (1) or wrong values as well (2) into a value, in place.
func (g *Generator) strew(random *rand.Rand, value any, what int) {
	switch value := value.(type) {
	case map[string]any:
		for _, name := range sorted(value) {
			g.strew(random, value[name], what)
			if what == 1 && random.IntN(12) == 0 {
				value[name] = nil
			}
			if what == 2 && random.IntN(25) == 0 {
				value[name] = []any{"text", int64(1), map[string]any{"a": map[string]any{}}, []any{}}[random.IntN(4)]
			}
		}
		if what < 3 && random.IntN(2) == 0 {
			all := unknowns()
			names := sorted(all)
			name := names[random.IntN(len(names))]
			value[name] = all[name]
		}
	case []any:
		for i := range value {
			g.strew(random, value[i], what)
		}
	}
}

// With makes objects that have the given values at one node, and around it as little as makes them valid.
func (g *Generator) With(at Path, values []any) (samples []Sample) {
	_, base := g.base(at)
	if base == nil || len(at) == 0 {
		return nil
	}
	for _, v := range values {
		object := runtime.DeepCopyJSON(base)
		put(object, at, runtime.DeepCopyJSONValue(v))
		samples = append(samples, Sample{Node: at, About: "given", Object: object})
	}
	return samples
}
