package diff

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/crdlift/crdlift/internal/testing/specimen"
)

// BenchmarkUnified compares a file of 100 KB with one in which every n-th line is another.
func BenchmarkUnified(b *testing.B) {
	old := []byte(specimen.Sized("v1", 0, 100_000).YAML())
	for _, every := range []int{1000, 10, 1} {
		b.Run(fmt.Sprintf("every=%d", every), func(b *testing.B) {
			lines := bytes.SplitAfter(old, []byte("\n"))
			for i := 0; i < len(lines); i += every {
				lines[i] = append([]byte("  "), lines[i]...)
			}
			changed := bytes.Join(lines, nil)
			b.SetBytes(int64(len(old)))
			b.ReportAllocs()
			for b.Loop() {
				if len(Unified("a", "b", old, changed)) == 0 {
					b.Fatal("no difference")
				}
			}
		})
	}
}
