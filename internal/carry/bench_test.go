package carry

import "testing"

// BenchmarkCarry is an object of versions that differ, and what a create of it alone takes.
func BenchmarkCarry(b *testing.B) {
	w := wayTo(b, &Carrier{Options: Options{To: "v1"}}, definition(b, read(b, "pots.yaml")), "v1beta1")
	o := object(b, pot+"spec: {clay: red, depth: 2, lid: true, handles: [{side: left, size: 1}, {side: right, size: 1}]}")
	b.Run("create", func(b *testing.B) {
		for b.Loop() {
			w.from.Create(o)
		}
	})
	b.Run("carry", func(b *testing.B) {
		for b.Loop() {
			w.Carry(o, false)
		}
	})
}
