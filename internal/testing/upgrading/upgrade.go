package upgrading

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/sample"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"
)

// An Upgrade replaces a CRD by a stricter one while there is an object.
type Upgrade struct {
	Name    string
	Was, Is []byte         // the manifests, as JSON
	Object  map[string]any // what is stored

	Inside, Outside func(map[string]any) // changes in the part that has to stay as it is, and elsewhere
	Status          func(map[string]any) // a change of the status
	Scope           string               // that part, where the object is not rejected in any case
}

// a file is what a person writes of one: two schemas, and what else the stricter CRD has.
type file struct {
	Was, Is                 map[string]any
	Scale                   map[string]any
	Object                  map[string]any
	Inside, Outside, Status map[string]any
	Scope                   string
}

// groupOf is the group of a kind: each has its own, so that servers need not look for conflicts of names.
func groupOf(kind string) string { return kind + ".example.com" }

// all reads the upgrades in a folder.
func all(t testing.TB, folder string) map[string]Upgrade {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no upgrades in %s: %v", folder, err)
	}
	upgrades := map[string]Upgrade{}
	for _, path := range paths {
		u, err := read(path)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		upgrades[u.Name] = u
	}
	return upgrades
}

func read(path string) (u Upgrade, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return u, err
	}
	raw, err := yaml.YAMLToJSON(text) // merged keys are no duplicates then
	if err != nil {
		return u, err
	}
	var f file
	if err := yaml.UnmarshalStrict(raw, &f); err != nil {
		return u, err
	}
	u = Upgrade{Name: strings.TrimSuffix(filepath.Base(path), ".yaml"), Scope: f.Scope}
	kind := strings.ReplaceAll(u.Name, "-", "")
	if u.Was, err = manifest(kind, f.Was, nil); err != nil {
		return u, err
	}
	if u.Is, err = manifest(kind, f.Is, f.Scale); err != nil {
		return u, err
	}
	u.Object = map[string]any{"apiVersion": groupOf(kind) + "/v1", "kind": kind, "metadata": map[string]any{"name": "test", "namespace": "default"}}
	if f.Inside == nil || f.Outside == nil || f.Status == nil || f.Object == nil {
		return u, errors.New("it has to have an object, and changes inside, outside and of the status")
	}
	for change, to := range map[*map[string]any]*func(map[string]any){&f.Inside: &u.Inside, &f.Outside: &u.Outside} {
		*to = func(o map[string]any) { merge(o, *change) }
	}
	u.Status = func(o map[string]any) { merge(o, map[string]any{"status": f.Status}) }
	merge(u.Object, f.Object)
	return u, nil
}

// manifest is a CRD of a kind with one version.
func manifest(kind string, schema, scale map[string]any) ([]byte, error) {
	subresources := map[string]any{"status": map[string]any{}}
	if scale != nil {
		subresources["scale"] = scale
	}
	return utiljson.Marshal(map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": map[string]any{"name": kind + "s." + groupOf(kind)},
		"spec": map[string]any{
			"group": groupOf(kind), "scope": "Namespaced",
			"names": map[string]any{"kind": kind, "listKind": kind + "List", "singular": kind, "plural": kind + "s"},
			"versions": []any{map[string]any{
				"name": "v1", "served": true, "storage": true,
				"subresources": subresources, "schema": map[string]any{"openAPIV3Schema": schema},
			}},
		},
	})
}

// merge puts the members of one object into another, and replaces what is no object.
func merge(to, from map[string]any) {
	for name, value := range from {
		below, both := to[name].(map[string]any)
		if more, ok := value.(map[string]any); ok && both {
			merge(below, more)
			continue
		}
		to[name] = sample.Plain(value)
	}
}
