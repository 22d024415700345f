package compare_test

import (
	"fmt"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/compare"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/testing/specimen"
)

// BenchmarkCRDs compares a CRD of 100 KB with itself, and with one that lacks some of its properties.
func BenchmarkCRDs(b *testing.B) {
	whole := specimen.Sized("v1", 0, 100_000)
	for _, lacking := range []int{0, 1, 30} {
		b.Run(fmt.Sprintf("lacking=%d", lacking), func(b *testing.B) {
			part := whole
			part.Parts -= lacking
			old, new := parsed(b, whole.YAML()), parsed(b, part.YAML())
			b.SetBytes(int64(len(whole.YAML())))
			b.ReportAllocs()
			for b.Loop() {
				c, err := compare.CRDs(old, new)
				if err != nil || (len(c.Changes) == 0) != (lacking == 0) {
					b.Fatal(c, err)
				}
			}
		})
	}
}

func parsed(b *testing.B, text string) *crd.CRD {
	root, err := yaml.Parse(text)
	if err != nil {
		b.Fatal(err)
	}
	found, _ := crd.Find(root.YNode())
	return found[0]
}
