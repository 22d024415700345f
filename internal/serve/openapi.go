package serve

import (
	"net/http"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/crdlift/crdlift/internal/apply"
	"github.com/crdlift/crdlift/internal/request"
)

// metaModel is upstream's name of the schema of metadata.
const metaModel = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"

// openAPI answers which documents of OpenAPI v3 there are, or with one of them: what kubectl explain shows and what kubectl asks to find
// out which requests the server validates. See pkg/controller/openapi/builder of k8s.io/apiextensions-apiserver, which links all of
// Kubernetes' own types.
func (x *exchange) openAPI(document string) error {
	paths, schemas, operations := map[string]any{}, map[string]any{metaModel: describedMeta()}, map[string]any{}
	for _, k := range x.allKinds() {
		for _, name := range k.judge.Versions() {
			v, gv := k.version(name), schema.GroupVersion{Group: k.Group, Version: name}
			if v == nil {
				continue
			}
			at := prefix(gv)
			paths[at] = map[string]string{"serverRelativeURL": "/openapi/v3/" + at}
			if at == document {
				schemas[modelName(gv.WithKind(k.crd.Spec.Names.Kind))] = model(v)
				k.addOperations(operations, v)
			}
		}
	}
	if document == "" {
		x.write(http.StatusOK, map[string]any{"paths": paths})
		return nil
	}
	if paths[document] == nil {
		return errNoPath
	}
	x.write(http.StatusOK, map[string]any{
		"openapi": "3.0.0", "info": map[string]any{"title": "crdlift serve", "version": "v1"},
		"paths": operations, "components": map[string]any{"schemas": schemas},
	})
	return nil
}

// openAPI2 answers with a document of OpenAPI v2 that defines nothing. kubectl 1.28 does nothing without one, and goes on with v3.
func (x *exchange) openAPI2() {
	if strings.Contains(x.req.Header.Get("Accept"), "proto-openapi.spec.v2@v1.0+protobuf") {
		// No parser takes a type with an @. No bytes are a document in this form.
		x.w.Header().Set("Content-Type", "application/com.github.proto-openapi.spec.v2.v1.0+protobuf")
		x.w.WriteHeader(http.StatusOK)
		return
	}
	x.write(http.StatusOK, map[string]any{"swagger": "2.0", "info": map[string]any{"title": "crdlift serve", "version": "v1"}, "paths": map[string]any{}})
}

// prefix is where a version of a group is served.
func prefix(gv schema.GroupVersion) string {
	if gv.Group == "" {
		return "api/" + gv.Version
	}
	return "apis/" + gv.String()
}

// modelName is that of a schema: com.example.v1.Widget.
func modelName(gvk schema.GroupVersionKind) string {
	parts := strings.Split(gvk.Group, ".")
	slices.Reverse(parts)
	return strings.TrimPrefix(strings.Join(append(parts, gvk.Version, gvk.Kind), "."), ".")
}

// extension says of a schema or an operation which kind it is about.
const extension = "x-kubernetes-group-version-kind"

func model(v *request.Version) *spec.Schema {
	s := new(spec.Schema).Typed("object", "")
	if structural := v.Structural(); structural != nil {
		s = structural.ToKubeOpenAPI()
	} else {
		s.AddExtension("x-kubernetes-preserve-unknown-fields", true)
	}
	described := metav1.TypeMeta{}.SwaggerDoc()
	s.SetProperty("apiVersion", *spec.StringProperty().WithDescription(described["apiVersion"]))
	s.SetProperty("kind", *spec.StringProperty().WithDescription(described["kind"]))
	s.SetProperty("metadata", *spec.RefSchema("#/components/schemas/" + metaModel))
	gvk := v.GroupVersionKind()
	s.AddExtension(extension, []any{map[string]any{"group": gvk.Group, "version": gvk.Version, "kind": gvk.Kind}})
	return s
}

// describedMeta is the schema of metadata with upstream's descriptions.
func describedMeta() *spec.Schema {
	s := apply.ObjectMeta()
	described := metav1.ObjectMeta{}.SwaggerDoc()
	s.Description = described[""]
	for name, property := range s.Properties {
		property.Description = described[name]
		s.Properties[name] = property
	}
	return s
}

// addOperations says which requests there are, as far as clients look: kubectl does at the parameters of patches.
func (k *kind) addOperations(to map[string]any, v *request.Version) {
	gvk := v.GroupVersionKind()
	at := "/" + prefix(gvk.GroupVersion())
	if k.namespaced() {
		at += "/namespaces/{namespace}"
	}
	at += "/" + k.Resource
	operation := func(action string, parameters ...string) map[string]any {
		all := []any{}
		for _, name := range parameters {
			all = append(all, map[string]any{"name": name, "in": "query", "schema": map[string]any{"type": "string", "uniqueItems": true}})
		}
		return map[string]any{
			"x-kubernetes-action": action, extension: map[string]any{"group": gvk.Group, "version": gvk.Version, "kind": gvk.Kind}, "parameters": all,
			"responses": map[string]any{"200": map[string]any{"description": "OK"}},
		}
	}
	writes := []string{"dryRun", "fieldManager", "fieldValidation"}
	to[at] = map[string]any{"get": operation("list", "labelSelector", "fieldSelector", "limit", "continue"), "post": operation("post", writes...), "delete": operation("deletecollection", "dryRun")}
	to[at+"/{name}"] = map[string]any{
		"get": operation("get"), "put": operation("put", writes...), "patch": operation("patch", append(writes, "force")...), "delete": operation("delete", "dryRun"),
	}
}
