package vicinity

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
	several := gotypes.Answer{Several: []lint.Position{{File: "a.go", Line: 1}, {File: "b.go", Line: 2}}}
	gap := gotypes.Answer{Near: []gotypes.Gap{{Path: "c.go", Reason: "it is a symbolic link"}}}
	noModule := gotypes.Answer{Near: []gotypes.Gap{{Path: "api", Reason: "it has no go.mod"}}}
	const differ = "g/v1 A is declared in several places, and they differ: a.go:1 and b.go:2; choose the folder with --go"
	for name, test := range map[string]struct {
		folders []string
		found   map[string]gotypes.Answer // by kind
		want    []string
	}{
		"nothing asked":           {[]string{"api"}, nil, nil},
		"not declared":            {nil, map[string]gotypes.Answer{"A": {}}, nil},
		"not declared in a place": {[]string{"api"}, map[string]gotypes.Answer{"A": {}}, []string{"Go types: api declares none of the kinds with findings; name the folder of the API types with --go"}},
		"in none of two":          {[]string{"api", "pkg"}, map[string]gotypes.Answer{"A": {}}, []string{"Go types: api and pkg declare none of the kinds with findings; name the folder of the API types with --go"}},
		"no go.mod":               {[]string{"api"}, map[string]gotypes.Answer{"A": noModule}, []string{"api: it has no go.mod; correct that, or findings about g/v1 A may show no place in Go"}},
		"declared once":           {[]string{"api"}, map[string]gotypes.Answer{"A": {Kind: &gotypes.Kind{}}, "B": {}}, nil},
		"declared twice":          {[]string{"api"}, map[string]gotypes.Answer{"A": several}, []string{differ}},
		"two kinds":               {nil, map[string]gotypes.Answer{"B": several, "A": several, "C": gap}, []string{differ + " (and 1 more like this)", "c.go: it is a symbolic link; correct that, or findings about g/v1 C may show no place in Go"}},
	} {
		types := &GoTypes{Folders: test.folders}
		for kind, found := range test.found {
			for range 2 { // as several copies of the manifest do
				types.Note(types.noteOf(map[schema.GroupVersionKind]gotypes.Answer{{Group: "g", Version: "v1", Kind: kind}: found}))
			}
		}
		if diff := cmp.Diff(test.want, types.Notes()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestGoNoteOnVersions has a line for a version that the folders to look in lack, if they have another of its kind.
func TestGoNoteOnVersions(t *testing.T) {
	t.Parallel()
	here, lacks := gotypes.Answer{Kind: &gotypes.Kind{}}, gotypes.Answer{}
	for name, test := range map[string]struct {
		folders []string
		v1, v2  gotypes.Answer
		want    []string
	}{
		"one of two":  {[]string{"api/v1"}, here, lacks, []string{"Go types: api/v1 does not declare g/v2 A, so findings about it show no place in Go; add the folder that does to --go"}},
		"two folders": {[]string{"a", "b"}, lacks, here, []string{"Go types: a and b do not declare g/v1 A, so findings about it show no place in Go; add the folder that does to --go"}},
		"both":        {[]string{"api"}, here, here, nil},
		"neither":     {[]string{"api"}, lacks, lacks, []string{"Go types: api declares none of the kinds with findings; name the folder of the API types with --go"}},
		"no folders":  {nil, here, lacks, nil},
	} {
		types := &GoTypes{Folders: test.folders}
		types.Note(types.noteOf(map[schema.GroupVersionKind]gotypes.Answer{
			{Group: "g", Version: "v1", Kind: "A"}: test.v1,
			{Group: "g", Version: "v2", Kind: "A"}: test.v2,
		}))
		if diff := cmp.Diff(test.want, types.Notes()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
