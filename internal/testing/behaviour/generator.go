package behaviour

import (
	"math/rand/v2"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/sample"
	"k8s.io/apimachinery/pkg/runtime"
)

// A Path leads from the root of a schema to a node.
type Path = sample.Path

// A Sample is a custom resource made to show something about one node of a schema, valid or not.
type Sample = sample.Sample

// A Generator makes custom resources from the schema of one version, of which many are not valid. Everything it makes depends
// on the seed and the schema only.
type Generator struct {
	*sample.Generator
	seed uint64
}

// NewGenerator prepares to make objects for a version of the server.
func NewGenerator(server *request.Server, version string, seed uint64) *Generator {
	return &Generator{sample.New(server, version, seed), seed}
}

// Node makes every object that shows something about one node. Around the node stands as little as makes the object
// valid; reached reports whether a valid object with a value at the node was found.
func (g *Generator) Node(at Path) (samples []Sample, reached bool) {
	base, reached := g.At(at)
	value, _ := sample.Get(base, at)
	if !reached {
		value = g.Value(at, false)
	}
	for _, p := range g.probes(at, g.Schemas(at), value) {
		object := base
		if !reached {
			object = g.Forced(at, p.value)
		} else {
			object = runtime.DeepCopyJSON(base)
			sample.Put(object, at, runtime.DeepCopyJSONValue(p.value))
		}
		samples = append(samples, Sample{Node: at, About: p.about, Object: object})
	}
	return samples, reached
}

// Whole makes objects that are filled at random, with unknown fields, nulls and wrong values strewn in at every level.
func (g *Generator) Whole(n int) []Sample {
	random := rand.New(rand.NewPCG(g.seed, uint64(n)))
	var samples []Sample
	for i := range n {
		object := g.Generator.Whole(i)
		about := []string{"whole, unknown fields", "whole, nulls", "whole, wrong values", "whole"}[i%4]
		strew(random, object, i%4)
		g.Name(object)
		samples = append(samples, Sample{About: about, Object: object})
	}
	return samples
}

// strew puts unknown fields (0), nulls as well (1) or wrong values as well (2) into a value, in place.
func strew(random *rand.Rand, value any, what int) {
	switch value := value.(type) {
	case map[string]any:
		for _, name := range sorted(value) {
			strew(random, value[name], what)
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
			strew(random, value[i], what)
		}
	}
}
