package apply

import (
	"sync"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// scaleKind is what the scale subresource of every resource has.
var scaleKind = schema.GroupVersionKind{Group: "autoscaling", Version: "v1", Kind: "Scale"}

// scales are the field managers of the scale subresource.
var scales = sync.OnceValues(func() (*Managers, error) {
	object := func(properties map[string]apiextensions.JSONSchemaProps) apiextensions.JSONSchemaProps {
		return apiextensions.JSONSchemaProps{Type: "object", Properties: properties}
	}
	number := apiextensions.JSONSchemaProps{Type: "integer"}
	scale := object(map[string]apiextensions.JSONSchemaProps{
		"spec":   object(map[string]apiextensions.JSONSchemaProps{"replicas": number}),
		"status": object(map[string]apiextensions.JSONSchemaProps{"replicas": number, "selector": {Type: "string"}}),
	})
	types, err := NewTypes(scaleKind.GroupKind(), map[string]*apiextensions.JSONSchemaProps{"v1": &scale}, false)
	if err != nil {
		return nil, err
	}
	return NewManagers(types, []Version{{Name: "v1", Handled: true, Default: func(map[string]any) {}}}, nil)
})

// Scale are the entries of managedFields of a custom resource at a version once a manager has written another number of replicas by its
// scale subresource. Paths are where the versions of the CRD have the number, by their apiVersions; nil for one without the subresource. See
// scaleUpdatedObjectInfo of k8s.io/apiextensions-apiserver/pkg/registry/customresource.
func Scale(entries []metav1.ManagedFieldsEntry, version schema.GroupVersion, paths map[string][]string, was, is int64, manager string) ([]metav1.ManagedFieldsEntry, error) {
	managers, err := scales()
	if err != nil {
		return nil, err
	}
	mappings := managedfields.ResourcePathMappings{}
	for at, names := range paths {
		var path fieldpath.Path
		for _, name := range names {
			path = append(path, fieldpath.FieldNameElement(name))
		}
		mappings[at] = path
	}
	handler := managedfields.NewScaleHandler(entries, version, mappings)
	if entries, err = handler.ToSubresource(); err != nil {
		return nil, err
	}
	before := scaleOf(was)
	before.SetManagedFields(entries)
	after := managers.Update("v1", "scale", before.Object, scaleOf(is).Object, manager)
	return handler.ToParent((&unstructured.Unstructured{Object: after}).GetManagedFields())
}

// scaleOf is a Scale with a number, of which JSON has none where it is 0. It has a uid, without which there is no object for upstream.
func scaleOf(replicas int64) *unstructured.Unstructured {
	spec := map[string]any{}
	if replicas != 0 {
		spec["replicas"] = replicas
	}
	scale := &unstructured.Unstructured{Object: map[string]any{"metadata": map[string]any{"uid": "scale"}, "spec": spec}}
	scale.SetGroupVersionKind(scaleKind)
	return scale
}
