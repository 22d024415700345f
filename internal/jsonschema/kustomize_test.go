package jsonschema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/openapi"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/objects"
)

// merges is how kustomize merges lists of a kind by what it knows now: "path strategy keys".
func merges(t yaml.TypeMeta) (all []string) {
	var walk func(s *openapi.ResourceSchema, path string, depth int)
	walk = func(s *openapi.ResourceSchema, path string, depth int) {
		if how, keys := s.PatchStrategyAndKeyList(); strings.Contains(how, "merge") {
			all = append(all, fmt.Sprintf("%s %s %s", path, how, strings.Join(keys, ",")))
			if items := s.Elements(); items != nil {
				walk(items, path+"[]", depth+1)
			}
		}
		if s.Schema.Ref.String() != "" || depth > 12 {
			return
		}
		for name := range s.Schema.Properties {
			if below := s.Field(name); below != nil {
				walk(below, path+"."+name, depth+1)
			}
		}
		if s.Schema.AdditionalProperties != nil {
			if below := s.Field("some key"); below != nil {
				walk(below, path+".*", depth+1)
			}
		}
	}
	if s := openapi.SchemaForResourceType(t); s != nil {
		walk(s, t.APIVersion+" "+t.Kind, 0)
	}
	slices.Sort(all)
	return all
}

// know has kustomize know what a file says, and nothing else.
func know(t *testing.T, crds ...*objects.Definition) {
	t.Helper()
	made, err := ForKustomize(crds)
	if err != nil {
		t.Fatal(err)
	}
	again, err := ForKustomize(crds)
	if err != nil || string(again) != string(made) {
		t.Errorf("written twice, it differs: %v", err)
	}
	openapi.ResetOpenAPI()
	t.Cleanup(openapi.ResetOpenAPI)
	if len(made) > 50_000 {
		t.Errorf("the file has %d bytes: more than what lists are merged by", len(made))
	}
	if err := openapi.SetSchema(map[string]string{"path": "file"}, made, true); err != nil {
		t.Fatal(err)
	}
}

// TestMergeKeys writes the file of a CRD: "path strategy keys" of lists.
func TestMergeKeys(t *testing.T) {
	const container = "{type: object, required: [name], properties: {name: {type: string}, image: {type: string}, command: {type: array, items: {type: string}}, " +
		"env: {type: array, items: {type: object}}, volumeMounts: {type: array, items: {type: object}}, ports: {type: array, items: {type: object}}}}"
	item := func(required, more string) string {
		return "items: {type: object, required: [" + required + "], properties: {name: {type: string" + more + "}, port: {type: integer}, args: {type: array, x-kubernetes-list-type: set, items: {type: string}}}}"
	}
	const none = ""
	for _, test := range []struct{ name, schema, want string }{
		{"a key", "type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], " + item("name", ""), ".list merge name\n.list[].args merge "},
		{"two keys", "type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name, port], " + item("name, port", ""), ".list merge name,port\n.list[].args merge "},
		{"a key with a default", "type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], " + item("name", ", default: a"), none},
		{"one of two keys is not required", "type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name, port], " + item("port", ", default: a"), none},
		{"atomic, with a list inside", "type: array, x-kubernetes-list-type: atomic, " + item("name", ""), none},
		{"of no list type", "type: array, " + item("name", ""), none},
		{"a set", "type: array, x-kubernetes-list-type: set, items: {type: integer}", ".list merge "},
		{"a set of objects", "type: array, x-kubernetes-list-type: set, items: {type: object, x-kubernetes-map-type: atomic}", none},
		{"in a map", "type: object, additionalProperties: {type: array, x-kubernetes-list-type: set, items: {type: number}}", ".list.* merge "},
		{"containers", "type: object, properties: {containers: {type: array, items: " + container + "}}", ".list.containers merge name\n" +
			".list.containers[].env merge name\n.list.containers[].ports merge containerPort,protocol\n.list.containers[].volumeMounts merge mountPath"},
		{"atomic containers", "type: object, properties: {containers: {type: array, x-kubernetes-list-type: atomic, items: " + container + "}}", none},
		{"other containers", "type: object, properties: {containers: {type: array, " + item("name", "") + "}}", none},
		{"any fields", "type: object, x-kubernetes-preserve-unknown-fields: true", none},
	} {
		t.Run(test.name, func(t *testing.T) {
			know(t, define(t, "type: object\nproperties:\n  metadata: {type: object}\n  list: {"+test.schema+"}\n"))
			var got []string
			for _, line := range merges(yaml.TypeMeta{APIVersion: "Shop.example.com/v1", Kind: "Shelf"}) {
				if line = strings.TrimPrefix(line, "Shop.example.com/v1 Shelf"); !strings.HasPrefix(line, ".metadata") {
					got = append(got, line)
				}
			}
			if got := strings.Join(got, "\n"); got != test.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, test.want)
			}
		})
	}
}

