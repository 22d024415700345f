package suite_test

import (
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/suite"
)

var update = flag.Bool("update", false, "write what the stories of testdata come to anew")

// TestStories runs the suites of testdata. Each archive has CRDs, suites and, in want.txt, what becomes of every case:
//
//	pass  NAME
//	skip  NAME
//	fail  NAME: LINE:COLUMN KIND what, and the causes
func TestStories(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no stories", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got, want := play(t, archive), -1
			for i, f := range archive.Files {
				if f.Name == "want.txt" {
					want = i
				}
			}
			if *update {
				archive.Files[want].Data = []byte(got)
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(string(archive.Files[want].Data), got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// play runs the suites of an archive.
func play(t *testing.T, archive *txtar.Archive) string {
	t.Helper()
	files := map[string][]byte{}
	for _, f := range archive.Files {
		files[f.Name] = f.Data
	}
	find := func(where, kind string) (*objects.Definition, string) {
		src, ok := files[where]
		if !ok {
			return nil, "there is no " + where
		}
		for _, d := range objects.Definitions(where, where, src, true) {
			if d.Hub.Spec.Names.Kind == kind {
				return d, ""
			}
		}
		return nil, "there is no " + kind + " in " + where
	}
	runner := &suite.Runner{
		Find: func(s *suite.Suite, _, kind string) (*objects.Definition, string) {
			if s.CRD == "" {
				return find("crd.yaml", kind)
			}
			return find(s.CRD, kind)
		},
		Earlier: func(_ *suite.Suite, where, kind string) (*objects.Definition, string) { return find(where, kind) },
	}
	var b strings.Builder
	for _, f := range archive.Files {
		if !suite.IsNamed(f.Name) {
			continue
		}
		s := suite.Read(manifest.Parse(f.Name, f.Data).Documents[0])
		for _, p := range s.Wrong {
			fmt.Fprintf(&b, "wrong %s:%d:%d %s\n", path.Base(f.Name), p.At.Line, p.At.Column, p.Message)
		}
		if len(s.Wrong) > 0 {
			continue
		}
		for _, r := range runner.Run(s, nil) {
			tell(&b, r)
		}
	}
	return b.String()
}

func tell(b *strings.Builder, r *suite.Result) {
	switch {
	case r.Passed():
		fmt.Fprintf(b, "pass  %s\n", r.Case.Name)
	case len(r.Failures) == 0:
		fmt.Fprintf(b, "skip  %s\n", r.Case.Name)
	}
	for _, f := range r.Failures {
		fmt.Fprintf(b, "fail  %s: %d:%d %s", r.Case.Name, f.At.Line, f.At.Column, f.Kind)
		if f.Path != nil {
			fmt.Fprintf(b, " at %s", f.Path)
		}
		if f.Kind == suite.NotStored {
			fmt.Fprintf(b, ", want %v %v, got %v %v", f.Wanted, f.Want, f.Found, f.Got)
		} else if f.Text != "" {
			fmt.Fprintf(b, ", %s", f.Text)
		}
		for _, c := range f.Causes {
			fmt.Fprintf(b, ", %s by %s", c.Path, suite.ByOf(c))
		}
		b.WriteByte('\n')
	}
}
