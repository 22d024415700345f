package behaviour

import (
	"fmt"
	"reflect"

	"github.com/crdlift/crdlift/internal/request"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apimachinery/pkg/runtime"
)

// A Difference is a way in which a v1 CRD cannot do what the v1beta1 CRD did, whatever the conversion does. Apply
// changes an object, in place, into one that the old CRD treats as the new one treats the object.
type Difference struct {
	Name  string
	Apply func(object map[string]any, old *request.Version)
}

// Differences are all there are under the exact policy, but for OtherVersion, which is not the object's doing.
var Differences = []Difference{
	{DroppedNull, dropNulls},
	{EmptiedList, emptyFormatted},
}

// The names of the differences.
const (
	DroppedNull  = "null for a typed field that is not nullable is dropped, where it was refused"
	EmptiedList  = "objects in a list are emptied where a text of a known format is declared"
	OtherVersion = "objects are emptied where the storage version declares no object"
)

// dropNulls is defaulting.PruneNonNullableNullsWithoutDefaults for nodes that had a type before: v1beta1 accepted null
// where there was none, and so must v1.
func dropNulls(object map[string]any, old *request.Version) {
	dropNullsBelow(object, declared(old), true)
}

func dropNullsBelow(value any, s *structuralschema.Structural, root bool) {
	if s == nil {
		return
	}
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			if root && name == "metadata" {
				continue // its fields are ObjectMeta's
			}
			below := memberOf(s, name)
			if member == nil && below != nil && !below.Nullable && below.Default.Object == nil && (below.Type != "" || below.XIntOrString) {
				delete(value, name)
				continue
			}
			dropNullsBelow(member, below, false)
		}
	case []any:
		for _, item := range value {
			dropNullsBelow(item, s.Items, false)
		}
	}
}

func memberOf(s *structuralschema.Structural, name string) *structuralschema.Structural {
	if property, ok := s.Properties[name]; ok {
		return &property
	}
	if s.AdditionalProperties != nil {
		return s.AdditionalProperties.Structural
	}
	return nil
}

// emptyFormatted is what pruning does to lists that stand for texts: typeValidator.Validate returns early for them
// when the node has a format, so that they are valid.
func emptyFormatted(object map[string]any, old *request.Version) {
	emptyFormattedBelow(object, declared(old))
}

func emptyFormattedBelow(value any, s *structuralschema.Structural) {
	if s == nil {
		return
	}
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			emptyFormattedBelow(member, memberOf(s, name))
		}
	case []any:
		if s.Type == "string" && s.ValueValidation != nil && s.ValueValidation.Format != "" && s.Items == nil && !s.XPreserveUnknownFields {
			empty(value)
			return
		}
		for _, item := range value {
			emptyFormattedBelow(item, s.Items)
		}
	}
}

func empty(value any) {
	switch value := value.(type) {
	case map[string]any:
		clear(value)
	case []any:
		for _, item := range value {
			empty(item)
		}
	}
}

// declared is the version's schema as a tree, also where NewStructural refuses it for a keyword that says nothing about
// the tree.
func declared(v *request.Version) *structuralschema.Structural {
	if v.Structural() != nil || v.Schema == nil {
		return v.Structural()
	}
	s := v.Schema.DeepCopy()
	forget(s)
	tree, err := structuralschema.NewStructural(s)
	if err != nil {
		panic(fmt.Sprintf("the v1beta1 API server takes no such schema: %v", err))
	}
	return tree
}

// forget removes $schema, the one keyword that v1beta1 takes and NewStructural does not.
func forget(s *apiextensions.JSONSchemaProps) {
	s.Schema = ""
	for name, property := range s.Properties {
		forget(&property)
		s.Properties[name] = property
	}
	if s.Items != nil && s.Items.Schema != nil {
		forget(s.Items.Schema)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		forget(s.AdditionalProperties.Schema)
	}
	for _, branches := range [][]apiextensions.JSONSchemaProps{s.AllOf, s.AnyOf, s.OneOf} {
		for i := range branches {
			forget(&branches[i])
		}
	}
	if s.Not != nil {
		forget(s.Not)
	}
}

// Normal is the object with all differences applied, and the names of those that change it.
func Normal(object map[string]any, old *request.Version) (map[string]any, []string) {
	normal := runtime.DeepCopyJSON(object)
	var applied []string
	for _, d := range Differences {
		before := runtime.DeepCopyJSON(normal)
		d.Apply(normal, old)
		if !reflect.DeepEqual(before, normal) {
			applied = append(applied, d.Name)
		}
	}
	return normal, applied
}
