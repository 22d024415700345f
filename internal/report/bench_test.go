package report

import (
	"io"
	"testing"
)

// BenchmarkWrite writes a report of a thousand findings and more.
func BenchmarkWrite(b *testing.B) {
	r := nasty()
	for findings := r.Findings; len(r.Findings) < 1000; {
		r.Findings = append(r.Findings, findings...)
	}
	for _, format := range Formats() {
		b.Run("format="+string(format), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := Write(io.Discard, format, r, options); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
