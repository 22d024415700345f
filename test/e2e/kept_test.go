package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"path"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/manifest"
	custom "github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"sigs.k8s.io/yaml"
)

// keptCRD is a CRD whose rule today's server takes where there are at most 4 hosts, and not where there are any number.
const keptCRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: PLURAL.kept.example.com}
spec:
  group: kept.example.com
  scope: Namespaced
  names: {kind: KIND, listKind: KINDList, plural: PLURAL, singular: SINGULAR}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {type: integer, maximum: 5, default: 2}
              hosts:
                type: array
                maxItems: 4
                items: {type: string, maxLength: 64}
                x-kubernetes-validations:
                - rule: RULE
`

// TestKept has a server keep a CRD that it would not take anew, and compares what becomes of objects with what is said of them.
func TestKept(t *testing.T) {
	s := today(t)
	const limit = "                maxItems: 4\n                items: {type: string, maxLength: 64}\n"
	for i, test := range []struct {
		name, rule, broken string // broken is what of the CRD an older server has taken
		updates            bool   // today's server takes an update that leaves it as it is
	}{
		{"a rule of too high costs", `"self.all(a, self.all(b, self.all(c, a == b || b == c || !a.endsWith(b))))"`, "                maxItems: 100\n                items: {type: string, maxLength: 50}\n", true},
		{"a rule that may cost anything", `"self.all(a, self.all(b, a == b || !a.endsWith(b)))"`, "                items: {type: string}\n", false},
		{"a function of URLs", `"self.all(a, !isURL(a) || url(a).getEscapedPath() == '')"`, "                items: {type: string}\n", false},
	} {
		kind := fmt.Sprintf("Kept%c", 'a'+i)
		taken := strings.NewReplacer("KIND", kind, "PLURAL", strings.ToLower(kind)+"s", "SINGULAR", strings.ToLower(kind), "RULE", test.rule).Replace(keptCRD)
		kept := strings.Replace(taken, limit, test.broken, 1)
		t.Run(test.name, func(t *testing.T) {
			if a, err := s.createCRD("v1", jsonOf(t, kept)); err != nil || a.code != http.StatusUnprocessableEntity {
				t.Fatalf("it is created: %s, %v", a.reason(), err)
			}
			name := strings.ToLower(kind) + "s.kept.example.com"
			if a, err := s.createCRD("v1", jsonOf(t, taken)); err != nil || !a.ok() {
				t.Fatalf("%s, %v", a.reason(), err)
			}
			defer func() { _ = s.deleteCRD(name) }()
			if reason, err := s.establish(name); err != nil || reason != "" {
				t.Fatalf("%s, %v", reason, err)
			}
			keepCRD(t, s, name, kept)
			const object = `{"apiVersion": "kept.example.com/v1", "kind": %q, "metadata": {"name": "o%d", "namespace": "default"}, "spec": %s}`
			path := "/apis/kept.example.com/v1/namespaces/default/" + strings.ToLower(kind) + "s"
			var a answer
			if err := wait("serving what is kept", func() (_ bool, err error) { // which takes five hosts
				a, err = s.request(http.MethodPost, path, fmt.Appendf(nil, object, kind, 100, `{"hosts": ["a", "c", "d", "e", "f"]}`))
				return a.ok(), err
			}); err != nil {
				t.Fatal(err, a.reason())
			}
			a, err := s.requestOf(http.MethodPatch, crdsOf("v1")+"/"+name, "application/json", "application/merge-patch+json", []byte(`{"metadata":{"labels":{"touched":"yes"}}}`))
			if err != nil || a.ok() != test.updates {
				t.Errorf("an update that leaves it as it is: %s, %v; want %t", a.reason(), err, test.updates)
			}

			d := custom.Definitions("crd.yaml", "crd.yaml", []byte(kept), false)[0]
			judge, why := d.Server()
			if why != "" || !d.IsRefused() {
				t.Fatalf("%q, rejected %t", why, d.IsRefused())
			}
			for n, spec := range []string{`{}`, `{"size": 3, "hosts": ["a", "b"]}`, `{"size": 7}`, `{"hosts": ["a.b", "b"]}`, `{"hosts": ["https://a.b/c d"]}`, `{"hosts": ["a.b", "b"], "size": 6}`} {
				text := fmt.Sprintf(object, kind, n, spec)
				a, err := s.request(http.MethodPost, path, []byte(text))
				if err != nil {
					t.Fatal(err)
				}
				if got := judge.Version("v1").Create(treeOf(t, text)).Accepted(); got != a.ok() {
					t.Errorf("%s: accepted %t, by the server: %s", spec, got, a.reason())
				}
			}
		})
	}
}

func jsonOf(t *testing.T, text string) []byte {
	t.Helper()
	raw, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// keepCRD gives a CRD in etcd the spec of another, as if an older server had taken it.
func keepCRD(t *testing.T, s *server, name, kept string) {
	t.Helper()
	client, err := etcd()
	if err != nil {
		t.Fatal(err)
	}
	key := path.Join("/", s.prefix, "apiextensions.k8s.io/customresourcedefinitions", name)
	found, err := client.Get(context.Background(), key)
	if err != nil || len(found.Kvs) != 1 {
		t.Fatalf("%d CRDs at %s, %v", len(found.Kvs), key, err)
	}
	var stored, other map[string]any
	if err := json.Unmarshal(found.Kvs[0].Value, &stored); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(jsonOf(t, kept), &other); err != nil {
		t.Fatal(err)
	}
	version := other["spec"].(map[string]any)["versions"].([]any)[0].(map[string]any)
	stored["spec"].(map[string]any)["validation"] = version["schema"] // etcd has v1beta1
	raw, err := json.Marshal(stored)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Put(context.Background(), key, string(raw)); err != nil {
		t.Fatal(err)
	}
}

// treeOf is an object as kubectl sends it.
func treeOf(t *testing.T, text string) request.Object {
	t.Helper()
	all, _ := custom.Find(manifest.Parse("object.json", []byte(text)).Documents[0].Root.YNode())
	tree, _, err := all[0].Tree()
	if err != nil {
		t.Fatal(err)
	}
	return tree
}
