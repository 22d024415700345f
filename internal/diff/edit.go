package diff

import "strings"

// An Edit replaces a part of a text, from one offset in bytes to another.
type Edit struct {
	Start, End int // End is exclusive
	New        string
}

// Edits returns the edits, of whole lines and in order, that turn a text into another.
func Edits(old, new []byte) (edits []Edit) {
	a, b := lines(old), lines(new)
	offset, line := 0, 0
	after := func(n int) int {
		for ; line < n; line++ {
			offset += len(a[line])
		}
		return offset
	}
	for _, c := range changes(a, b) {
		edits = append(edits, Edit{after(c.a0), after(c.a1), strings.Join(b[c.b0:c.b1], "")})
	}
	return edits
}
