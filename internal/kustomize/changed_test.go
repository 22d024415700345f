package kustomize

import (
	"fmt"
	"strings"
	"testing"
)

// TestChanged says of a build whether its CRD is another one than its base, and whether it is where a path leads.
func TestChanged(t *testing.T) {
	const resources = "resources: [crd.yaml]\n"
	operation := func(words string) string {
		return resources + "patches:\n- target: {name: widgets.example.com}\n  patch: '[{" + words + "}]'\n"
	}
	for _, test := range []struct {
		name, kustomization, want string // whether it is, and whether spec.scope, spec.names and spec.versions[0].storage are
	}{
		{"nothing", resources, "false false false false"},
		{"a label", resources + "labels: [{pairs: {a: b}}]\n", "true false false false"},
		{"a value", operation(`"op": "replace", "path": "/spec/scope", "value": "Cluster"`), "true true false false"},
		{"a value of another type", operation(`"op": "replace", "path": "/spec/versions/0/storage", "value": "true"`), "true false false true"},
		{"the same value", operation(`"op": "replace", "path": "/spec/scope", "value": "Namespaced"`), "false false false false"},
		{"something that is gone", operation(`"op": "remove", "path": "/spec/scope"`), "true true false false"},
		{"something more", operation(`"op": "add", "path": "/spec/names/singular", "value": "widget"`), "true false true false"},
		{"a version before", operation(`"op": "add", "path": "/spec/versions/0", "value": {"name": "v2", "served": true, "storage": false}`), "true false false true"},
	} {
		t.Run(test.name, func(t *testing.T) {
			built, _, err := Build(folder(t, map[string]string{"kustomization.yaml": test.kustomization, "crd.yaml": widget}), 1<<20, true)
			if err != nil {
				t.Fatal(err)
			}
			f := built[0]
			at := func(path string) bool { return f.Changes("widgets.example.com", path) }
			if got := fmt.Sprint(f.IsChanged(), at("spec.scope"), at("spec.names"), at("spec.versions[0].storage")); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
			if f.Changes("others.example.com", "spec.scope") {
				t.Error("a CRD that is not there is another one")
			}
		})
	}
}

// TestCompanions: the Services and Certificates of a build stand beside what it changes, for whoever judges that alone.
func TestCompanions(t *testing.T) {
	const service = "{apiVersion: v1, kind: Service, metadata: {name: webhook}}\n"
	for kustomization, want := range map[string]int{
		"resources: [crd.yaml, gadget.yaml, service.yaml]\n": 0,
		"resources: [crd.yaml, gadget.yaml, service.yaml]\npatches:\n- target: {name: gadgets.example.com}\n  patch: '[{\"op\": \"replace\", \"path\": \"/spec/scope\", \"value\": \"Cluster\"}]'\n": 1,
	} {
		built, _, err := Build(folder(t, map[string]string{"kustomization.yaml": kustomization, "crd.yaml": widget, "gadget.yaml": gadget, "service.yaml": service}), 1<<20, true)
		if err != nil || len(built) != 2 {
			t.Fatal(built, err)
		}
		for i, f := range built {
			if strings.Contains(string(f.Text), "kind: Service") != (i == want) {
				t.Errorf("%s: the Service is not in file %d alone", kustomization, want)
			}
		}
	}
}
