package e2e

import (
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/crdlift/crdlift/internal/apply"
	"github.com/crdlift/crdlift/internal/testing/behaviour"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/internal/testing/mutants"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/kube-openapi/pkg/spec3"
	smdschema "sigs.k8s.io/structured-merge-diff/v6/schema"
)

// everyPlace is a CRD with a schema of each kind at each kind of place: embedded resources, what is open and what is closed, and lists
// and maps of each type.
const everyPlace = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: crates.example.org}
spec:
  group: example.org
  scope: Namespaced
  names: {plural: crates, singular: crate, kind: Crate, listKind: CrateList}
  versions:
  - {name: v1, served: true, storage: true, subresources: {status: {}}, schema: {openAPIV3Schema: {type: object, properties: {
      metadata: {type: object, properties: {name: {type: string, maxLength: 9}}},
      spec: {type: object, x-kubernetes-map-type: atomic, properties: {
        text: {type: string, default: a}, byte: {type: string, format: byte}, time: {type: string, format: date-time}, whole: {type: integer}, share: {type: number}, is: {type: boolean},
        port: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}, any: {x-kubernetes-preserve-unknown-fields: true}, maybe: {type: string, nullable: true},
        bare: {type: object}, open: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {in: {type: object, properties: {a: {type: string}}}, bare: {type: object}}},
        free: {type: object, additionalProperties: true}, texts: {type: object, additionalProperties: {type: string}},
        atomic: {type: array, items: {type: string}}, set: {type: array, x-kubernetes-list-type: set, items: {type: integer}},
        map: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k, l], items: {type: object, required: [k], properties: {k: {type: string}, l: {type: integer, default: 3}, of: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}}}},
        one: {type: object, x-kubernetes-embedded-resource: true, properties: {metadata: {type: object}, spec: {type: object, properties: {a: {type: string}}}}},
        all: {type: object, additionalProperties: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}}}},
      status: {type: object, properties: {phase: {type: string}}}}}}}
  - {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {spec: {type: object, properties: {a: {type: string}}}}}}}
  - {name: v3, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}
