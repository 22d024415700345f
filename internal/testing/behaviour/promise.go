package behaviour

import (
	"slices"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/sample"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
)

// Exact is the promise that nothing changes but the Differences.
func Exact() Promise { return Promise{} }

// Pruned is the promise that only the fields that the schema does not declare disappear, and that those at the root
// stay when root is true. Nodes that declare nothing keep what they hold.
func Pruned(root bool) Promise {
	return Promise{Before: func(object map[string]any, old, new *request.Version) {
		prune(object, sample.SchemasOf(old), new.Structural(), true, root)
	}}
}

// Inferred is the promise that nodes that got a type reject, or for null drop, values of other types and nothing else.
func Inferred() Promise {
	return Promise{
		Before: func(object map[string]any, old, new *request.Version) {
			besideMetadata(object, func() { defaulting.PruneNonNullableNullsWithoutDefaults(object, new.Structural()) })
			walk(object, new.Structural(), emptyOne) // a list may stand for what is a text of a format now
		},
		Tightened: func(object map[string]any, old, new *request.Version) bool {
			return mistyped(object, declared(old), new.Structural())
		},
	}
}

// Both is what remains of two promises for a conversion that does both.
func Both(a, b Promise) Promise {
	both := Promise{Loosened: a.Loosened || b.Loosened, Tightened: a.Tightened}
	if both.Tightened == nil {
		both.Tightened = b.Tightened
	}
	both.Before = func(object map[string]any, old, new *request.Version) {
		for _, p := range []Promise{a, b} {
			if p.Before != nil {
				p.Before(object, old, new)
			}
		}
	}
	return both
}

// prune removes what the schemas do not declare. A property that only a junctor mentions is declared. Nodes that have a
// mark in place of a type keep everything, as do the items of a list there; so do nodes that are marked already, and
// those with keep.
func prune(value any, node sample.Schemas, new *structuralschema.Structural, root, keep bool) {
	names := node.Names()
	node.Each(func(s *apiextensions.JSONSchemaProps) {
		more := s.AdditionalProperties // true keeps every field; under false they stay to be rejected
		keep = keep || more != nil && more.Schema == nil || s.XPreserveUnknownFields != nil && *s.XPreserveUnknownFields
	})
	keep = keep || new != nil && new.XPreserveUnknownFields && new.Type == ""
	values := node.Child(sample.Step{Kind: sample.Values})
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			switch {
			case root && (name == "apiVersion" || name == "kind" || name == "metadata"):
			case names[name]:
				prune(member, node.Child(sample.Step{Kind: sample.Property, Name: name}), memberOf(new, name), false, false)
			case len(values) > 0:
				prune(member, values, memberOf(new, name), false, false)
			case !keep && len(names) > 0:
				delete(value, name)
			}
		}
	case []any:
		for _, item := range value {
			prune(item, node.Child(sample.Step{Kind: sample.Items}), itemsOf(new), false, keep)
		}
	}
}

// mistyped reports whether somewhere in the value stands something of another type than the new schema declares and the
// old one does not.
func mistyped(value any, old, new *structuralschema.Structural) bool {
	if new == nil {
		return false
	}
	if (old == nil || old.Type == "" && !old.XIntOrString) && (new.Type != "" || new.XIntOrString) && !isA(value, new) {
		return true
	}
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			if mistyped(member, memberOf(old, name), memberOf(new, name)) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(value, func(item any) bool { return mistyped(item, itemsOf(old), new.Items) })
	}
	return false
}

func itemsOf(s *structuralschema.Structural) *structuralschema.Structural {
	if s == nil {
		return nil
	}
	return s.Items
}

func isA(value any, s *structuralschema.Structural) bool {
	switch value := value.(type) {
	case map[string]any:
		return s.Type == "object"
	case []any:
		return s.Type == "array"
	case string:
		return s.Type == "string" || s.XIntOrString
	case int64:
		return s.Type == "integer" || s.Type == "number" || s.XIntOrString
	case float64:
		return s.Type == "number" || value == float64(int64(value)) && (s.Type == "integer" || s.XIntOrString)
	case bool:
		return s.Type == "boolean"
	}
	return s.Nullable
}
