package crd

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/manifest"
)

// TestVersions reads what belongs to each version, from its entry or, in v1beta1, from the top level.
func TestVersions(t *testing.T) {
	t.Parallel()
	const spec = `
spec:
  version: v1
  additionalPrinterColumns: [{name: Age}]
  subresources: {status: {}}
  validation: {openAPIV3Schema: {type: object}}
`
	const entries = `
  versions:
  - {name: v1, served: true, subresources: , schema: {openAPIV3Schema: {type: string}}}
  - {name: v2, storage: yes, deprecated: true, additionalPrinterColumns: [], selectableFields: [{jsonPath: .a}]}
`
	for _, tt := range []struct{ name, text, want string }{
		{"v1beta1", older[:strings.Index(older, "spec:")] + spec[1:], "v1 spec.version true true false spec.validation.openAPIV3Schema spec.subresources spec.additionalPrinterColumns "},
		{"v1beta1, a list", older[:strings.Index(older, "spec:")] + spec[1:] + entries[1:],
			"v1 spec.versions[0] true false false spec.versions[0].schema.openAPIV3Schema spec.subresources spec.additionalPrinterColumns |" +
				"v2 spec.versions[1] false true true spec.validation.openAPIV3Schema spec.subresources spec.versions[1].additionalPrinterColumns spec.versions[1].selectableFields"},
		{"v1", header + "spec:" + entries, "v1 spec.versions[0] true false false spec.versions[0].schema.openAPIV3Schema   |" +
			"v2 spec.versions[1] false true true   spec.versions[1].additionalPrinterColumns spec.versions[1].selectableFields"},
		{"v1 without a list", header + spec[1:], ""},
	} {
		c := only(t, tt.text)
		for _, c := range []*CRD{c, c.Frozen()} {
			var all []string
			for _, v := range c.Versions() {
				all = append(all, fmt.Sprint(v.Name, " ", v.At.Path, " ", v.Served, v.Storage, v.Deprecated, " ",
					strings.Join([]string{v.Schema.Path, v.Subresources.Path, v.Columns.Path, v.SelectableFields.Path}, " ")))
				if got := c.VersionNamed(v.Name); got == nil || got.At.Path != v.At.Path {
					t.Errorf("%s: the version called %s is %v", tt.name, v.Name, got)
				}
				if (v.Root() == nil) != (v.Schema.Node == nil) {
					t.Errorf("%s: the root of %s is %v", tt.name, v.Name, v.Root())
				}
			}
			if got := strings.Join(all, "|"); got != tt.want {
				t.Errorf("%s:\ngot  %s\nwant %s", tt.name, got, tt.want)
			}
			if got := c.VersionNamed("v3"); got != nil {
				t.Errorf("%s: there is a version %v", tt.name, got)
			}
		}
	}
}

// TestVersionsAt wants the versions that a path belongs to.
func TestVersionsAt(t *testing.T) {
	t.Parallel()
	c := only(t, header+"spec:\n  versions: [{name: v1}, {name: v2}]\n")
	for path, want := range map[string]string{
		"": "", "spec": "", "metadata.name": "", "spec.names.plural": "", "spec.versions": "", "status.versions[0]": "",
		"spec.versions[0]": "v1", "spec.versions[1].schema.openAPIV3Schema": "v2", "spec.versions[2].name": "",
		"spec.validation.openAPIV3Schema": "v1 v2", "spec.subresources": "v1 v2", "spec.selectableFields[0]": "v1 v2",
	} {
		if got := strings.Join(c.VersionsAt(path), " "); got != want {
			t.Errorf("%s belongs to %q, want %q", path, got, want)
		}
	}
}

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

// TestDeepStablePaths asks for the path of what is deep in a schema, as each finding does: that takes as much as the path is long.
func TestDeepStablePaths(t *testing.T) {
	bytes := func(depth int) uint64 {
		text := "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: " + strings.Repeat("{a: ", depth) + "x" + strings.Repeat("}", depth) + "\n"
		c := Parse([]byte(text))[0].Frozen()
		path := "spec" + strings.Repeat(".a", depth)
		c.StablePaths(path)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range 100 {
			c.StablePaths(path)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	if short, long := bytes(50), bytes(500); long > 20*short {
		t.Errorf("it takes %d bytes at 500 levels, and %d at 50", long, short)
	}
}

// TestManyVersions asks which version a path is of, as each finding does: that takes no more where there are more of them.
func TestManyVersions(t *testing.T) {
	bytes := func(versions int) uint64 {
		text := "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  versions:\n" + strings.Repeat("  - name: v1\n", versions)
		c := Parse([]byte(text))[0].Frozen()
		c.Versions()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range 100 {
			if names := c.VersionsAt("spec.versions[1].name"); len(names) != 1 || c.VersionNamed("v2") != nil {
				t.Errorf("got %v", names)
			}
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	if few, many := bytes(2), bytes(1000); many > 2*few {
		t.Errorf("it takes %d bytes with 1000 versions, and %d with 2", many, few)
	}
}
