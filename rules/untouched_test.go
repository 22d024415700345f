package rules

import (
	"reflect"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
)

// TestRulesChangeNoTree runs all rules on the fixtures and finds their trees as they were: the engine takes positions from
// the tree that the rules look at. Fixes, and edits that show them, are made in copies.
func TestRulesChangeNoTree(t *testing.T) {
	t.Parallel()
	looked, found := 0, 0
	for _, f := range fixtures(t) {
		l := f.linter(t)
		if l.Kind != nil || l.Conversions != nil {
			continue
		}
		for _, d := range manifest.Parse(f.path, f.src).Documents {
			if d.Root == nil {
				continue
			}
			root := d.Root.YNode()
			crds, _ := crd.Find(root)
			before := crd.Clone(root)
			for _, c := range crds {
				looked++
				found += len(l.CRD(d, c))
			}
			if !reflect.DeepEqual(root, before) {
				t.Errorf("%s: the tree of document %d was changed", f.path, d.Index)
			}
		}
	}
	if looked < 700 || found < 2*looked {
		t.Errorf("%d findings about %d CRDs; there should be more to look at", found, looked)
	}
}
