package gotypes

import (
	"slices"
	"testing"
)

// TestInlined finds what is inlined into a struct, however deep, and even if that goes round in a circle.
func TestInlined(t *testing.T) {
	t.Parallel()
	dir := repositoryOf(t, map[string]string{"v1/types.go": declaration + `	Plain  Leaf   ` + "`json:\"plain\"`" + `
	Outer  Outer  ` + "`json:\"outer\"`" + `
	Circle Circle ` + "`json:\"circle\"`" + `
	List   []Outer ` + "`json:\"list\"`" + `
}

type Leaf struct{ metav1.TypeMeta }

type Middle struct{ Leaf }

type Outer struct {
	Middle ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta
	Named Leaf ` + "`json:\"named\"`" + `
}

type Circle struct{ *Circle }
`})
	kind := New(dir, DefaultLimits).Find("crd.yaml", widget).Kind
	for path, want := range map[string][]string{
		"plain":  nil,
		"outer":  {"Outer.Middle", "Middle.Leaf", "Outer.ObjectMeta"},
		"circle": {"Circle.Circle"},
		"list":   nil,
	} {
		at := kind.At("properties", path)
		var got []string
		for _, inlined := range at.Inlined() {
			got = append(got, inlined.Field.Symbol)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v", path, got)
		}
	}
}
