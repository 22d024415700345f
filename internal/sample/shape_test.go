package sample

import "testing"

func TestPath(t *testing.T) {
	path := Path{}.To(Property, "spec").To(Property, "list").To(Items, "").To(Values, "")
	if got, want := path.String(), "spec.list[]{}"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := (Path{}).String(), "."; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
