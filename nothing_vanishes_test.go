package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/crdlift/crdlift/internal/cli"
)

// TestNothingVanishes lints the files of each story as a repository. What is told, with its copies, and what is left out is what all
// files have: a role makes nothing silent. Kustomizations are left out of the stories, since what only a build has comes on top.
func TestNothingVanishes(t *testing.T) {
	stories, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	told, copied, leftOut := 0, 0, 0
	for _, path := range stories {
		story, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			dir := t.TempDir()
			for _, f := range story.Files {
				if !strings.HasPrefix(strings.ToLower(filepath.Base(f.Name)), "kustomization") {
					writeBelow(t, dir, f)
				}
			}
			t.Chdir(dir)
			all := lintJSON(t, "--all-files")
			with := lintJSON(t)
			sum := len(with.told())
			for _, f := range with.Findings { // what is ignored at the source is in its copies, too
				sum += len(f.Copies)
				copied += len(f.Copies)
			}
			for _, left := range with.LeftOut {
				sum += left.Count
				leftOut += left.Count
			}
			told += len(with.told())
			if want := len(all.told()); sum != want {
				t.Errorf("%d findings are told or counted, of %d", sum, want)
			}
		})
	}
	if told < 400 || copied < 20 || leftOut < 20 {
		t.Errorf("%d findings are told, %d in copies, %d left out: the stories show too little", told, copied, leftOut)
	}
}

func writeBelow(t *testing.T, dir string, f txtar.File) {
	t.Helper()
	at := filepath.Join(dir, filepath.FromSlash(f.Name))
	if !filepath.IsLocal(filepath.FromSlash(f.Name)) {
		return
	}
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at, f.Data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// A lintReport is what the test reads of the JSON of `crdlift lint`.
type lintReport struct {
	Findings []foundInJSON
	LeftOut  map[string]struct{ Count int }
}

type foundInJSON struct {
	Ignored string
	Copies  []struct{ File string }
}

func (r lintReport) told() (all []foundInJSON) {
	for _, f := range r.Findings {
		if f.Ignored == "" {
			all = append(all, f)
		}
	}
	return all
}

func lintJSON(t *testing.T, flags ...string) (r lintReport) {
	t.Helper()
	var out, errs bytes.Buffer
	args := append([]string{"lint", "--config", "off", "--preset", "all", "--fail-on", "never", "--allow-empty", "--output", "json"}, flags...)
	if code := cli.Run(append(args, "."), strings.NewReader(""), &out, &errs); code != 0 {
		t.Fatalf("crdlift lint: exit code %d: %s", code, errs.String())
	}
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	return r
}
