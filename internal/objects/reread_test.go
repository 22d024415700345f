package objects

import (
	"runtime"
	"testing"
	"weak"
)

// crdNamed is a CRD as an item of a list in flow style.
func crdNamed(plural, kind string) string {
	return `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: ` + plural + `.example.com}, spec: {group: example.com,
  scope: Namespaced, names: {plural: ` + plural + `, kind: ` + kind + `}, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}}`
}

// A dump of a cluster has hundreds of CRDs in one list: with a tree of it for each, 50 CRDs took 400 MB.
func TestCRDsOfAListShareItsTree(t *testing.T) {
	t.Parallel()
	all := Definitions("crds.yaml", "crds.yaml", []byte("apiVersion: v1\nkind: List\nitems:\n- "+crdNamed("as", "A")+"\n- "+crdNamed("bs", "B")+"\n---\n"+crdNamed("cs", "C")+"\n"), true)
	if len(all) != 3 {
		t.Fatalf("%d CRDs, want 3", len(all))
	}
	for _, d := range all {
		if d.Root("v1") == nil || d.Tree().Name() != d.Name {
			t.Errorf("%s has the tree of %q", d.Name, d.Tree().Name())
		}
	}
	if all[0].Written() != all[1].Written() {
		t.Error("the CRDs of one list have trees of their own")
	}
	if all[0].Written() == all[2].Written() {
		t.Error("the CRDs of two documents share a tree")
	}
	shared := weak.Make(all[0].Written())
	for _, d := range all {
		d.Unload(nil)
	}
	runtime.GC()
	if shared.Value() != nil {
		t.Error("the tree is kept though no CRD has it any more")
	}
	if all[1].Root("v1") == nil {
		t.Error("a CRD that was unloaded is not read again")
	}
}
