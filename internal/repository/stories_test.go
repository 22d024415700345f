package repository

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write the roles of the trees in testdata anew")

// Each archive of testdata is a small repository, and what its files are. Its first lines say what it shows.
func TestStories(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal(archives, err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			tree, settings := treeOf(a)
			got, want := told(tree, settings...), &a.Files[len(a.Files)-1]
			if want.Name != "want" {
				t.Fatalf("%s ends with %s, not with want", name, want.Name)
			}
			if got == string(want.Data) {
				return
			}
			if *update {
				want.Data = []byte(got)
				if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			t.Errorf("got\n%swant\n%s", got, want.Data)
		})
	}
}
