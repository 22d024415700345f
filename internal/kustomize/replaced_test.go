package kustomize

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/openapi"
)

// routeKeys are the merge keys of a kind whose list is by name, and whose set has no key.
const routeKeys = `{"definitions": {"route": {"x-kubernetes-group-version-kind": [{"group": "example.com", "version": "v1", "kind": "Route"}], "properties": {"spec": {"properties": {
	"list": {"type": "array", "x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "name"},
	"map": {"additionalProperties": {"type": "array", "x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "name"}},
	"set": {"type": "array", "x-kubernetes-patch-strategy": "merge"}}}}}}}`

// TestReplaces finds lists that patches replace: "file:line path lost", by lines.
func TestReplaces(t *testing.T) {
	const head = "apiVersion: example.com/v1\nkind: Route\nmetadata: {name: one}\n"
	const base = head + "spec:\n  list: [{name: a, x: 1}, {name: b, x: 2}]\n  set: [a, 2]\n  map: {some.key: [{name: a}]}\n  other: [{name: a}]\n---\n" +
		"apiVersion: example.com/v1\nkind: Route\nmetadata: {name: two}\nspec: {list: [{name: c}]}\n"
	const plain = "resources: [base.yaml]\npatches: [{path: patch.yaml}]\n"
	for _, test := range []struct{ name, kustomization, patch, want string }{
		{"an item and a field", plain, head + "spec:\n  list:\n  - name: b\n    y: 1\n", "patch.yaml:5 spec.list 2"},
		{"an item", plain, head + "spec: {list: [{name: b, x: 2}]}\n", "patch.yaml:4 spec.list 1"},
		{"a field of an item", plain, head + "spec: {list: [{name: a, x: 1}, {name: b}]}\n", "patch.yaml:4 spec.list 1"},
		{"all items again", plain, head + "spec: {list: [{name: b, x: 2}, {x: 1, name: a}, {name: d}]}\n", ""},
		{"a set", plain, head + "spec: {set: [c, 2]}\n", "patch.yaml:4 spec.set 1"},
		{"all of a set", plain, head + "spec: {set: [2, c, a]}\n", ""},
		{"in a map", plain, head + "spec: {map: {some.key: [{name: d}]}}\n", "patch.yaml:4 spec.map[some.key] 1"},
		{"a list without a key", plain, head + "spec: {other: [{name: b}]}\n", ""},
		{"another kind", plain, "apiVersion: example.com/v1\nkind: Road\nmetadata: {name: one}\nspec: {list: [{name: b}]}\n", "fails"},
		{"two lists, of which one is empty", plain, head + "spec:\n  set: [c, a]\n  list: []\n", "patch.yaml:5 spec.set 1"},
		{"a name with more around it", "namePrefix: x-\nnameSuffix: -y\n" + plain, head + "spec: {list: [{name: b}]}\n", "patch.yaml:4 spec.list 2"},
		{"a target", "resources: [base.yaml]\nnamePrefix: x-\npatches: [{path: patch.yaml, target: {kind: Route, name: on.}}]\n", head + "spec: {list: [{name: b}]}\n", "patch.yaml:4 spec.list 2"},
		{"a target of all of a kind", "resources: [base.yaml]\npatches: [{path: patch.yaml, target: {kind: Route}}]\n", head + "spec: {list: [{name: b}]}\n",
			"patch.yaml:4 spec.list 2\npatch.yaml:4 spec.list 1"},
		{"the last of two patches", "resources: [base.yaml]\npatches:\n- path: patch.yaml\n- patch: |-\n    " + strings.ReplaceAll(head, "\n", "\n    ") + "spec: {list: [{name: c}]}\n",
			head + "spec: {list: [{name: b}]}\n", "kustomization.yaml:8 spec.list 2"},
		{"one is of another object", "resources: [base.yaml]\npatches:\n- path: patch.yaml\n- patch: |-\n    " + strings.ReplaceAll(strings.Replace(head, "one", "two", 1), "\n", "\n    ") + "spec: {list: [{name: c}]}\n",
			head + "spec: {list: [{name: b}]}\n", "patch.yaml:4 spec.list 2"},
		{"one is of another group", "resources: [base.yaml, road.yaml]\npatches:\n- path: patch.yaml\n- patch: |-\n    " + strings.ReplaceAll(strings.Replace(head, "example.com", "example.org", 1), "\n", "\n    ") + "spec: {list: [{name: c}]}\n",
			head + "spec: {list: [{name: b}]}\n", "patch.yaml:4 spec.list 2"},
		{"one is of another kind", "resources: [base.yaml, kind.yaml]\npatches:\n- path: patch.yaml\n- patch: |-\n    " + strings.ReplaceAll(strings.Replace(head, "Route", "Road", 1), "\n", "\n    ") + "spec: {list: [{name: c}]}\n",
			head + "spec: {list: [{name: b}]}\n", "patch.yaml:4 spec.list 2"},
		{"the target of one is of another kind", "resources: [base.yaml, kind.yaml]\npatches:\n- path: patch.yaml\n- target: {kind: Road}\n  patch: |-\n    " + strings.ReplaceAll(head, "\n", "\n    ") + "spec: {list: [{name: c}]}\n",
			head + "spec: {list: [{name: b}]}\n", "patch.yaml:4 spec.list 2"},
		{"a JSON patch", "resources: [base.yaml]\npatches: [{path: patch.yaml, target: {kind: Route, name: one}}]\n", "- {op: replace, path: /spec/list, value: [{name: b}]}\n", ""},
		{"with keys", plain + "openapi: {path: keys.json}\n", head + "spec: {list: [{name: b}]}\n", ""},
		{"with those of another kind", plain + "openapi: {path: others.json}\n", head + "spec: {list: [{name: b}]}\n", "patch.yaml:4 spec.list 2"},
		{"a mapping in the place of the list", plain, head + "spec: {list: {name: b}}\n", "fails"},
		{"an item deleted", plain, head + "spec: {list: [{name: a, $patch: delete}]}\n", "patch.yaml:4 spec.list 1"},
		{"a list replaced", plain, head + "spec: {list: [{$patch: replace}, {name: b, y: 1}]}\n", ""},
		{"a list, and then none", "resources: [base.yaml]\npatches:\n- path: patch.yaml\n- patch: |-\n    " + strings.ReplaceAll(head, "\n", "\n    ") + "spec: {list: null}\n",
			head + "spec: {list: [{name: b}]}\n", ""},
		{"no list", plain, head + "spec: {list: null}\n", ""},
		{"a component", "resources: [base.yaml]\ncomponents: [component]\n", head + "spec: {list: [{name: b}]}\n", "component/patch.yaml:4 spec.list 2"},
		{"beside a CRD", "resources: [crd.yaml, base.yaml]\npatches: [{path: patch.yaml}, {path: crd-patch.yaml}]\n", head + "spec: {list: [{name: b}]}\n", "patch.yaml:4 spec.list 2"},
		{"nothing to build", "resources: [nowhere.yaml]\n", head, "fails"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := folder(t, map[string]string{
				"kustomization.yaml": test.kustomization, "base.yaml": base, "patch.yaml": test.patch, "keys.json": routeKeys,
				"others.json": strings.Replace(routeKeys, "Route", "Road", 1), "kind.yaml": strings.Replace(head, "Route", "Road", 1), "road.yaml": strings.Replace(head, "example.com", "example.org", 1), "crd.yaml": widget,
				"crd-patch.yaml":               "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: widgets.example.com\nspec:\n  versions: []\n",
				"component/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\npatches: [{path: patch.yaml}]\n", "component/patch.yaml": test.patch,
			})
			found, err := Replaces(dir, 1<<20, []byte(routeKeys))
			var got []string
			for _, one := range found {
				path, _ := filepath.Rel(dir, one.File.Path)
				at := one.File.Range(one.Start, one.End)
				got = append(got, fmt.Sprintf("%s:%d %s %d", filepath.ToSlash(path), at.Line, one.Path, one.Lost))
				if one.Group != "example.com" || one.Kind != "Route" || one.In == nil {
					t.Errorf("of %s %s", one.Group, one.Kind)
				}
			}
			if err != nil {
				got = append(got, "fails")
			}
			if got := strings.Join(got, "\n"); got != test.want {
				t.Errorf("got:\n%s\nwant:\n%s\n%v", got, test.want, err)
			}
		})
	}
}