// TestMergeKeysOfMetadata writes the file of CRDs that say nothing of lists.
func TestMergeKeysOfMetadata(t *testing.T) {
	for _, schema := range []string{"type: object", "type: object\nx-kubernetes-preserve-unknown-fields: true"} {
		know(t, define(t, schema))
		got := strings.Join(merges(yaml.TypeMeta{APIVersion: "Shop.example.com/v1", Kind: "Shelf"}), "\n")
		if want := "Shop.example.com/v1 Shelf.metadata.finalizers merge \nShop.example.com/v1 Shelf.metadata.ownerReferences merge uid"; got != want {
			t.Errorf("got:\n%s\nwant:\n%s", got, want)
		}
	}
}

// TestMergeKeysOfVersions writes the file of a CRD with a version that is not served, and with one without a schema.
func TestMergeKeysOfVersions(t *testing.T) {
	d := definition(t, "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: shelves.shop.example.com}\nspec:\n"+
		"  group: shop.example.com\n  scope: Namespaced\n  names: {kind: Shelf, plural: shelves}\n  versions:\n"+
		"  - {name: v1, served: true, storage: true}\n  - {name: v2, served: false, storage: false, schema: {openAPIV3Schema: {type: object}}}\n")
	know(t, d)
	of := func(version string) []string {
		return merges(yaml.TypeMeta{APIVersion: "shop.example.com/" + version, Kind: "Shelf"})
	}
	if len(of("v1")) != 2 || len(of("v2")) > 0 {
		t.Errorf("of v1: %q, and of v2: %q", of("v1"), of("v2"))
	}
	made, err := ForKustomize([]*objects.Definition{d})
	if err != nil || !strings.Contains(string(made), `"com.example.shop.v1.Shelf": {`) || strings.Contains(string(made), "null") {
		t.Errorf("%v in %s", err, made)
	}
}

// TestMergeKeysKeepBuiltIn holds all built-in kinds to kustomize's own definitions.
func TestMergeKeysKeepBuiltIn(t *testing.T) {
	openapi.ResetOpenAPI()
	kinds := map[yaml.TypeMeta][]string{}
	for _, d := range openapi.Schema().Definitions {
		of, _ := d.Extensions["x-kubernetes-group-version-kind"].([]any)
		for _, one := range of {
			var kind struct{ Group, Version, Kind string }
			raw, err := json.Marshal(one)
			if err == nil {
				err = json.Unmarshal(raw, &kind)
			}
			if err != nil {
				t.Fatal(err)
			}
			meta := yaml.TypeMeta{APIVersion: strings.TrimPrefix(kind.Group+"/"+kind.Version, "/"), Kind: kind.Kind}
			kinds[meta] = merges(meta)
		}
	}
	deployment := kinds[yaml.TypeMeta{APIVersion: "apps/v1", Kind: "Deployment"}]
	if len(kinds) < 150 || len(deployment) < 20 {
		t.Fatalf("%d kinds, %d lists of Deployments", len(kinds), len(deployment))
	}
	know(t)
	for kind, want := range kinds {
		if got := merges(kind); !slices.Equal(got, want) {
			t.Errorf("%s %s: got:\n%s\nwant:\n%s", kind.APIVersion, kind.Kind, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}
