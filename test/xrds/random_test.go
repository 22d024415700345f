package xrds

import (
	"math/rand/v2"
	"testing"

	"github.com/crdlift/crdlift/internal/testing/corpus"
)

// TestRandom has the CRDs of random XRDs be those that Crossplane makes, and what is lost on the way told.
func TestRandom(t *testing.T) {
	t.Parallel()
	seed, n := corpus.Seed(t), 300
	if testing.Short() {
		n = 100
	}
	refused, wrong := 0, 0
	for i := range n {
		src := random(t, seed, uint64(i))
		if byCrossplane(t, objectOf(t, src)).err != nil {
			refused++
		}
		if differ := compare(t, src) + compareLost(t, src); differ != "" {
			src = smallest(t, src)
			t.Errorf("CRDLIFT_SEED=%d, XRD %d:\n%s\n%s", seed, i, src, compare(t, src)+compareLost(t, src))
			if wrong++; wrong == 10 {
				t.FailNow()
			}
		}
	}
	t.Logf("%d XRDs, of which %d are rejected", n, refused)
	if refused > n/2 {
		t.Error("most are rejected; these compare no CRDs")
	}
}

// FuzzEqual looks for an XRD of the generator whose CRDs are not Crossplane's.
func FuzzEqual(f *testing.F) {
	f.Add(uint64(1), uint64(1))
	f.Fuzz(func(t *testing.T, seed, i uint64) {
		src := random(t, seed, i)
		if differ := compare(t, src) + compareLost(t, src); differ != "" {
			t.Errorf("%s\n%s", src, differ)
		}
	})
}

func random(t testing.TB, seed, i uint64) []byte {
	t.Helper()
	return asYAML(t, (&generator{rand.New(rand.NewPCG(seed, i))}).xrd())
}

type object = map[string]any

// A generator makes XRDs: most are accepted, and each has some of what an XRD may have.
type generator struct{ *rand.Rand }

// one in n times.
func (g *generator) one(in int) bool { return g.IntN(in) == 0 }

func pick[T any](g *generator, of ...T) T { return of[g.IntN(len(of))] }

// maybe puts a value into an object, in one of n cases.
func (g *generator) maybe(in object, key string, n int, value func() any) {
	if g.one(n) {
		in[key] = value()
	}
}

func (g *generator) xrd() object {
	version := pick(g, "v1", "v1", "v2")
	spec := object{"group": "example.org", "names": g.names("XThing", "xthings")}
	legacy := version == "v1"
	if g.one(3) {
		scopes := []string{"Namespaced", "Cluster"}
		if version == "v1" {
			scopes = append(scopes, "LegacyCluster")
		}
		scope := pick(g, scopes...)
		spec["scope"], legacy = scope, scope == "LegacyCluster"
	}
	if legacy && g.one(2) || g.one(40) {
		spec["claimNames"] = g.names("Thing", "things")
	}
	if legacy || g.one(40) {
		g.maybe(spec, "connectionSecretKeys", 4, func() any { return []any{"a", "b"} })
	}
	g.maybe(spec, "defaultCompositeDeletePolicy", 3, func() any { return pick(g, "Background", "Foreground") })
	g.maybe(spec, "defaultCompositionUpdatePolicy", 3, func() any { return pick(g, "Automatic", "Manual") })
	g.maybe(spec, "defaultCompositionRef", 5, func() any { return object{"name": "a"} })
	g.maybe(spec, "enforcedCompositionRef", 5, func() any { return object{"name": "b"} })
	g.maybe(spec, "metadata", 3, func() any {
		in := object{}
		g.maybe(in, "labels", 2, g.labels)
		g.maybe(in, "annotations", 2, g.labels)
		return in
	})
	g.maybe(spec, "conversion", 6, func() any {
		if version == "v2" && g.one(2) {
			return object{"strategy": "None"}
		}
		return object{"strategy": "Webhook", "webhook": object{"conversionReviewVersions": []any{"v1"}, "clientConfig": object{"url": "https://a/b"}}}
	})
	names := []string{"v1", "v1beta1", "v1alpha1"}[:1+g.IntN(3)]
	storage, versions := g.IntN(len(names)), []any{}
	for i, name := range names {
		versions = append(versions, g.version(name, i == storage))
	}
	spec["versions"] = versions
	metadata := object{"name": "xthings.example.org"}
	g.maybe(metadata, "labels", 3, g.labels)
	g.maybe(metadata, "annotations", 5, g.labels)
	return object{"apiVersion": "apiextensions.crossplane.io/" + version, "kind": "CompositeResourceDefinition", "metadata": metadata, "spec": spec}
}

func (g *generator) labels() any {
	return object{pick(g, "a", "b"): pick(g, "1", "2"), pick(g, "c", "a"): ""}
}

func (g *generator) names(kind, plural string) object {
	names := object{"kind": kind, "plural": plural}
	g.maybe(names, "singular", 3, func() any { return pick(g, "xthing", "thing") })
	g.maybe(names, "listKind", 3, func() any { return pick(g, "XThingList", "ThingList") })
	g.maybe(names, "shortNames", 4, func() any { return []any{"t"} })
	g.maybe(names, "categories", 4, func() any { return []any{pick(g, "all", "composite", "claim")} })
	return names
}

