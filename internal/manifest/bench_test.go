package manifest

import (
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/testing/specimen"
)

func BenchmarkParse(b *testing.B) {
	small := "---\na: {b: [1, 2, 3], c: \"a text that takes a line of some length, and more\"}\nd:\n- e\n- f: g\n"
	for _, tt := range []struct{ name, text string }{
		{"size=20KB/documents=1", specimen.Sized("v1", 0, 20_000).YAML()},
		{"size=1MB/documents=1", specimen.Sized("v1", 0, 1_000_000).YAML()},
		{"size=1MB/documents=50", strings.Repeat("---\n"+specimen.Sized("v1", 0, 20_000).YAML(), 50)},
		{"size=1MB/documents=11k", strings.Repeat(small, 1_000_000/len(small))},
	} {
		b.Run(tt.name, func(b *testing.B) {
			src := []byte(tt.text)
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				for _, d := range Parse("crd.yaml", src).Documents {
					if d.Err != nil {
						b.Fatal(d.Err)
					}
				}
			}
		})
	}
}
