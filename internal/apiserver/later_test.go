package apiserver_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/internal/testing/mutants"
	"github.com/crdlift/crdlift/internal/yaml11"
)

// A shortcut counts the CRDs that v1beta1 accepts, and those of them that were not validated for it, since v1 accepts them.
type shortcut struct{ accepted, taken int }

// compare wants the verdict on a CRD to be that of the validation for its version.
func (s *shortcut) compare(t *testing.T, name string, c *crd.CRD) {
	t.Helper()
	d, err := c.Decode()
	if err != nil || c.Version != crd.V1beta1 {
		return
	}
	got, want := apiserver.OnCreate(d.Hub, c.Version), apiserver.Validated(d.Hub, c.Version)
	if want.Accepted() {
		s.accepted++
	}
	if got.Later != nil {
		s.taken++
	}
	if fmt.Sprint(opinionOf(got.Errors), got.Panic) != fmt.Sprint(opinionOf(want.Errors), want.Panic) {
		t.Errorf("%s: got %v %s, and by the validation for v1beta1 %v %s", name, got.Errors, got.Panic, want.Errors, want.Panic)
	}
}

func TestLater(t *testing.T) {
	t.Parallel()
	each := 120
	if testing.Short() {
		each = 30
	}
	var s shortcut
	for i, f := range fixtures(t, "v1beta1") {
		s.compare(t, f.name, f.crd)
		raw, err := yaml11.ToJSON(f.crd.Node)
		if err != nil {
			continue
		}
		for n := range each {
			mutated, made, err := mutants.Of(raw, rand.New(rand.NewPCG(uint64(i), uint64(n))), 1+n%3/2)
			if err != nil {
				t.Fatal(err)
			}
			for _, mutant := range crd.Parse(mutated) {
				s.compare(t, fmt.Sprintf("%s, mutant %d %q", f.name, n, made), mutant)
			}
		}
	}
	t.Logf("%+v", s)
	if s.taken < s.accepted/10 {
		t.Errorf("too few are judged for v1 alone: %+v", s)
	}
}

func TestLaterCorpus(t *testing.T) {
	t.Parallel()
	var s shortcut
	for _, path := range corpus.Sample(t, corpus.Files(t, "v1beta1"), 4) {
		for _, c := range readCRDs(t, path) {
			s.compare(t, path, c)
		}
	}
	t.Logf("%+v", s)
}