func (g *generator) version(name string, storage bool) object {
	v := object{"name": name, "served": storage || g.one(2), "referenceable": storage}
	g.maybe(v, "deprecated", 3, func() any { return g.one(2) })
	g.maybe(v, "deprecationWarning", 4, func() any { return "go" })
	g.maybe(v, "additionalPrinterColumns", 3, func() any {
		return []any{object{"name": pick(g, "A", "SYNCED"), "type": "string", "jsonPath": ".spec.a", "priority": g.IntN(2)}}
	})
	g.maybe(v, "subresources", 4, func() any {
		return pick(g, object{}, object{"scale": object{"specReplicasPath": ".spec.a", "statusReplicasPath": ".status.a"}})
	})
	if !g.one(60) {
		v["schema"] = object{"openAPIV3Schema": g.root()}
	}
	return v
}

// root is a schema of an XRD. Where Crossplane takes some keywords only, each has any of them.
func (g *generator) root() object {
	root := g.schema(0)
	properties := object{}
	g.maybe(properties, "metadata", 2, func() any {
		metadata := g.schema(0)
		g.maybe(metadata, "properties", 2, func() any {
			in := object{}
			g.maybe(in, "name", 2, func() any { return g.schema(0) })
			g.maybe(in, "labels", 4, func() any { return g.schema(0) })
			return in
		})
		return metadata
	})
	for _, part := range []string{"spec", "status"} {
		if g.one(8) {
			continue
		}
		in := g.schema(1)
		in["properties"] = g.properties(2, "a", "b", "claimRef", "compositionRef", "compositionSelector", "compositionUpdatePolicy", "crossplane",
			"compositeDeletePolicy", "resourceRef", "resourceRefs", "writeConnectionSecretToRef", "conditions", "connectionDetails",
			"claimConditionTypes", "compositionRevisionRef", "compositionRevisionSelector")
		properties[part] = in
	}
	g.maybe(properties, pick(g, "data", "kind", "apiVersion"), 4, func() any { return g.schema(0) })
	root["properties"] = properties
	return root
}

func (g *generator) properties(depth int, names ...string) object {
	in := object{}
	for range g.IntN(4) {
		in[pick(g, names...)] = g.schema(depth)
	}
	return in
}

// schema is one with up to five keywords, each in one of its forms; what is in it is as deep as that.
func (g *generator) schema(depth int) object {
	deeper := func() any {
		if depth == 0 {
			return object{"type": "string"}
		}
		return g.schema(depth - 1)
	}
	number := func() any { return pick[any](g, 0, 1, 63, 100, 2.5, 1e12) }
	count := func() any { return pick[any](g, 0, 1, 20, 63, 100) }
	flag := func() any { return g.one(2) }
	word := func() any { return pick[any](g, "a", "", "yes", "1") }
	value := func() any {
		return pick[any](g, "a", 1, 1.5, true, object{"a": object{"b": nil}}, []any{1, "b"}, nil, object{})
	}
	list := func(of func() any) func() any {
		return func() any {
			all := []any{}
			for range g.IntN(3) {
				all = append(all, of())
			}
			return all
		}
	}
	keywords := []struct {
		name string
		make func() any
	}{
		{"type", func() any { return pick(g, "object", "string", "array", "integer") }}, {"type", func() any { return "object" }},
		{"description", word}, {"title", word}, {"format", word}, {"pattern", word}, {"maximum", number}, {"minimum", number},
		{"exclusiveMaximum", flag}, {"exclusiveMinimum", flag}, {"maxLength", count}, {"minLength", count}, {"maxItems", count}, {"minItems", count},
		{"uniqueItems", flag}, {"multipleOf", number}, {"maxProperties", count}, {"minProperties", count}, {"nullable", flag},
		{"default", value}, {"example", value}, {"enum", list(value)}, {"required", list(word)}, {"items", deeper},
		{"not", deeper}, {"allOf", list(deeper)}, {"anyOf", list(deeper)}, {"oneOf", list(deeper)}, {"oneOf", list(deeper)},
		{"additionalProperties", func() any { return pick(g, any(true), false, deeper()) }},
		{"properties", func() any { return g.properties(max(depth-1, 0), "a", "b", "name") }}, {"externalDocs", func() any { return object{"url": "a"} }},
		{"x-kubernetes-preserve-unknown-fields", func() any { return true }}, {"x-kubernetes-int-or-string", flag},
		{"x-kubernetes-embedded-resource", flag}, {"x-kubernetes-list-type", func() any { return pick(g, "map", "set", "atomic") }},
		{"x-kubernetes-list-map-keys", list(word)}, {"x-kubernetes-map-type", func() any { return pick(g, "granular", "atomic") }},
		{"x-kubernetes-validations", list(func() any {
			rule := object{"rule": "true"}
			g.maybe(rule, "message", 2, word)
			g.maybe(rule, "reason", 4, func() any { return "FieldValueInvalid" })
			g.maybe(rule, "optionalOldSelf", 4, flag)
			return rule
		})},
	}
	in := object{}
	for range g.IntN(6) {
		keyword := keywords[g.IntN(len(keywords))]
		in[keyword.name] = keyword.make()
		if g.one(80) {
			in[keyword.name] = pick[any](g, nil, "wrong", 1)
		}
	}
	return in
}
