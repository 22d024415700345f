package behaviour

import (
	"fmt"
	"maps"
	"reflect"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/request"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
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
	DroppedNull  = "null for a typed field that is not nullable is dropped, where it was rejected"
	EmptiedList  = "objects in a list are emptied where a text of a known format is declared"
	OtherVersion = "objects are emptied where the storage version declares no object"
)

// dropNulls is defaulting.PruneNonNullableNullsWithoutDefaults for nodes that had a type before: v1beta1 accepted null
// where there was none, and so must v1.
func dropNulls(object map[string]any, old *request.Version) {
	besideMetadata(object, func() {
		walk(object, declared(old), func(value any, s *structuralschema.Structural) bool {
			members, _ := value.(map[string]any)
			maps.DeleteFunc(members, func(name string, member any) bool {
				below := memberOf(s, name)
				return member == nil && below != nil && !below.Nullable && below.Default.Object == nil && (below.Type != "" || below.XIntOrString)
			})
			return true
		})
	})
}

// besideMetadata changes an object but for its metadata, whose fields are ObjectMeta's.
func besideMetadata(object map[string]any, change func()) {
	metadata, found := object["metadata"]
	delete(object, "metadata")
	if change(); found {
		object["metadata"] = metadata
	}
}

// walk visits the declared values in one while the visitor wants those below.
func walk(value any, s *structuralschema.Structural, visit func(value any, s *structuralschema.Structural) (further bool)) {
	if s == nil || !visit(value, s) {
		return
	}
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			walk(member, memberOf(s, name), visit)
		}
	case []any:
		for _, item := range value {
			walk(item, s.Items, visit)
		}
	}
}

// memberOf is the schema of a member, nil where none is declared.
func memberOf(s *structuralschema.Structural, name string) *structuralschema.Structural {
	if s == nil {
		return nil
	}
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
	walk(object, declared(old), emptyOne)
}

func emptyOne(value any, s *structuralschema.Structural) bool {
	list, isList := value.([]any)
	formatted := isList && s.Type == "string" && s.ValueValidation != nil && s.ValueValidation.Format != "" && s.Items == nil && !s.XPreserveUnknownFields
	if formatted {
		empty(list)
	}
	return !formatted
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

// declared is the version's schema as a tree, also where NewStructural rejects it for a keyword that says nothing about
// the tree.
func declared(v *request.Version) *structuralschema.Structural {
	if v.Structural() != nil || v.Schema == nil {
		return v.Structural()
	}
	s := v.Schema.DeepCopy()
	// $schema is the one keyword that v1beta1 takes and NewStructural does not.
	apiserver.EachSchema(s, nil, func(s *apiextensions.JSONSchemaProps, _ *field.Path) { s.Schema = "" })
	tree, err := structuralschema.NewStructural(s)
	if err != nil {
		panic(fmt.Sprintf("the v1beta1 API server takes no such schema: %v", err))
	}
	return tree
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
