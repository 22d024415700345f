package crd

import (
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/testing/specimen"
)

func BenchmarkDecode(b *testing.B) {
	for _, version := range []string{"v1", "v1beta1"} {
		b.Run("version="+version, func(b *testing.B) {
			c, size := benchmarked(b, version)
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := c.Decode(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkUnknownFields(b *testing.B) {
	c, size := benchmarked(b, "v1")
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		if unknown := c.UnknownFields(); len(unknown) > 0 {
			b.Fatal(unknown)
		}
	}
}

// benchmarked is a CRD of 100 KB.
func benchmarked(b *testing.B, version string) (c *CRD, size int64) {
	text := specimen.Sized(version, 0, 100_000).YAML()
	root, err := yaml.Parse(text)
	if err != nil {
		b.Fatal(err)
	}
	found, _ := Find(root.YNode())
	return found[0], int64(len(text))
}
