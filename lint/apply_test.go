package lint

import "testing"

// TestApplyOf assumes nothing of an object that comes from a cluster, and holds to what the user says.
func TestApplyOf(t *testing.T) {
	t.Parallel()
	said := Apply{Way: ServerSide, Manager: "flux", Force: true}
	assumed := said
	assumed.Assumed = true
	if said.Of(true) != said || said.Of(false) != said || assumed.Of(false) != assumed || assumed.Of(true) != (Apply{}) {
		t.Error(said.Of(true), said.Of(false), assumed.Of(false), assumed.Of(true))
	}
}
