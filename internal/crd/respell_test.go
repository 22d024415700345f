package crd

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestRespell(t *testing.T) {
	t.Parallel()
	names := map[string]string{
		"sepc": "spec", "servd": "served", "schmea": "schema", "openAPIV3Shcema": "openAPIV3Schema", "tpye": "type", "desc": "description",
	}
	for _, tt := range []struct{ name, spec, want string }{
		{"none", "spec: {versions: [{served: true}]}", ""},
		{"another", "spec: {foo: 1}", ""},
		{"one", "spec: {versions: [{name: v1}, {servd: true}]}", "spec.versions[1].servd=spec.versions[1].served"},
		{"below each other", "spec: {versions: [{schmea: {openAPIV3Shcema: {properties: {a.b: {tpye: string}}}}}]}",
			"spec.versions[0].schmea.openAPIV3Shcema.properties[a.b].tpye=spec.versions[0].schema.openAPIV3Schema.properties[a.b].type " +
				"spec.versions[0].schmea.openAPIV3Shcema=spec.versions[0].schema.openAPIV3Schema " +
				"spec.versions[0].schmea=spec.versions[0].schema"},
		{"at the top", "sepc: {versions: [{servd: true}]}", "sepc.versions[0].servd=spec.versions[0].served sepc=spec"},
		{"taken", "spec: {versions: [{served: false, servd: true}]}", ""},
		{"taken by null", "spec: {versions: [{served: null, servd: true}]}", ""},
		{"twice", "spec: {versions: [{servd: true, servd: false}, {servd: true}]}", "spec.versions[1].servd=spec.versions[1].served"},
		{"of another type", "spec: {versions: [{servd: {}}, {servd: true}]}", "spec.versions[1].servd=spec.versions[1].served"},
		{"wrong below", "spec: {versions: [{schmea: {openAPIV3Schema: {type: []}}}]}", "spec.versions[0].schmea=spec.versions[0].schema"},
		{"one level up", "spec: {names: {scope: Namespaced}}", "spec.names.scope=spec.scope"},
		{"two levels up", "spec: {versions: [{schema: {openAPIV3Schema: {deprecated: true}}}]}",
			"spec.versions[0].schema.openAPIV3Schema.deprecated=spec.versions[0].deprecated"},
		{"one level down", "spec: {plural: foos, names: {}}", "spec.plural=spec.names.plural"},
		{"into a new mapping", "spec: {plural: foos, kind: Foo}", "spec.kind=spec.names.kind spec.plural=spec.names.plural spec=spec.names"},
		{"beside its own", "spec: {conversion: {plural: foos}, names: {}}", "spec.conversion.plural=spec.names.plural"},
		{"of the only version", "spec: {served: true, versions: [{name: v1}, {served: true}]}", "spec.served=spec.versions[0].served"},
		{"of two versions", "spec: {served: true, versions: [{name: v1}, {name: v2}]}", ""},
		{"taken above", "spec: {scope: Cluster, names: {scope: Namespaced}}", ""},
		{"of another type above", "spec: {names: {scope: [Namespaced]}}", ""},
		{"null", "spec: {names: {scope: }}", ""},
		{"twice below", "spec: {names: {scope: a, scope: b}}", ""},
		{"shared", "spec: {versions: [&v {names: {plural: a}}, *v]}", ""},
		{"misspelt above", "spec: {nmaes: {scope: Cluster}}", ""},
		{"the entry of a list", "spec: {version: {name: v1}}", "spec.version=spec.versions[0] spec=spec.versions"},
		{"a property", "spec: {versions: [{schema: {openAPIV3Schema: {type: object, a: {type: string}}}}]}",
			"spec.versions[0].schema.openAPIV3Schema.a=spec.versions[0].schema.openAPIV3Schema.properties[a] " +
				"spec.versions[0].schema.openAPIV3Schema=spec.versions[0].schema.openAPIV3Schema.properties"},
		{"no property", "spec: {versions: [{schema: {openAPIV3Schema: {type: string, a: {type: string}, b: {foo: 1}}}}]}", ""},
		{"of the version", "spec: {versions: [{schema: {openAPIV3Schema: {properties: {subresources: {status: {}, scale: {}}}}}}]}",
			"spec.versions[0].schema.openAPIV3Schema.properties[subresources]=spec.versions[0].subresources"},
		{"a property of that name", "spec: {versions: [{schema: {openAPIV3Schema: {properties: {subresources: {type: object}}}}}]}", ""},
		{"anchored", "spec: {versions: [{&a servd: true}]}", ""},
		{"merged", "spec: {versions: [&v {servd: true}, {<<: *v, name: v2}]}", "spec.versions[0].servd=spec.versions[0].served"},
	} {
		c := only(t, "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"+tt.spec)
		before := meaning(t, c.Node)
		r := c.Respell(func(u UnknownField) string {
			if name := names[u.Key.Value]; name != "" {
				return u.Beside(name)
			}
			return u.Home.Path
		})
		var got []string
		if r != nil {
			for path := range r.relocation {
				got = append(got, r.AsWritten(path)+"="+path)
			}
			for _, u := range r.Misspelt {
				at, complete := c.Resolve(Steps(u.Place.Path))
				if !complete || at.Node != u.Place.Node || names[u.Key.Value] == "" && u.Home.Path == "" {
					t.Errorf("%s: %s is not a misspelt field of the manifest", tt.name, u.Place.Path)
				}
			}
			if len(r.Misspelt) > len(got) {
				t.Errorf("%s: %d fields were misspelt, %d are told", tt.name, len(got), len(r.Misspelt))
			}
		}
		slices.Sort(got)
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, s, tt.want)
		}
		if !reflect.DeepEqual(meaning(t, c.Node), before) {
			t.Errorf("%s: the manifest itself changed", tt.name)
		}
	}
}

// TestManyUnknownFields holds the search for homes to its bound: thousands of fields that all seem to be misplaced are looked
// at without it, and have none.
func TestManyUnknownFields(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		n    int
		home string
	}{
		{maxHomes, "spec.versions[0].schema.openAPIV3Schema.properties[f0]"},
		{maxHomes + 1, ""},
	} {
		var b strings.Builder
		b.WriteString("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n" +
			"spec: {versions: [{schema: {openAPIV3Schema: {type: object, properties: {}")
		for i := range tt.n {
			fmt.Fprintf(&b, ", f%d: {type: string}", i)
		}
		b.WriteString("}}}]}")
		unknown := only(t, b.String()).UnknownFields()
		if len(unknown) != tt.n || unknown[0].Home.Path != tt.home {
			t.Errorf("of %d unknown fields %d are found, the first belongs to %q, want %q", tt.n, len(unknown), unknown[0].Home.Path, tt.home)
		}
	}
}
