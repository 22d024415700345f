package apply

import "k8s.io/kube-openapi/pkg/validation/spec"

// metadataModel is the name of the type of all metadata.
const metadataModel = "metadata"

// ObjectMeta is the schema of metadata: that of ObjectMeta in k8s.io/apiextensions-apiserver/pkg/generated/openapi, as far as it
// says how values are merged.
func ObjectMeta() *spec.Schema {
	text := func() spec.Schema { return *spec.StringProperty() }
	texts := func() spec.Schema { return *spec.MapProperty(spec.StringProperty()) }
	key := func() spec.Schema { return *spec.StringProperty().WithDefault("") } // which counts where an item lacks it

	owner := structOf(map[string]spec.Schema{
		"apiVersion": key(), "kind": key(), "name": key(), "uid": key(),
		"controller": *spec.BooleanProperty(), "blockOwnerDeletion": *spec.BooleanProperty(),
	})
	owner.AddExtension("x-kubernetes-map-type", "atomic")
	owners := spec.ArrayProperty(owner)
	owners.AddExtension("x-kubernetes-list-type", "map")
	owners.AddExtension("x-kubernetes-list-map-keys", []any{"uid"})

	finalizers := spec.ArrayProperty(spec.StringProperty())
	finalizers.AddExtension("x-kubernetes-list-type", "set")

	entries := spec.ArrayProperty(structOf(map[string]spec.Schema{
		"manager": text(), "operation": text(), "apiVersion": text(), "subresource": text(), "fieldsType": text(),
		"time": *spec.DateTimeProperty(), "fieldsV1": *new(spec.Schema).Typed("object", ""),
	}))

	return structOf(map[string]spec.Schema{
		"name": text(), "generateName": text(), "namespace": text(), "selfLink": text(), "uid": text(), "resourceVersion": text(),
		"generation": *spec.Int64Property(), "deletionGracePeriodSeconds": *spec.Int64Property(),
		"creationTimestamp": *spec.DateTimeProperty(), "deletionTimestamp": *spec.DateTimeProperty(),
		"labels": texts(), "annotations": texts(),
		"ownerReferences": *owners, "finalizers": *finalizers, "managedFields": *entries,
	})
}

func structOf(fields map[string]spec.Schema) *spec.Schema {
	s := new(spec.Schema).Typed("object", "")
	s.Properties = fields
	return s
}
