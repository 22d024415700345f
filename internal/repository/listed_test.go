package repository

import "testing"

// TestListedIn finds what applies a CRD with its patches. A test's kustomization is nobody's way to a cluster.
func TestListedIn(t *testing.T) {
	t.Parallel()
	r := Look(files{
		"config/crd/kustomization.yaml": "resources: [bases/widgets.yaml]\n",
		"config/crd/bases/widgets.yaml": whole("Widget.example.org", true),
		"e2e/kustomization.yaml":        "resources: [gadgets.yaml]\n",
		"e2e/gadgets.yaml":              whole("Gadget.example.org", false),
		"api/types.go":                  "// +groupName=example.org\npackage api\n\ntype Widget struct {\n\tmetav1.TypeMeta\n}\n",
	})
	for file, folder := range map[string]string{"config/crd/bases/widgets.yaml": "config/crd", "e2e/gadgets.yaml": "", "api/types.go": ""} {
		if got := r.ListedIn(file); got != folder {
			t.Errorf("%s is listed in %q, want %q", file, got, folder)
		}
	}
	if !r.Tells("widgets.example.org") || r.Tells("gadgets.example.org") || r.Tells("others.example.org") {
		t.Error("other CRDs are told of")
	}
}
