package convert

import (
	"fmt"

	"github.com/crdlift/crdlift/internal/conversion"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
)

// Verify proves a conversion from its bytes alone, which File does only where it cannot tell by the trees.
func Verify(path string, input []byte, res *Result) error {
	if _, err := checkNeighbours(manifest.Split(path, input), res.Output, res.CRDs); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return verify(input, res.Output, res.CRDs)
}

// SameMeaning compares two CRDs of any version as a v1 server would hold them, except for the fields that notes name
// and for status.
func SameMeaning(a, b *crd.CRD, notes []Note) error {
	want, err := conversion.Expected(a)
	if err != nil {
		return err
	}
	got, err := conversion.Expected(b)
	if err != nil {
		return err
	}
	return conversion.Compare(want, got, fieldsOf(notes))
}
