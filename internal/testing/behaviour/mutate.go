package behaviour

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/testing/mutants"
)

// Mutate changes one thing in an object, in place, and says what: a value somewhere in it, or its metadata.
func Mutate(random *rand.Rand, object map[string]any) string {
	if random.IntN(4) == 0 {
		return mutateMetadata(random, object)
	}
	all := slices.DeleteFunc(mutants.Places(object), func(p mutants.Place) bool { return p.Top() == "metadata" })
	if len(all) == 0 {
		return mutateMetadata(random, object)
	}
	return mutate(random, all[random.IntN(len(all))])
}

func mutate(random *rand.Rand, p mutants.Place) string {
	switch kind := random.IntN(8); kind {
	case 0:
		p.Set(nil)
		return "null"
	case 1:
		if p.Delete() {
			return "missing"
		}
	case 2:
		if members := p.Members(); members != nil {
			members[[]string{Unknown, Unknown + ".dotted", Unknown + "[0]", ""}[random.IntN(4)]] = []any{nil, "text", map[string]any{"a": nil}}[random.IntN(3)]
			return "unknown field"
		}
	case 3:
		wrong := []any{"text", "", int64(1), int64(-1), int64(1) << 40, 1.5, true, map[string]any{}, []any{}, []any{map[string]any{"a": int64(1)}}}
		p.Set(wrong[random.IntN(len(wrong))])
		return "another value"
	}
	switch value := p.Get().(type) {
	case string:
		texts := []string{"", strings.Repeat("long ", 60), value + "!", "2020-13-01", "10.0.0.256", "Ü"}
		p.Set(texts[random.IntN(len(texts))])
		return "another text"
	case int64:
		numbers := []int64{value + 1, value - 1, -value, 1 << 31, -1 << 33, value * 10}
		p.Set(numbers[random.IntN(len(numbers))])
		return "another number"
	case float64:
		p.Set(-value * 3)
		return "another number"
	case bool:
		p.Set(!value)
		return "the opposite"
	case []any:
		if len(value) > 0 {
			more := append([]any{}, value...)
			for range 1 + random.IntN(3) {
				more = append(more, value[random.IntN(len(value))])
			}
			p.Set(more)
			return "items again"
		}
	case map[string]any:
		if len(value) > 0 {
			delete(value, sorted(value)[random.IntN(len(value))])
			return "less"
		}
	}
	return "as it was"
}

// mutateMetadata changes something that is not the schema's.
func mutateMetadata(random *rand.Rand, object map[string]any) string {
	metadata, ok := object["metadata"].(map[string]any)
	if !ok {
		object["metadata"] = map[string]any{"name": "sample"}
		return "metadata"
	}
	owner := map[string]any{"apiVersion": "v1", "kind": "Pod", "name": "a", "uid": "b", "controller": true}
	members := []struct {
		name  string
		value any
	}{
		{"labels", map[string]any{"a": "b"}}, {"labels", map[string]any{"a.b/c": "d", "-": "e", "f": "g h", "i/j/k": "l m"}}, {"labels", map[string]any{"a": int64(1)}},
		{"annotations", map[string]any{"a b": "c", "D/e": "f"}}, {"annotations", map[string]any{"a": strings.Repeat("a", 262144)}},
		{"finalizers", []any{"a", "b.example.com", "c.example.com/d"}}, {"finalizers", []any{"a b", "c.example.com/d", "a b"}},
		{"finalizers", []any{"foregroundDeletion", "orphan"}}, {"finalizers", "a"},
		{"ownerReferences", []any{owner}}, {"ownerReferences", []any{owner, owner}}, {"ownerReferences", []any{map[string]any{"kind": "Pod", Unknown: int64(1)}}},
		{"ownerReferences", []any{map[string]any{"apiVersion": "v1", "kind": "Event", "name": "a", "uid": "b"}}},
		{"name", "A"}, {"name", ""}, {"name", nil}, {"name", "a/b"}, {"name", strings.Repeat("a", 254)}, {"name", "a_b"}, {"namespace", "other"}, {"namespace", "A b"},
		{"generateName", "a-"}, {"generateName", "A_"}, {"generation", int64(-1)}, {"generation", int64(7)}, {"uid", "a"}, {"creationTimestamp", "2020-01-01T00:00:00Z"},
		{"creationTimestamp", nil}, {"creationTimestamp", "today"}, {"deletionTimestamp", "2020-01-01T00:00:00Z"}, {"deletionGracePeriodSeconds", int64(1)},
		{"selfLink", "/a"}, {Unknown, "text"}, {"labels", nil}, {"labels", map[string]any{}}, {"clusterName", "a"},
		{"managedFields", []any{map[string]any{"manager": "a", "operation": "Update", "fieldsType": "FieldsV1", "fieldsV1": map[string]any{"f:a": map[string]any{}}}}},
	}
	m := members[random.IntN(len(members))]
	if m.name == "name" && random.IntN(2) == 0 {
		delete(metadata, "name")
		m.name, m.value = "generateName", "a-"
	}
	metadata[m.name] = m.value
	return "metadata " + m.name
}
