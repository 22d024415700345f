// Package sample makes custom resources that the schema of a version accepts: around each of its fields, with each kind of
// value there, and filled at random. It makes those as well that the schema rejects for one reason each.
//
// Read sample.go first: what is made. value.go and text.go make values for a part of a schema, and vary.go others of the
// same type; whether an object is valid is asked of package request. mend.go changes one that is not, until it is; hint.go
// knows what rules mention.
package sample

import (
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"sync"

	"github.com/crdlift/crdlift/internal/request"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// A Sample is a custom resource that is made to show something about one node of a schema.
type Sample struct {
	Node   Path
	About  string // what stands there: "as it is", "absent", "no items", ...
	Object request.Object
	Valid  bool // the version accepts it
}

// A Generator makes custom resources from the schema of one version. What it makes depends on the seed, the schema and the
// node only, not on what was made before.
type Generator struct {
	seed    uint64
	version *request.Version
	kind    schema.GroupVersionKind
	root    Schemas
	hints   func() hints

	once  sync.Once
	least request.Object // the smallest valid one; nil when there is none
}

// New prepares to make objects for a version of the server. Nodes that the schema does not mention can be asked for as
// well; they count as untyped.
func New(server *request.Server, version string, seed uint64) *Generator {
	v := server.Version(version)
	g := &Generator{seed: seed, version: v, kind: v.GroupVersionKind(), root: SchemasOf(v)}
	g.hints = sync.OnceValue(func() hints { return hintsOf(g.root) })
	return g
}

// Valid reports whether a version accepts an object when it is created and, if status is a subresource, when its status is
// written.
func Valid(v *request.Version, o request.Object) bool {
	return len(refusals(v, o)) == 0 && v.Err() == nil
}

func refusals(v *request.Version, o request.Object) []request.Cause {
	admitted := v.Admit(o)
	if !admitted.Accepted() && len(admitted.Causes) == 0 {
		return []request.Cause{{Rule: -1}} // the CRD cannot be served
	}
	return admitted.Causes
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
	walk(nil, g.root, func(at Path, _ Schemas) { add(at) })
	for _, at := range also {
		add(at)
	}
	return nodes
}

// attempts is how often an object around a node is tried to be made.
const attempts = 6

// At is the smallest valid object with a value at a node that was found, or false.
func (g *Generator) At(at Path) (request.Object, bool) {
	if len(at) == 0 {
		g.once.Do(func() { g.least = g.find(at, attempts, mendingSmall) })
		return runtime.DeepCopyJSON(g.least), g.least != nil
	}
	found := g.find(at, attempts, mendingSmall)
	return found, found != nil
}

func (g *Generator) find(at Path, attempts, tries int) request.Object {
	for attempt := range attempts {
		m := g.maker(at, attempt)
		object := g.build(m, at, nil)
		Put(object, at, m.value(g.Schemas(at), at))
		if len(at) == 0 { // some schemas require the apiVersion and kind, so that a value for the root has others
			g.Name(object)
		}
		if Valid(g.version, object) {
			return object
		}
		if base, ok := g.whatIsNeeded(at, attempt); ok {
			complete(object, base)
		}
		if g.mend(m, object, at, tries) {
			return object
		}
	}
	return nil
}

// whatIsNeeded is a valid object to go by, for attempts that can.
func (g *Generator) whatIsNeeded(at Path, attempt int) (request.Object, bool) {
	if len(at) == 0 || attempt%2 == 1 {
		return nil, false
	}
	return g.At(nil)
}

func complete(object, other map[string]any) {
	for name, value := range other {
		mine, found := object[name]
		if !found || name == "metadata" {
			object[name] = runtime.DeepCopyJSONValue(value)
			continue
		}
		if mine, ok := mine.(map[string]any); ok {
			if value, ok := value.(map[string]any); ok {
				complete(mine, value)
			}
		}
	}
}

// maker makes the values of an attempt: the first takes what comes first.
func (g *Generator) maker(at Path, attempt int) maker {
	m := maker{full: attempt == 4, number: new(int), hints: g.hints}
	if attempt > 0 {
		m.random = g.random(at, attempt)
	}
	return m
}

func (g *Generator) random(at Path, nth int) *rand.Rand {
	hash := fnv.New64a()
	hash.Write([]byte(at.String()))
	return rand.New(rand.NewPCG(g.seed+uint64(nth)<<32, hash.Sum64()))
}

// Value is a value for a node, which may not be valid there: as little as the schema asks for, or at random most of it.
func (g *Generator) Value(at Path, full bool) any {
	m := g.maker(at, 0)
	if m.full = full; full {
		m.random = g.random(at, 1)
	}
	return m.value(g.Schemas(at), at)
}

// Forced is an object with a value at a node, whether that is valid or not.
func (g *Generator) Forced(at Path, value any) request.Object {
	return g.build(g.maker(at, 0), at, value)
}

// Schemas are what the schema says about a node.
func (g *Generator) Schemas(at Path) Schemas {
	node := g.root
	for _, step := range at {
		node = node.Child(step)
	}
	return node
}

func (g *Generator) build(m maker, at Path, value any) request.Object {
	object, ok := g.around(m, g.root, nil, at, value).(map[string]any)
	if !ok || len(at) == 0 {
		object = g.object(m)
		members, _ := value.(map[string]any)
		maps.Copy(object, members)
	}
	g.Name(object)
	return object
}

// object is one of the schema; without members where the schema does not have an object.
func (g *Generator) object(m maker) request.Object {
	if object, ok := m.value(g.root, nil).(map[string]any); ok {
		return object
	}
	return request.Object{}
}

// Name makes the object one of the CRD's.
func (g *Generator) Name(object request.Object) {
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

// around makes what stands around a value, from the node at done on.
func (g *Generator) around(m maker, node Schemas, done, at Path, value any) any {
	if len(done) == len(at) {
		return value
	}
	step := at[len(done)]
	s := m.shape(node, step.Name)
	below := s.properties[step.Name]
	switch step.Kind {
	case Items:
		below = s.items
	case Values:
		below = s.values
	}
	if len(below) == 0 {
		below = node.Child(step)
	}
	inner := g.around(m, below, at[:len(done)+1], at, value)

	if step.Kind == Items {
		list, ok := m.fill(s, done).([]any)
		if !ok || len(list) == 0 {
			list = make([]any, 1)
		}
		list[0] = inner
		return list
	}
	object, ok := m.fill(s, done).(map[string]any)
	if !ok {
		object = m.object(s, done)
	}
	object[keyOf(step)] = inner
	return object
}

func keyOf(step Step) string {
	if step.Kind == Values {
		return "key"
	}
	return step.Name
}

// Get is the value at a path of an object that was made around it.
func Get(object request.Object, at Path) (any, bool) {
	return Concrete(at).In(object)
}

// Concrete is where the value of a node is in an object that was made around it.
func Concrete(at Path) request.Path {
	path := make(request.Path, len(at))
	for i, step := range at {
		path[i] = request.Key(keyOf(step))
		if step.Kind == Items {
			path[i] = request.Index(0)
		}
	}
	return path
}

// Put replaces the value at a path; at the root, members are added to the object's own.
func Put(object request.Object, at Path, value any) {
	if len(at) == 0 {
		members, _ := value.(map[string]any)
		maps.Copy(object, members)
		return
	}
	Concrete(at).Set(object, value)
}

// With makes objects that have the given values at one node, and around it as little as makes them valid.
func (g *Generator) With(at Path, values []any) (samples []Sample) {
	base, ok := g.At(at)
	if !ok || len(at) == 0 {
		return nil
	}
	for _, v := range values {
		object := runtime.DeepCopyJSON(base)
		Put(object, at, runtime.DeepCopyJSONValue(v))
		samples = append(samples, Sample{Node: at, About: "given", Object: object})
	}
	return samples
}

// Whole is the nth object that is filled at random. It may not be valid.
func (g *Generator) Whole(n int) request.Object {
	object := g.object(g.whole(n))
	g.Name(object)
	return object
}

func (g *Generator) whole(n int) maker {
	m := maker{random: rand.New(rand.NewPCG(g.seed, uint64(n))), full: true, number: new(int), hints: g.hints}
	m.turns = &turns{seed: g.seed, nth: n, seen: map[string]int{}, room: 120}
	return m
}

// Filled are up to n valid objects that are filled at random, and corrected.
func (g *Generator) Filled(n int) (all []request.Object) {
	for i := range n {
		if object := g.Mended(i); object != nil {
			all = append(all, object)
		}
	}
	return all
}

// Mended is the nth object that is filled at random, with metadata as users and controllers write it. What is not valid at first is
// corrected; nil where that fails.
func (g *Generator) Mended(n int) request.Object {
	object := g.Whole(n)
	decorate(object, n)
	g.calm(g.whole(n), object)
	if !g.mend(g.whole(n), object, nil, mendingWhole) {
		return nil
	}
	return object
}

// decorate gives an object the metadata that the server leaves to users and controllers.
func decorate(object request.Object, n int) {
	metadata, ok := object["metadata"].(map[string]any)
	if !ok {
		return
	}
	add := func(name string, value any) {
		if _, found := metadata[name]; !found {
			metadata[name] = value
		}
	}
	add("labels", map[string]any{"app": "sample", "example.com/part-of.1": "Number-" + string(rune('A'+n%26)), "example.com/role": ""})
	if n%2 == 0 {
		add("annotations", map[string]any{"example.com/note": " a <b> & \u2028 c\n", "empty": ""})
	}
	if n%3 == 0 {
		add("finalizers", []any{"example.com/protect"})
	}
	if n%5 == 0 {
		add("ownerReferences", []any{map[string]any{
			"apiVersion": "v1", "kind": "ConfigMap", "name": "owner", "uid": "6d5c1b0a-0000-4000-8000-000000000002", "controller": true,
		}})
	}
}