`

// TestTypesEqualUpstream compares the types of each version with those that a server makes.
func TestTypesEqualUpstream(t *testing.T) {
	t.Parallel()
	var compared, versions atomic.Int64
	t.Cleanup(func() {
		t.Logf("%d versions of fixtures and %d of the corpus compared", compared.Load(), versions.Load())
		if compared.Load() < 8 {
			t.Error("of the fixtures too few are compared")
		}
	})
	fixtures := mutants.Small()
	fixtures["every place"] = everyPlace
	for _, name := range slices.Sorted(maps.Keys(fixtures)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			compared.Add(int64(compareTypes(t, []byte(fixtures[name]), true)))
		})
	}
	t.Run("corpus", func(t *testing.T) {
		t.Parallel()
		for _, path := range corpus.Sample(t, corpus.Files(t), 40) {
			t.Run(path, func(t *testing.T) {
				t.Parallel()
				src, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				versions.Add(int64(compareTypes(t, src, false)))
			})
		}
	})
}

// compareTypes compares the types of all CRDs of a file, and counts the versions. Of those that no server takes any more, upstream
// makes types, too, if they are known to be served: they may be there from before 1.22.
func compareTypes(t *testing.T, src []byte, served bool) (compared int) {
	t.Helper()
	crds, _, err := behaviour.Decode(src)
	if err != nil {
		return 0 // which no server reads
	}
	for _, hub := range crds {
		if !served && len(validation.ValidateCustomResourceDefinition(t.Context(), hub)) > 0 {
			continue
		}
		kind := schema.GroupKind{Group: hub.Spec.Group, Kind: hub.Spec.Names.Kind}
		schemas := map[string]*apiextensions.JSONSchemaProps{}
		for _, v := range hub.Spec.Versions {
			schema, err := apiextensions.GetSchemaForVersion(hub, v.Name)
			if err != nil {
				t.Fatal(err)
			}
			if schemas[v.Name] = nil; schema != nil {
				schemas[v.Name] = schema.OpenAPIV3Schema
			}
		}
		keeps := hub.Spec.PreserveUnknownFields != nil && *hub.Spec.PreserveUnknownFields
		upstream, err := upstreamTypes(hub, keeps)
		if err != nil {
			t.Fatal(err)
		}
		ours, err := apply.NewTypes(kind, schemas, keeps)
		if err != nil {
			t.Fatal(err)
		}
		for version := range schemas {
			types, ref, err := ours.Of(version)
			if err != nil {
				t.Fatal(err)
			}
			empty := &unstructured.Unstructured{}
			empty.SetGroupVersionKind(kind.WithVersion(version))
			typed, err := upstream.ObjectToTyped(empty)
			if err != nil {
				t.Fatal(err)
			}
			c := typeComparison{types, typed.Schema()}
			if at := c.differ(ref, typed.TypeRef()); at != "" {
				t.Errorf("%s: version %s differs at %s", hub.Name, version, at)
			}
			compared++
		}
	}
	return compared
}

// upstreamTypes does as buildOpenAPIModelsForApply and getOrCreateServingInfoFor.
func upstreamTypes(hub *apiextensions.CustomResourceDefinition, keeps bool) (managedfields.TypeConverter, error) {
	var c apiextensionsv1.CustomResourceDefinition
	if err := apiextensionsv1.Convert_apiextensions_CustomResourceDefinition_To_v1_CustomResourceDefinition(hub, &c, nil); err != nil {
		return nil, err
	}
	var all []*spec3.OpenAPI
	for _, v := range c.Spec.Versions {
		one, err := builder.BuildOpenAPIV3(&c, v.Name, builder.Options{})
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	merged, err := builder.MergeSpecsV3(all...)
	if err != nil {
		return nil, err
	}
	return managedfields.NewTypeConverter(merged.Components.Schemas, keeps)
}

// A typeComparison compares two types that are named in different ways.
type typeComparison struct{ ours, upstream *smdschema.Schema }

// differ is where two types differ; "" when they do not.
func (c typeComparison) differ(a, b smdschema.TypeRef) string {
	if a.Nullable != b.Nullable {
		return ": nullable"
	}
	if a.NamedType != nil && b.NamedType != nil && *a.NamedType == *b.NamedType && strings.HasPrefix(*a.NamedType, "__untyped") {
		return "" // which have themselves in them
	}
	x, found := c.ours.Resolve(a)
	y, known := c.upstream.Resolve(b)
	switch {
	case found != known, (x.Scalar == nil) != (y.Scalar == nil), (x.List == nil) != (y.List == nil), (x.Map == nil) != (y.Map == nil):
		return fmt.Sprintf(": %+v and not %+v", x, y)
	case x.Scalar != nil && *x.Scalar != *y.Scalar:
		return fmt.Sprintf(": %s and not %s", *x.Scalar, *y.Scalar)
	case x.List != nil && (x.List.ElementRelationship != y.List.ElementRelationship || !slices.Equal(x.List.Keys, y.List.Keys)):
		return fmt.Sprintf(": %+v and not %+v", x.List, y.List)
	}
	if x.List != nil {
		if at := c.differ(x.List.ElementType, y.List.ElementType); at != "" {
			return "[]" + at
		}
	}
	if x.Map == nil {
		return ""
	}
	if x.Map.ElementRelationship != y.Map.ElementRelationship || len(x.Map.Fields) != len(y.Map.Fields) {
		return fmt.Sprintf(": %s of %d and not %s of %d", x.Map.ElementRelationship, len(x.Map.Fields), y.Map.ElementRelationship, len(y.Map.Fields))
	}
	if at := c.differ(x.Map.ElementType, y.Map.ElementType); at != "" {
		return "{}" + at
	}
	for _, field := range x.Map.Fields {
		other, found := y.Map.FindField(field.Name)
		if !found || !reflect.DeepEqual(field.Default, other.Default) {
			return fmt.Sprintf(".%s: %v and not %v", field.Name, field.Default, other.Default)
		}
		if at := c.differ(field.Type, other.Type); at != "" {
			return "." + field.Name + at
		}
	}
	return ""
}
