package complete

import (
	"bytes"
	"fmt"
	"testing"
)

// BenchmarkAt is the time for what is offered, and what is said, in the middle of an object of 1 MB.
func BenchmarkAt(b *testing.B) {
	var src bytes.Buffer
	src.WriteString(head + "metadata:\n  name: large\nspec:\n  plants:\n")
	middle := 0
	for i := 0; src.Len() < 1<<20; i++ {
		if middle == 0 && src.Len() > 1<<19 {
			middle = src.Len() + len("  - ")
		}
		fmt.Fprintf(&src, "  - name: plant-%d\n    water:\n      litres: %d\n      from: rain # or a well\n", i, i)
	}
	text := &Text{Path: "large.yaml", Source: src.Bytes(), CRDs: garden(b)}
	b.Run("items", func(b *testing.B) {
		for b.Loop() {
			if len(text.At(middle)) == 0 {
				b.Fatal("nothing is offered")
			}
		}
	})
	b.Run("note", func(b *testing.B) {
		for b.Loop() {
			if text.NoteAt(middle+1) == nil {
				b.Fatal("nothing is said")
			}
		}
	})
}
