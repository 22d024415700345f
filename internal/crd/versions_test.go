package crd

import (
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/manifest"
)

func TestStablePaths(t *testing.T) {
	t.Parallel()
	const v1 = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
spec:
  names: {shortNames: [a, b]}
  versions:
  - name: v1alpha1
  - name: v1
    additionalPrinterColumns: [{name: Ready, jsonPath: .a}]
    schema: {openAPIV3Schema: {properties: {a.b: {enum: [x, y]}}}}
`
	const v1beta1 = `
apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
spec:
  versions: [{name: v1alpha1}, {name: v1}]
  additionalPrinterColumns: [{name: Ready, JSONPath: .a}]
  validation: {openAPIV3Schema: {properties: {a.b: {enum: [x, y]}}}}
`
	for _, tt := range []struct{ manifest, path, want string }{
		{v1, "", ""},
		{v1, "spec.names.shortNames[1]", "spec/names/shortNames/[]"},
		{v1, "spec.versions[1]", "spec/versions/[v1]"},
		{v1, "spec.versions[1].schema.openAPIV3Schema.properties[a.b].enum[1]", "spec/versions/[v1]/schema/openAPIV3Schema/properties/a.b/enum/[]"},
		{v1, "spec.versions[1].additionalPrinterColumns[0].jsonPath", "spec/versions/[v1]/additionalPrinterColumns/[Ready]/jsonPath"},
		{v1, "spec.versions[9].gone", "spec/versions/[]/gone"},
		{v1beta1, "spec.additionalPrinterColumns[0].JSONPath", "spec/versions/[v1alpha1]/additionalPrinterColumns/[Ready]/jsonPath " +
			"spec/versions/[v1]/additionalPrinterColumns/[Ready]/jsonPath spec/additionalPrinterColumns/[Ready]/JSONPath"},
		{v1beta1, "spec.validation.openAPIV3Schema.properties[a.b]", "spec/versions/[v1alpha1]/schema/openAPIV3Schema/properties/a.b " +
			"spec/versions/[v1]/schema/openAPIV3Schema/properties/a.b spec/validation/openAPIV3Schema/properties/a.b"},
	} {
		found, _ := Find(manifest.Parse("a.yaml", []byte(tt.manifest)).Documents[0].Root.YNode())
		var got []string
		for _, path := range found[0].StablePaths(tt.path) {
			got = append(got, strings.ReplaceAll(path, "\x01", "/"))
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %s, want %s", tt.path, strings.Join(got, " "), tt.want)
		}
	}
}
