package behaviour

import (
	"hash/fnv"
	"math/rand/v2"
	"strings"

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
func NewGenerator(server *Server, version string, seed uint64) *Generator {
	g := &Generator{seed: seed, kind: server.GroupVersionKind(version), root: server.Version(version).schemas()}
	g.accept = func(at Path, object map[string]any) bool { return server.Show(version, at, object).Accepted() }
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
// valid; reached says whether a valid object with a value at the node was found.
func (g *Generator) Node(at Path) (samples []Sample, reached bool) {
	// A node's objects must not depend on which other nodes were asked for before.
	hash := fnv.New64a()
	hash.Write([]byte(at.String()))
	random := rand.New(rand.NewPCG(g.seed, hash.Sum64()))

	m, base := g.base(at, random)
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

// base is a valid object with a value at the path.
func (g *Generator) base(at Path, random *rand.Rand) (maker, map[string]any) {
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
		if members, ok := value.(map[string]any); ok {
			for name := range members {
				object[name] = members[name]
			}
		}
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
		if members, ok := value.(map[string]any); ok {
			for name := range members {
				object[name] = members[name]
			}
		}
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

// Unknown is what the names of unknown fields start with.
const Unknown = "unknown"

// unknowns are what an unknown field may hold.
func unknowns() map[string]any {
	return map[string]any{
		Unknown + "Text":   "text",
		Unknown + "Null":   nil,
		Unknown + "Object": map[string]any{"a": map[string]any{"b": int64(1), "null": nil}, "list": []any{map[string]any{"c": true}}},
		Unknown + "Lists":  []any{[]any{map[string]any{"a": int64(1)}, nil}, map[string]any{"b": "c"}},
	}
}

type probe struct {
	about string
	value any
}

// probes are the values to try at a node, given a valid one.
func (g *Generator) probes(m maker, at Path, node schemas, valid any) []probe {
	object := map[string]any{"unknownA": map[string]any{"unknownB": map[string]any{"c": int64(1)}}, "unknownNull": nil}
	if len(at) == 0 {
		return g.rootProbes(m, valid)
	}
	probes := []probe{
		{"valid", valid},
		{"null", nil},
		{"empty text", ""},
		{"text", "text"},
		{"long text", "text with spaces, and longer than most things are: " + strings.Repeat("long ", 60)},
		{"integer", int64(7)},
		{"negative integer", int64(-1000000)},
		{"number", 1.5},
		{"whole number", 2.0},
		{"boolean", true},
		{"unknown object", object},
		{"list of objects", []any{object, object}},
	}
	if !node.scalar() {
		probes = append(probes, []probe{
			{"large integer", int64(1) << 40},
			{"number as text", "7"},
			{"empty object", map[string]any{}},
			{"empty list", []any{}},
			{"list of text", []any{"text", "text"}},
			{"list of lists", []any{[]any{object, "text"}, nil, []any{[]any{object}}}},
		}...)
	}
	filled := maker{random: rand.New(rand.NewPCG(g.seed, uint64(len(at)))), full: true}.value(node, 8)
	probes = append(probes, probe{"full", filled})
	for i, whole := range []any{valid, filled} {
		switch whole := whole.(type) {
		case map[string]any:
			probes = append(probes, around(whole, []string{"", "full "}[i])...)
			if i == 0 {
				for _, name := range sorted(whole) {
					less := runtime.DeepCopyJSON(whole)
					delete(less, name)
					probes = append(probes, probe{"without " + name, less})
				}
			}
		case []any:
			if len(whole) > 0 {
				first := whole[0]
				probes = append(probes, probe{"twice the same item", []any{first, first}},
					probe{"an item and null", []any{first, nil}}, probe{"an item and a list", []any{first, []any{first}}},
					probe{"an item and an object", []any{first, object}})
			}
		}
	}
	for _, s := range node {
		for i, value := range s.Enum {
			if i < 3 {
				probes = append(probes, probe{"enum value", plain(value)})
			}
		}
	}
	return probes
}

// scalar says that nothing but one scalar type is valid at the node, whatever else its schemas say.
func (node schemas) scalar() bool {
	if len(node) != 1 {
		return false
	}
	switch node[0].Type {
	case "string", "integer", "number", "boolean":
		return true
	}
	return false
}

// around are an object and unknown fields in it, alone and together.
func around(object map[string]any, about string) []probe {
	var probes []probe
	with := func(what string, members map[string]any) {
		more := runtime.DeepCopyJSON(object)
		for name := range members {
			more[name] = members[name]
		}
		probes = append(probes, probe{about + what, more})
	}
	all := unknowns()
	with("unknown fields", all)
	if about == "" {
		for _, name := range sorted(all) {
			with("one unknown field", map[string]any{name: all[name]})
		}
	}
	return probes
}

// rootProbes are members to add to a valid object.
func (g *Generator) rootProbes(m maker, valid any) []probe {
	probes := []probe{{"valid", map[string]any{}}}
	probes = append(probes, around(map[string]any{}, "")...)
	metadata := func(about string, members map[string]any) {
		members["name"] = "sample"
		probes = append(probes, probe{"metadata: " + about, map[string]any{"metadata": members}})
	}
	metadata("unknown fields", unknowns())
	metadata("null labels", map[string]any{"labels": nil})
	metadata("labels", map[string]any{"labels": map[string]any{"a": "b"}, "annotations": map[string]any{"a": "b"}})
	metadata("label of another type", map[string]any{"labels": map[string]any{"a": int64(1)}})
	metadata("label that is null", map[string]any{"labels": map[string]any{"a": nil}})
	metadata("wrong label", map[string]any{"labels": map[string]any{"-": "?"}})
	metadata("wrong namespace", map[string]any{"namespace": int64(1)})
	probes = append(probes,
		probe{"metadata: text", map[string]any{"metadata": "text"}},
		probe{"metadata: null", map[string]any{"metadata": nil}},
		probe{"metadata: long name", map[string]any{"metadata": map[string]any{"name": strings.Repeat("long-name-", 8)}}})
	if object, ok := (maker{full: true}).value(g.root, 0).(map[string]any); ok {
		delete(object, "metadata")
		probes = append(probes, probe{"full", object})
	}
	return probes
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
