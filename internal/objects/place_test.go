package objects

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/request"
)

// TestLargeMapping finds the entries of a mapping that has an index as without one, while fixes change it.
func TestLargeMapping(t *testing.T) {
	t.Parallel()
	for _, merged := range []string{"", "  <<: {k3: merged}\n"} {
		var src strings.Builder
		src.WriteString("apiVersion: example.com/v1\nkind: Database\nspec:\n  k5: first\n")
		for i := range 2 * manyEntries {
			fmt.Fprintf(&src, "  k%d: %d\n", i, i)
		}
		_, all := objectsIn(t, src.String()+merged)
		o := all[0]
		spec := crd.Get(o.Node, "spec")
		same := func(when string) {
			t.Helper()
			for i := range 2*manyEntries + 1 {
				name := fmt.Sprintf("k%d", i)
				key, value := crd.Lookup(spec, name)
				place, missing := o.Locate(request.Keys("spec", name))
				if found := missing == 0; found != (key != nil) || found && (place.Key != key || place.Value != value) {
					t.Errorf("%s, %q: %s is at %v, %d missing", when, merged, name, place.Key, missing)
				}
			}
		}
		same("as read")
		if got := len(o.Entries(spec, "k5")); got != 4 {
			t.Errorf("%d nodes of a key that is there twice", got)
		}
		layout.Rename(spec, "k7", fmt.Sprintf("k%d", 2*manyEntries))
		same("after a new name")
		if merged == "" {
			for _, name := range []string{"k5", "k8"} {
				if !o.Remove(request.Keys("spec", name)) {
					t.Errorf("%s is not to be removed", name)
				}
			}
			if o.Remove(request.Keys("spec", "none")) {
				t.Error("what is not there is to be removed")
			}
			same("before it settles")
			o.Settle()
			if crd.Get(spec, "k5") != nil || crd.Get(spec, "k8") != nil || crd.Get(spec, "k9") == nil {
				t.Error("k5 and k8 should be gone, and k9 not")
			}
			same("after it settles")
		}
	}
}
