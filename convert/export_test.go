package convert

import (
	"github.com/crdlift/crdlift/internal/crd"
)

// SameMeaning compares two CRDs of any version by what a v1 server would hold of them, but for the fields that notes
// name and for status.
func SameMeaning(a, b *crd.CRD, notes []Note) error {
	want, err := expected(a)
	if err != nil {
		return err
	}
	got, err := expected(b)
	if err != nil {
		return err
	}
	noted := map[string]bool{}
	for _, n := range notes {
		for _, f := range n.Fields {
			noted[f] = true
		}
	}
	return compare(want, got, noted)
}

// Find lists the CRDs of a file.
var Find = find
