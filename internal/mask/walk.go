package mask

import (
	"maps"
	"slices"
)

// walk visits the scalars of a value and the names of entries that are data, in an order that is always the same.
func (p place) walk(value any, name func(string), scalar func(place, any)) {
	switch value := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			below, declared := p.entry(value, key)
			if !declared && p.isMap() || p.isClosed() {
				name(key)
			}
			below.walk(value[key], name, scalar)
		}
	case []any:
		for _, item := range value {
			p.item().walk(item, name, scalar)
		}
	default:
		scalar(p, value)
	}
}

// entry is the place of an entry of a mapping: what the other entries say of it counts as well.
func (p place) entry(m map[string]any, key string) (below place, declared bool) {
	below, declared = p.member(key)
	below.secret = below.secret || p.kind != aMetadata && saysSecret(func(name string) string { text, _ := m[name].(string); return text }, key)
	return below, declared
}

// saysSecret reports whether a mapping says that its entry of a name is secret: the data of a Secret, or the value of a pair
// whose name is that of something secret, as in a container's environment.
func saysSecret(text func(name string) string, key string) bool {
	switch key {
	case "data", "stringData":
		return text("kind") == "Secret"
	case "value":
		return isSecret(text("name")) || isSecret(text("key"))
	}
	return false
}
