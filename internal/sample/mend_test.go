package sample

import (
	"testing"

	"github.com/crdlift/crdlift/internal/request"
)

// TestWeight takes an object for better whose spec is right, however much is wrong with its status: that shows only then.
func TestWeight(t *testing.T) {
	t.Parallel()
	spec := []request.Cause{{Stage: request.Rule, Path: request.Keys("spec", "role")}}
	status := []request.Cause{{Stage: request.List, Path: request.Keys("status", "parts")}, {Stage: request.List, Path: request.Keys("status", "conditions")}}
	if weight(status) >= weight(spec) {
		t.Errorf("status: %d, spec: %d", weight(status), weight(spec))
	}
	if weight(status[:1]) >= weight(status) || weight(nil) != 0 {
		t.Errorf("one less: %d of %d; none: %d", weight(status[:1]), weight(status), weight(nil))
	}
}
