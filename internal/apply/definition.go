package apply

import (
	"encoding/json"
	"slices"
	"sync"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// definitionSchema has of CRDs what tells apart whose a field is: each version, list of names and list of review versions is one
// value, the rest is fields. The server has that from the Go types, of which the whole OpenAPI schema would be needed.
const definitionSchema = `{"type": "object", "properties": {
	"spec": {"type": "object", "properties": {
		"group": {"type": "string"}, "scope": {"type": "string"}, "preserveUnknownFields": {"type": "boolean"},
		"names": {"type": "object", "properties": {
			"plural": {"type": "string"}, "singular": {"type": "string"}, "kind": {"type": "string"}, "listKind": {"type": "string"},
			"shortNames": {"type": "array", "items": {"type": "string"}}, "categories": {"type": "array", "items": {"type": "string"}}}},
		"versions": {"type": "array", "items": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}},
		"conversion": {"type": "object", "properties": {"strategy": {"type": "string"}, "webhook": {"type": "object", "properties": {
			"conversionReviewVersions": {"type": "array", "items": {"type": "string"}},
			"clientConfig": {"type": "object", "properties": {"url": {"type": "string"}, "caBundle": {"type": "string"},
				"service": {"type": "object", "properties": {
					"namespace": {"type": "string"}, "name": {"type": "string"}, "path": {"type": "string"}, "port": {"type": "integer"}}}}}}}}}}},
	"status": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}`

// definitions are the field managers of CRDs themselves.
var definitions = sync.OnceValues(func() (*Managers, error) {
	var external v1.JSONSchemaProps
	var internal apiextensions.JSONSchemaProps
	if err := json.Unmarshal([]byte(definitionSchema), &external); err != nil {
		return nil, err
	}
	if err := v1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&external, &internal, nil); err != nil {
		return nil, err
	}
	kind := schema.GroupKind{Group: apiextensions.GroupName, Kind: "CustomResourceDefinition"}
	types, err := NewTypes(kind, map[string]*apiextensions.JSONSchemaProps{"v1": &internal}, false)
	if err != nil {
		return nil, err
	}
	return NewManagers(types, []Version{{Name: "v1", Handled: true, HasStatus: true, Default: func(map[string]any) {}}}, nil)
})

// Definition is the CRD that is there, as apiextensions.k8s.io/v1 serves it, with a manifest of it that a manager applies server-side;
// nothing is there where live is nil. What others manage is taken from them. Fields that v1 does not have are only noticed outside of
// versions. What is known of v1beta1, which servers since 1.22 do not serve, counts for nothing.
func Definition(live, manifest map[string]any, manager string) (map[string]any, error) {
	managers, err := definitions()
	if err != nil {
		return nil, err
	}
	body := runtime.DeepCopyJSON(manifest)
	unstructured.RemoveNestedField(body, "metadata", "managedFields")
	if live != nil {
		is := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(live)}
		is.SetManagedFields(slices.DeleteFunc(is.GetManagedFields(), func(e metav1.ManagedFieldsEntry) bool {
			return e.APIVersion != v1.SchemeGroupVersion.String()
		}))
		live = is.Object
	}
	return managers.Apply("v1", "", live, body, manager, true)
}
