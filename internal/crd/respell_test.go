package crd

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"
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

func TestRighted(t *testing.T) {
	t.Parallel()
	const spec = "{group: example.com, names: {plural: jobs}}"
	for _, test := range []struct {
		name, text, want string // want is "" where the intention is not clear
		path, written    string // of the copy, and of the object
	}{
		{"values", "{apiVersion: apiextensions/v1, kind: customresourcedefinition, spec: " + spec + "}",
			"{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, spec: " + spec + "}", "spec.group", "spec.group"},
		{"a key and its value", "{apiversion: apiextensions/v1beta1, kind: CustomResourceDefinition}",
			"{apiVersion: apiextensions.k8s.io/v1beta1, kind: CustomResourceDefinition}", "apiVersion", "apiversion"},
		{"a missing kind", "{apiVersion: apiextensions.k8s.io/v1}", "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition}", "kind", "kind"},
		{"the key of spec", "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, spec: , Spec: " + spec + "}",
			"{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, spec: " + spec + "}", "spec.names.plural", "Spec.names.plural"},
		{"a key of spec with a dot", "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, spec.: " + spec + "}",
			"{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, spec: " + spec + "}", "spec.names.plural", "[spec.].names.plural"},
		{"a key of spec with a bracket", "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, 'spec[': " + spec + "}",
			"{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, spec: " + spec + "}", "spec.names.plural", "[spec[].names.plural"},
		{"beside spec", "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, group: example.com, names: {plural: jobs}, metadata: {}}",
			"{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {}, spec: " + spec + "}", "spec.names.plural", "names.plural"},
		{"beside a null spec", "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, spec: , group: example.com, names: {plural: jobs}}",
			"{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, spec: " + spec + "}", "spec.names.plural", "names.plural"},
		{"a key near spec that is no spec", "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, spce: {group: example.com}}",
			"{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, spce: {group: example.com}}", "spce.group", "spce.group"},
		{"a text", "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, spec: text}", "", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := &CRD{Node: yaml.MustParse(test.text).YNode()}
			before := shown(t, c.Node)
			r := c.Righted()
			if after := shown(t, c.Node); after != before {
				t.Fatalf("the object itself is now %s", after)
			}
			if r == nil || test.want == "" {
				if r != nil || test.want != "" {
					t.Fatalf("got %v, want %q", r, test.want)
				}
				return
			}
			if got, want := shown(t, r.Node), shown(t, yaml.MustParse(test.want).YNode()); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
			if got := r.AsWritten(test.path); got != test.written {
				t.Errorf("%s is written %s, want %s", test.path, got, test.written)
			}
		})
	}
}

func TestApart(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"apiVersion: v1\nkind: CustomResourceDefinition\nspec: {}\napiVersion: v1\nkind: Service\n": "kind: CustomResourceDefinition, kind: Service",
		"kind: Service\napiVersion: v1\nkind: CustomResourceDefinition\napiVersion: v1\n":           "kind: Service, kind: CustomResourceDefinition",
		"apiVersion: v1\nkind: CustomResourceDefinition\nspec: {}\n":                                "",
		"apiVersion: v1\nkind: Service\nspec: {}\napiVersion: v1\nkind: Service\n":                  "",
		"apiVersion: v1\nkind: CustomResourceDefinition\nspec: {}\nkind: Service\n":                 "",
		"apiVersion: v1\nname: CustomResourceDefinition\nkind: Role\napiVersion: v1\nkind: Role\n":  "",
	} {
		var kinds []string
		for _, part := range Apart(yaml.MustParse(text).YNode()) {
			kinds = append(kinds, "kind: "+StringAt(part, "kind"))
		}
		if got := strings.Join(kinds, ", "); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func shown(t *testing.T, n *yaml.Node) string {
	t.Helper()
	text, err := yaml.NewRNode(n).MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestMove takes entries to other places, and leaves those alone that it would lose, or that are there for others as well.
func TestMove(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text, from, to, want string }{
		{"into a mapping", "{a: 1, b: {c: 2}}", "a", "b.d", "{b: {c: 2, d: 1}}"},
		{"into a mapping that is made", "{a: {x: 1, y: 2}}", "a.x", "a.z.x", "{a: {z: {x: 1}, y: 2}}"},
		{"in the place of null", "{a: 1, b: {c: }}", "a", "b.c", "{b: {c: 1}}"},
		{"into null", "{a: 1, b: }", "a", "b.c", "{b: {c: 1}}"},
		{"into a list", "{a: 1, b: [2]}", "a", "b[1]", "{b: [2, 1]}"},
		{"into a list that is made", "{a: 1, b: {}}", "a", "b.c[0]", "{b: {c: [1]}}"},
		{"out of an item", "{a: [{b: 1, c: 2}], d: {}}", "a[0].b", "d.b", "{a: [{c: 2}], d: {b: 1}}"},
		{"the last property", "{a: {properties: {b: 1}}}", "a.properties[b]", "a.b", "{a: {b: 1}}"},
		{"the last of others", "{a: {labels: {b: 1}}}", "a.labels[b]", "a.b", "{a: {labels: {}, b: 1}}"},
		{"where something is", "{a: 1, b: {c: 2}}", "a", "b.c", ""},
		{"into a text", "{a: 1, b: text}", "a", "b.c", ""},
		{"to the index of a mapping", "{a: 1, b: [2]}", "a", "b.c", ""},
		{"out of what is not there", "{a: [{b: 1}], d: {}}", "a[1].b", "d.b", ""},
		{"out of no index", "{a: [{b: 1}], d: {}}", "a.x.b", "d.b", ""},
		{"whose key has an anchor", "{&x a: 1, b: {}, c: *x}", "a", "b.a", ""},
		{"whose value has an anchor", "{a: &x 1, b: {}, c: *x}", "a", "b.a", "{b: {a: &x 1}, c: *x}"},
		{"out of what an alias stands for", "{a: &x {b: 1}, c: *x, d: {}}", "c.b", "d.b", ""},
		{"into what an alias stands for", "{a: &x {b: 1}, c: *x, d: 1}", "d", "c.d", ""},
	} {
		c := &CRD{Node: yaml.MustParse(tt.text).YNode()}
		before := shown(t, c.Node)
		moved, want := c.Move(tt.from, tt.to), before
		if tt.want != "" {
			want = shown(t, yaml.MustParse(tt.want).YNode())
		}
		if got := shown(t, c.Node); moved != (tt.want != "") || got != want {
			t.Errorf("%s: moved %v:\n%s\nwant\n%s", tt.name, moved, got, want)
		}
	}
}
