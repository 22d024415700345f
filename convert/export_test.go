package convert

import (
	"bytes"
	"fmt"

	"github.com/crdlift/crdlift/internal/conversion"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/manifest"
)

// Verify proves a conversion from its bytes alone, which File does only where it cannot tell by the trees.
func Verify(path string, input []byte, res *Result) error {
	if opened := manifest.Open(path, path, input); opened.Template != nil {
		return verifyTemplate(path, input, res)
	}
	if _, err := checkNeighbours(manifest.Split(path, input), res.Output, res.CRDs); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return verify(input, res.Output, res.CRDs)
}

// verifyTemplate verifies what the masks of a template leave. A server wants a group with a dot.
func verifyTemplate(path string, input []byte, res *Result) error {
	masked := func(src []byte) *manifest.File {
		return manifest.Open(path, path, bytes.ReplaceAll(src, []byte("{{ .Values.group }}"), []byte("example.com"))).Worlds[0]
	}
	world, after := masked(input), masked(res.Output)
	var seen []CRD
	for _, c := range res.CRDs {
		if at, _ := world.Offset(c.Line, 1); !lines.IsBlankOrComment(lines.Text(world.Source[at:])) {
			seen = append(seen, c)
		}
	}
	if _, err := checkNeighbours(world, after.Source, seen); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return verify(world.Source, after.Source, seen)
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
