package apiserver_test

import (
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
)

const takenCRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: routes.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Route, listKind: RouteList, plural: routes, singular: route}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {PROPERTIES}}}}
`

// TestKept: what an older server may have taken is kept, and what no server takes is not.
func TestKept(t *testing.T) {
	t.Parallel()
	const costly, unbounded = `rule: "self.all(a, self.all(b, self.all(c, a == b || b == c)))"`, "hosts: {type: array, items: {type: string}, x-kubernetes-validations: [{RULE}]}"
	with := func(properties string) string { return strings.Replace(takenCRD, "PROPERTIES", properties, 1) }
	pricey := strings.Replace(unbounded, "RULE", costly, 1)
	for name, test := range map[string]struct {
		manifest string
		kept     string // the paths, in a schema without what is above it
	}{
		"costs of a rule":                {with(pricey), "properties[spec].properties[hosts].x-kubernetes-validations[0].rule"},
		"costs and a mistake":            {with(pricey + `, a: {type: object, x-kubernetes-validations: [{rule: "self.b"}]}`), ""},
		"costs and another name":         {strings.Replace(with(pricey), "routes.example", "route.example", 1), ""},
		"a default that is not pruned":   {with("a: {type: object, default: {b: 1}}"), "properties[spec].properties[a].default"},
		"a default of a wrong type":      {with("a: {type: object, default: 1}"), ""},
		"a set of objects":               {with("a: {type: array, x-kubernetes-list-type: set, items: {type: object}}"), "properties[spec].properties[a].items.x-kubernetes-map-type"},
		"a key that may be absent":       {with("a: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [b], items: {type: object, properties: {b: {type: string}}}}"), "properties[spec].properties[a].items.properties[b].default"},
		"no type":                        {with("a: {description: a}"), ""},
		"no type, where fields are kept": {strings.Replace(with("a: {description: a}"), "  scope", "  preserveUnknownFields: true\n  scope", 1), "spec.preserveUnknownFields properties[spec].properties[a].type"},
		"an unknown type":                {with("a: {type: sting}"), ""},
		"another name":                   {strings.Replace(with("a: {type: string}"), "routes.example", "route.example", 1), ""},
		"no approval":                    {strings.ReplaceAll(with("a: {type: string}"), "example.com", "example.k8s.io"), "metadata.annotations[api-approved.kubernetes.io]"},
		"a bad label":                    {strings.Replace(with("a: {type: string}"), "{name: routes", "{labels: {a: b c}, name: routes", 1), ""},
		"no mistake":                     {with("a: {type: string}"), ""},
	} {
		found, _ := crd.Find(manifest.Parse("crd.yaml", []byte(test.manifest)).Documents[0].Root.YNode())
		decoded, err := found[0].Decode()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		verdict := apiserver.OnCreate(decoded.Hub, crd.V1)
		if verdict.Accepted() != (name == "no mistake") {
			t.Errorf("%s: %v", name, verdict.Errors)
		}
		var paths []string
		for _, err := range apiserver.Kept(decoded.Hub, verdict) {
			paths = append(paths, strings.TrimPrefix(err.Field, "spec.validation.openAPIV3Schema."))
		}
		if got := strings.Join(paths, " "); got != test.kept {
			t.Errorf("%s: kept %q of %v, want %q", name, got, verdict.Errors, test.kept)
		}
	}
}
