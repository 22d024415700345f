package engine

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/lint"
)

// TestGoNotes has a line for each reason, whatever the number of kinds and the order of their manifests.
func TestGoNotes(t *testing.T) {
	t.Parallel()
	several := gotypes.Found{Several: []lint.Position{{File: "a.go", Line: 1}, {File: "b.go", Line: 2}}}
	gap := gotypes.Found{Near: []gotypes.Gap{{Path: "c.go", Reason: "it is a symbolic link"}}}
	const differ = "g/v1 A is declared in several places, and they differ: a.go:1 and b.go:2; --go names the folder to use"
	for name, test := range map[string]struct {
		folders []string
		found   map[string]gotypes.Found // by kind
		want    []string
	}{
		"nothing asked":           {[]string{"api"}, nil, nil},
		"not declared":            {nil, map[string]gotypes.Found{"A": {}}, nil},
		"not declared in a place": {[]string{"api"}, map[string]gotypes.Found{"A": {}}, []string{"Go types: api declares no kind that findings are about"}},
		"in none of two":          {[]string{"api", "pkg"}, map[string]gotypes.Found{"A": {}}, []string{"Go types: api and pkg declare no kind that findings are about"}},
		"declared once":           {[]string{"api"}, map[string]gotypes.Found{"A": {Kind: &gotypes.Kind{}}, "B": {}}, nil},
		"declared twice":          {[]string{"api"}, map[string]gotypes.Found{"A": several}, []string{differ}},
		"two kinds":               {nil, map[string]gotypes.Found{"B": several, "A": several, "C": gap}, []string{differ + " (and 1 more like this)", "c.go: it is a symbolic link; findings about g/v1 C may have no place in Go"}},
	} {
		types := &GoTypes{Folders: test.folders}
		for kind, found := range test.found {
			for range 2 { // as several copies of the manifest do
				types.notes.add(map[schema.GroupVersionKind]gotypes.Found{{Group: "g", Version: "v1", Kind: kind}: found})
			}
		}
		if diff := cmp.Diff(test.want, types.Notes()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
