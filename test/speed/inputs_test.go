package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/cli"
	"github.com/crdlift/crdlift/internal/testing/specimen"
)

func TestIsSingle(t *testing.T) {
	t.Parallel()
	const crd = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: a\n"
	long := "  annotations: {a: \"" + strings.Repeat("kind: CustomResourceDefinition ", 1000) + "\"}\n"
	for _, tt := range []struct {
		name, text string
		want       bool
	}{
		{"a CRD", crd, true},
		{"without a line break at its end", strings.TrimSuffix(crd, "\n"), true},
		{"with CRLF", strings.ReplaceAll(crd, "\n", "\r\n"), true},
		{"after a comment and a separator", "# generated\n\n---\n" + crd, true},
		{"after a directive", "%YAML 1.2\n---\n" + crd, true},
		{"with a long line", crd + long, true},
		{"two", crd + "---\n" + crd, false},
		{"two, with a comment at the separator", crd + "--- # another\n" + crd, false},
		{"and something else", crd + "---\nkind: ConfigMap\n", false},
		{"and nothing", crd + "---\n", false},
		{"something else", "kind: ConfigMap\n", false},
		{"a list", "kind: List\nitems:\n- kind: CustomResourceDefinition\n", false},
		{"nothing", "", false},
	} {
		if got, err := isSingle(strings.NewReader(tt.text)); got != tt.want || err != nil {
			t.Errorf("%s: %v, %v", tt.name, got, err)
		}
	}
}

// TestSingle orders files by their sizes, and leaves out those that are not of one CRD.
func TestSingle(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const crd = "kind: CustomResourceDefinition\n"
	for name, text := range map[string]string{
		"a/small.yaml": crd, "b/large.yml": crd + strings.Repeat("# much\n", 9), "b/small.yaml": crd, "c.json": crd, "d.yaml": "kind: Secret\n",
	} {
		if _, err := put(filepath.Join(dir, filepath.Dir(name)), filepath.Base(name), text); err != nil {
			t.Fatal(err)
		}
	}
	files, err := single(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range files {
		path, _ := filepath.Rel(dir, f.path)
		got = append(got, filepath.ToSlash(path))
		if info, err := os.Stat(f.path); err != nil || info.Size() != f.size {
			t.Errorf("%s: %d bytes, %v", path, f.size, err)
		}
	}
	if want := []string{"b/large.yml", "a/small.yaml", "b/small.yaml"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestCopyAges takes the first and the last release, of CRDs that have two.
func TestCopyAges(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"r/a/001", "r/a/002", "r/a/003", "r/b/001", "s/c/001", "s/c/002"} {
		if _, err := put(filepath.Join(dir, "evolution", filepath.Dir(name)), filepath.Base(name)+".yaml", name); err != nil {
			t.Fatal(err)
		}
	}
	older, newer := filepath.Join(dir, "older"), filepath.Join(dir, "newer")
	if err := (&bench{evolution: filepath.Join(dir, "evolution")}).copyAges(older, newer); err != nil {
		t.Fatal(err)
	}
	s, err := ages(older, newer)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, pair := range s.ages {
		for _, path := range pair {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, string(text))
		}
	}
	if want := []string{"r/a/001", "r/a/003", "s/c/001", "s/c/002"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestTasks looks whether crdlift accepts the large files, and whether they are as large as the table says.
func TestTasks(t *testing.T) {
	t.Parallel()
	const size = 100_000
	for _, task := range tasks {
		t.Run(task.on, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			args, err := task.write(dir, size)
			if err != nil {
				t.Fatal(err)
			}
			var out, summary strings.Builder
			code, want := cli.Run(args, strings.NewReader(""), &out, &summary), 0
			if args[0] == "convert" { // there is something to convert
				want = 1
			}
			if code != want || strings.Contains(out.String(), "[") {
				t.Errorf("%v: exit code %d, want %d\n%s%s", args, code, want, &out, &summary)
			}
			f, err := survey(dir)
			if err != nil || f.size < size*9/10 || f.size > size*13/10 {
				t.Errorf("%d bytes, %v", f.size, err)
			}
		})
	}
}

// TestEditor has an editor talk to the language server, as the contest does, and to one that is none.
func TestEditor(t *testing.T) {
	t.Parallel()
	program, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{ctx: t.Context(), dir: t.TempDir(), crdlift: program}
	if err := os.Mkdir(b.home(), 0o755); err != nil {
		t.Fatal(err)
	}
	opened, changed, session, err := b.typing(5_000)
	if err != nil {
		t.Fatal(err)
	}
	if opened.wall <= 0 || len(changed) != edits || changed[0].wall <= 0 || session.wall < opened.wall {
		t.Errorf("opened in %v, %d changes, session of %v", opened.wall, len(changed), session.wall)
	}
	folder := filepath.Join(b.dir, "many")
	if _, err := writeFiles(folder, 120, specimen.CRD{Version: "v1", Parts: 1}); err != nil {
		t.Fatal(err)
	}
	settled, session, err := b.opening(folder)
	if err != nil || settled.wall <= 0 || session.wall < settled.wall {
		t.Errorf("settled in %v, session of %v, %v", settled.wall, session.wall, err)
	}
	b.crdlift = filepath.Join(b.dir, "missing")
	if _, _, _, err := b.typing(5_000); err == nil || !strings.Contains(err.Error(), "missing") {
		t.Errorf("a server that is missing: %v", err)
	}
}
