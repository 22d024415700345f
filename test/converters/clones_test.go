package converters

import (
	"bytes"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestTekton carries the examples of v1beta1 that the project also has at v1, and compares the two.
func TestTekton(t *testing.T) {
	const examples = "ac12ae9ec"
	c := clone(t, examples)
	dir := t.TempDir()
	for path, src := range files(t, c, examples, "config") {
		if strings.HasPrefix(path, "300-") {
			write(t, filepath.Join(dir, "crds", path), src)
		}
	}
	before, byHand := files(t, c, examples, "examples/v1beta1"), files(t, c, examples, "examples/v1")
	for path, src := range before {
		write(t, filepath.Join(dir, "objects", path), src)
	}
	said := migrate(t, "tekton", "tekton.dev/v1", filepath.Join(dir, "crds"), filepath.Join(dir, "objects"))
	t.Log(said)
	after := read(t, filepath.Join(dir, "objects"))
	pairs, equal := 0, 0
	for _, path := range slices.Sorted(maps.Keys(before)) {
		if byHand[path] == nil {
			continue
		}
		pairs++
		if bytes.Equal(after[path], byHand[path]) {
			equal++
		} else {
			t.Logf("%s:\n%s", path, diff(t, byHand[path], after[path]))
		}
	}
	t.Logf("%d of %d pairs are equal byte for byte", equal, pairs)
	if equal < 69 {
		t.Errorf("%d of %d pairs are equal, and not 69", equal, pairs)
	}
}

// TestClusterAPI carries the manifests of a commit in which people moved the project's own to v1beta2, as they were before.
func TestClusterAPI(t *testing.T) {
	const commit, crds = "4e7f5d2739116410f59546250a489956ab0d5e58", "v1.11.0"
	c := clone(t, commit)
	dir := t.TempDir()
	for _, folder := range []string{"config/crd/bases", "bootstrap/kubeadm/config/crd/bases", "controlplane/kubeadm/config/crd/bases"} {
		for path, src := range files(t, c, crds, folder) {
			// Kustomize puts that in, before they are applied.
			src = bytes.Replace(src, []byte("\nspec:\n"), []byte("\nspec:\n  conversion:\n    strategy: Webhook\n"+
				"    webhook: {conversionReviewVersions: [v1], clientConfig: {service: {name: webhook, namespace: system, path: /convert}}}\n"), 1)
			write(t, filepath.Join(dir, "crds", path), src)
		}
	}
	before := changed(t, c, commit)
	objects := func(all map[string][]byte, version string) (n int) {
		for _, src := range all {
			for _, group := range []string{"", "bootstrap.", "controlplane."} {
				n += bytes.Count(src, []byte("\napiVersion: "+group+"cluster.x-k8s.io/"+version+"\n"))
				if bytes.HasPrefix(src, []byte("apiVersion: "+group+"cluster.x-k8s.io/"+version+"\n")) {
					n++
				}
			}
		}
		return n
	}
	for path, src := range before {
		write(t, filepath.Join(dir, "objects", path), src)
	}
	t.Log(migrate(t, "clusterapi", "v1beta2", filepath.Join(dir, "crds"), filepath.Join(dir, "objects")))
	after := read(t, filepath.Join(dir, "objects"))
	carried, all := objects(after, "v1beta2")-objects(before, "v1beta2"), objects(before, "v1beta1")
	t.Logf("%d of %d objects are carried", carried, all)
	if carried < 40 {
		t.Errorf("%d of %d objects are carried, and not 40", carried, all)
	}
}