// TestReplacesInRepository reads files beside a folder in a repository, and none outside of it, also by a link.
func TestReplacesInRepository(t *testing.T) {
	const route = "apiVersion: example.com/v1\nkind: Route\nmetadata: {name: one}\nspec: {list: [{name: "
	for name, want := range map[string]string{"../base.yaml": "1 <nil>", "../../out.yaml": "0 ../out.yaml: not in the repository", "link.yaml": "0 overlay/link.yaml: not in the repository"} {
		dir := folder(t, map[string]string{
			"top/.git/HEAD": "ref: refs/heads/main\n", "top/base.yaml": route + "a}]}\n", "out.yaml": route + "a}]}\n", "top/overlay/patch.yaml": route + "b}]}\n",
			"top/overlay/kustomization.yaml": "resources: [" + name + "]\npatches: [{path: patch.yaml}]\n",
		})
		t.Chdir(filepath.Join(dir, "top"))
		if name == "link.yaml" && os.Symlink(filepath.Join(dir, "out.yaml"), filepath.Join("overlay", name)) != nil {
			continue // there are systems where only some may make links
		}
		found, err := Replaces("overlay", 1<<20, []byte(routeKeys))
		if got := fmt.Sprintf("%d %v", len(found), err); filepath.ToSlash(got) != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

// TestBuildsForget builds with the schemas of a kustomization and with keys, and then without: nothing is merged by them any more.
func TestBuildsForget(t *testing.T) {
	dir := folder(t, map[string]string{"kustomization.yaml": "resources: [crd.yaml]\nopenapi: {path: keys.json}\n", "crd.yaml": widget, "keys.json": routeKeys})
	plain := folder(t, map[string]string{"kustomization.yaml": "resources: [crd.yaml]\n", "crd.yaml": widget})
	for _, before := range []func() error{
		func() error { _, _, err := Build(dir, 1<<20, false); return err },
		func() error { _, err := Replaces(plain, 1<<20, []byte(routeKeys)); return err },
	} {
		if err := before(); err != nil {
			t.Fatal(err)
		}
		if _, _, err := Build(plain, 1<<20, false); err != nil {
			t.Fatal(err)
		}
		if openapi.Schema().Definitions["route"].Extensions != nil {
			t.Error("the schemas of a build are those of the next")
		}
		all, err := Definitions()
		if err != nil || all["route"] != nil || all["io.k8s.api.apps.v1.Deployment"] == nil {
			t.Errorf("%d definitions of built-in kinds, %v", len(all), err)
		}
	}
	if _, err := Replaces(plain, 1<<20, []byte("{")); err == nil {
		t.Error("keys that cannot be read are no error")
	}
}
