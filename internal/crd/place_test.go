package crd

import (
	"slices"
	"testing"
)

const older = `apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata: {name: a, annotations: {"example.com/x[0]": text}}
spec:
  version: v1
  conversion: {conversionReviewVersions: [v1], webhookClientConfig: {service: {name: a}}}
  additionalPrinterColumns: [{JSONPath: .a}]
  subresources: {status: {}}
  validation: {openAPIV3Schema: {properties: {"a.b[c]": {type: string}}, allOf: [{required: [x]}]}}
`

const newerText = header + `spec:
  conversion: {webhook: {conversionReviewVersions: [v1], clientConfig: {service: {name: a}}}}
  versions:
  - name: v1
    additionalPrinterColumns: [{jsonPath: .a}]
    selectableFields: [{jsonPath: .a}]
    subresources: {status: {}}
    schema: &s {openAPIV3Schema: {properties: {x: {type: string}}}}
  - {name: v2, schema: *s}
`

// TestLocate names paths as upstream does, and as the user wrote them.
func TestLocate(t *testing.T) {
	for _, test := range []struct{ text, path, want string }{
		{older, "spec.validation.openAPIV3Schema.properties[a.b[c]].type", "spec.validation.openAPIV3Schema.properties[a.b[c]].type"},
		{older, "spec.validation.openAPIV3Schema.allOf[0].required", "spec.validation.openAPIV3Schema.allOf[0].required"},
		{older, "spec.validation.openAPIV3Schema.type", "spec.validation.openAPIV3Schema"},
		{older, "spec.validation.openAPIV3Schema.allOf[7].type", "spec.validation.openAPIV3Schema.allOf"},
		{older, "spec.additionalPrinterColumns[0].JSONPath", "spec.additionalPrinterColumns[0].JSONPath"},
		{older, "spec.conversion.webhookClientConfig.service.name", "spec.conversion.webhookClientConfig.service.name"},
		{older, "spec.conversion.conversionReviewVersions[0]", "spec.conversion.conversionReviewVersions[0]"},
		{older, "spec.versions[0].name", "spec.version"}, // defaulted from it
		{older, "spec.versions", "spec"},
		{older, "spec.version", "spec.version"},
		{older, "status.storedVersions", "spec"},
		{older, "metadata.annotations[example.com/x[0]]", "metadata.annotations[example.com/x[0]]"},
		{older, "metadata.annotations[other]", "metadata.annotations"},
		{older, "", ""},
		{older, "nowhere[0].at.all", ""},
		{newerText, "spec.validation.openAPIV3Schema.properties[x].type", "spec.versions[0].schema.openAPIV3Schema.properties[x].type"},
		{newerText, "spec.versions[1].schema.openAPIV3Schema.properties[x].type", "spec.versions[1].schema.openAPIV3Schema.properties[x].type"},
		{newerText, "spec.versions[1].schema.openAPIV3Schema.properties[y]", "spec.versions[1].schema.openAPIV3Schema.properties"},
		{newerText, "spec.subresources.status", "spec.versions[0].subresources.status"},
		{newerText, "spec.selectableFields[0].jsonPath", "spec.versions[0].selectableFields[0].jsonPath"},
		{newerText, "spec.additionalPrinterColumns[0].JSONPath", "spec.versions[0].additionalPrinterColumns[0].jsonPath"},
		{newerText, "spec.versions[0].additionalPrinterColumns[0].JSONPath", "spec.versions[0].additionalPrinterColumns[0].jsonPath"},
		{newerText, "spec.version", "spec.versions[0].name"},
		{newerText, "spec.conversion.webhookClientConfig.service.name", "spec.conversion.webhook.clientConfig.service.name"},
		{newerText, "spec.conversion.webhookClientConfig.url", "spec.conversion.webhook.clientConfig"},
		{newerText, "spec.conversion.conversionReviewVersions[0]", "spec.conversion.webhook.conversionReviewVersions[0]"},
		{newerText, "status.storedVersions", "spec.versions"},
		{newerText, "spec.preserveUnknownFields", "spec"},
		{header + "spec: {validation: {x: 1}}", "spec.validation.openAPIV3Schema", "spec"},
		{header + "spec: null", "spec.versions[0].name", "spec"},
		{header + "spec: 5", "spec.group", "spec"},
	} {
		c := only(t, test.text)
		got := c.Locate(test.path)
		if got.Path != test.want {
			t.Errorf("%s %s is at %q, want %q", c.Version, test.path, got.Path, test.want)
		}
		if at, ok := c.Resolve(Steps(got.Path)); !ok || at.Node != got.Node {
			t.Errorf("%s does not lead to its node", got.Path)
		}
	}
}

func TestSteps(t *testing.T) {
	for path, want := range map[string][]string{
		"":                      nil,
		"a":                     {"a"},
		"a.b[c][0].d":           {"a", "b", "c", "0", "d"},
		"properties[x.y[z]].a":  {"properties", "x.y[z]", "a"},
		"properties[].items":    {"properties", "", "items"},
		"a.":                    {"a"},
		"a[open":                {"a", "open"},
		"annotations[a/b]":      {"annotations", "a/b"},
		"x-kubernetes-a[1].b-c": {"x-kubernetes-a", "1", "b-c"},
	} {
		if got := Steps(path); !slices.Equal(got, want) {
			t.Errorf("%s has the steps %q, want %q", path, got, want)
		}
	}
}

func TestKey(t *testing.T) {
	c := only(t, newerText)
	spec := Place{Node: Get(c.Node, "spec"), Path: "spec"}
	key := spec.KeyOf("versions")
	if key.Path != "spec.versions" || key.Node.Value != "versions" {
		t.Errorf("the key is %v", key)
	}
	if at := spec.At("versions"); at.Path != "spec.versions" || at.Node != Get(spec.Node, "versions") {
		t.Errorf("the value is %v", at)
	}
	if at, key := spec.At("nothing"), spec.KeyOf("nothing"); at != spec || key != spec {
		t.Errorf("where there is nothing stand %v and %v", at, key)
	}
	if items := spec.At("versions").Items(); len(items) == 0 || items[0].Path != "spec.versions[0]" || len(key.Items()) > 0 {
		t.Errorf("the items are %v, and %v", items, key.Items())
	}
}

func TestWithin(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		path, above string
		want        bool
	}{
		{"spec.names", "spec.names", true}, {"spec.names.kind", "spec.names", true}, {"spec.versions[0]", "spec.versions", true}, {"spec", "", true}, {"", "", true},
		{"spec.namesake", "spec.names", false}, {"spec", "spec.names", false}, {"", "spec", false}, {"status", "spec", false},
	} {
		if got := Within(tt.path, tt.above); got != tt.want {
			t.Errorf("%s is within %s: %v", tt.path, tt.above, got)
		}
	}
}

// FuzzLocate looks for paths and manifests that lead nowhere in a bad way.
func FuzzLocate(f *testing.F) {
	for _, text := range []string{older, newerText, header + "spec: &s {versions: [*s]}", header + "spec: &s {<<: *s}", header + "<<: [{spec: {}}]"} {
		for _, path := range []string{"spec.validation.openAPIV3Schema.properties[a.b[c]].type", "spec.versions[0].name", "]..[", "spec[[", "status.storedVersions[0]"} {
			f.Add(text, path)
		}
	}
	f.Fuzz(func(t *testing.T, text, path string) {
		for _, c := range Parse([]byte(text)) {
			at := c.Locate(path)
			if at.Node == nil {
				t.Errorf("%q leads to no node", path)
			}
			c.UnknownFields()
		}
	})
}
