package conversion

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/testing/mutants"
	"github.com/crdlift/crdlift/internal/yaml11"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// TestCovered compares fixtures with mutants of them, and notes one difference after the other until there is none left.
// What covers the differences says so no sooner than the JSON of the two, and hardly ever later.
func TestCovered(t *testing.T) {
	t.Parallel()
	var equal, different, later int
	for path, found := range fixturesOf(t) {
		for i, c := range found {
			raw, err := yaml11.ToJSON(c.Node)
			if err != nil {
				continue
			}
			for n := range 3 {
				mutated, made, err := mutants.Of(raw, rand.New(rand.NewPCG(uint64(i), uint64(n))), 1+n)
				if err != nil {
					break
				}
				for _, mutant := range crd.Parse(mutated) {
					want, err := Expected(c)
					got, again := Expected(mutant)
					if err != nil || again != nil || len(got.Spec.Versions) == 0 { // no list is an empty list here, and null in JSON
						continue
					}
					want.Status, got.Status = v1.CustomResourceDefinitionStatus{}, v1.CustomResourceDefinitionStatus{}
					noted := notedFields{}
					for range 10 {
						covered := noted.cover(reflect.ValueOf(want), reflect.ValueOf(got), &step{})
						err := compareJSON(want, got, noted)
						switch {
						case err == nil && covered:
							equal++
						case err == nil:
							later++
						case covered:
							t.Errorf("%s, mutant %d %q with %v: %v", path, n, made, noted, err)
						}
						if err == nil {
							break
						}
						different++
						at, _, _ := strings.Cut(err.Error(), " differs from")
						noted[at] = true
					}
				}
			}
		}
	}
	said := fmt.Sprintf("%d equal and %d different, and %d that only their JSON says are equal", equal, different, later)
	if t.Log(said); equal < 100 || different < 100 || later > equal/10 {
		t.Error(said)
	}
}
