package conversion

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/internal/testing/mutants"
	"github.com/crdlift/crdlift/internal/yaml11"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// A covering counts the pairs of CRDs of which a test compared what covers their differences with what their JSON says.
type covering struct{ equal, different, later int }

// compare notes one difference after the other until there is none left. What covers the differences says so no sooner than the
// JSON of the two, and hardly ever later.
func (n *covering) compare(t *testing.T, name string, c, mutant *crd.CRD) {
	t.Helper()
	want, err := Expected(c)
	got, again := Expected(mutant)
	if err != nil || again != nil || len(got.Spec.Versions) == 0 { // no list is an empty list here, and null in JSON
		return
	}
	want.Status, got.Status = v1.CustomResourceDefinitionStatus{}, v1.CustomResourceDefinitionStatus{}
	noted := notedFields{}
	for range 10 {
		covered := noted.cover(reflect.ValueOf(want), reflect.ValueOf(got), &step{})
		err := compareJSON(want, got, noted)
		switch {
		case err == nil && covered:
			n.equal++
		case err == nil:
			n.later++
		case covered:
			t.Errorf("%s with %v: %v", name, noted, err)
		}
		if err == nil {
			return
		}
		n.different++
		at, _, _ := strings.Cut(err.Error(), " differs from")
		noted[at] = true
	}
}

func (n *covering) check(t *testing.T) {
	t.Helper()
	if t.Logf("%+v", *n); n.equal < 100 || n.different < 100 || n.later > n.equal/10 {
		t.Errorf("too few of a kind among %+v", *n)
	}
}

// TestCovered compares fixtures with mutants of them.
func TestCovered(t *testing.T) {
	t.Parallel()
	var n covering
	for path, found := range fixturesOf(t) {
		for i, c := range found {
			raw, err := yaml11.ToJSON(c.Node)
			if err != nil {
				continue
			}
			for k := range 3 {
				mutated, made, err := mutants.Of(raw, rand.New(rand.NewPCG(uint64(i), uint64(k))), 1+k)
				if err != nil {
					break
				}
				for _, mutant := range crd.Parse(mutated) {
					n.compare(t, fmt.Sprintf("%s, mutant %d %q", path, k, made), c, mutant)
				}
			}
		}
	}
	n.check(t)
}

// TestCoveredEach compares small CRDs with those that differ from them in one field, each at each place: a sample of these, or
// all with CRDLIFT_VOLUME=all.
func TestCoveredEach(t *testing.T) {
	t.Parallel()
	var n covering
	for name, text := range mutants.Small() {
		c := crd.Parse([]byte(text))[0]
		raw, err := yaml11.ToJSON(c.Node)
		if err != nil {
			t.Fatal(err)
		}
		for _, change := range corpus.Sample(t, mutants.Each(raw), 100) {
			for _, mutant := range crd.Parse(mutants.With(raw, change)) {
				n.compare(t, fmt.Sprint(name, ", ", change), c, mutant)
			}
		}
	}
	n.check(t)
}
