package goplace

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/diff"
	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/vicinity"
)

var update = flag.Bool("update", false, "write the expected answers anew")

// TestPlaces asks where a small repository declares what its manifests have.
func TestPlaces(t *testing.T) {
	t.Parallel()
	const story = "testdata/places.txtar"
	archive, err := txtar.ParseFile(story)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := txtar.Write(archive, dir); err != nil {
		t.Fatal(err)
	}
	want := string(archive.Files[0].Data)
	types := &vicinity.GoTypes{Index: gotypes.New(dir, gotypes.DefaultLimits)}
	var got strings.Builder
	for line := range strings.Lines(want) {
		if strings.HasPrefix(line, " ") {
			continue
		}
		got.WriteString(line)
		name, path, _ := strings.Cut(strings.TrimSpace(line), " ")
		answer(t, &got, types, dir, name, path)
	}
	switch {
	case got.String() == want:
	case *update:
		archive.Files[0].Data = []byte(got.String())
		if err := os.WriteFile(story, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("answers differ:\n%s", diff.Unified("want", "got", []byte(want), []byte(got.String())))
	}
}

// answer writes what there is to say of a path of a manifest.
func answer(t *testing.T, w *strings.Builder, types *vicinity.GoTypes, dir, name, path string) {
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	found, _ := crd.Find(manifest.Parse(name, text).Documents[0].Root.YNode())
	places, gaps := Find(types, name, found[0].Frozen(), path)
	for _, p := range places {
		fmt.Fprintf(w, "  %s\n", p.Outcome)
		lines := p.Lines()
		if lines == nil {
			lines = []string{p.Sentence()}
		}
		for _, line := range lines {
			fmt.Fprintf(w, "    %s\n", line)
		}
	}
	for _, gap := range gaps {
		fmt.Fprintf(w, "  not read: %s\n", gap.Path)
	}
}
