package convert

import "github.com/crdlift/crdlift/internal/crd"

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
	return compare(want, got, fieldsOf(notes))
}
