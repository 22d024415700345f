package upstream

import (
	"testing"

	"github.com/crdlift/crdlift/internal/testing/corpus"
)

func TestCRDs(t *testing.T) {
	if !corpus.All() {
		t.Skip("builds upstream's tests; CRDLIFT_VOLUME=all does")
	}
	for _, module := range []string{"../../..", "../../../test/v121"} {
		all := CRDs(t, module)
		if t.Logf("%d CRDs", len(all)); len(all) < 200 {
			t.Errorf("%s: there are %d CRDs in upstream's tests", module, len(all))
		}
	}
}
