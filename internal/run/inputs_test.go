package run

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestFindFollowsNoLoops walks a folder with links to itself, to a file, to nothing and to a file that is found anyway.
func TestFindFollowsNoLoops(t *testing.T) {
	root := t.TempDir()
	t.Chdir(root)
	for _, name := range []string{"crds/a.yaml", "crds/sub/b.yml", "crds/c.JSON", "crds/notes.txt", "crds/.git/d.yaml", "other/e.yaml"} {
		writeFile(t, filepath.FromSlash(name), "x\n")
	}
	for link, target := range map[string]string{
		"crds/loop": ".", "crds/sub/up": "..", "crds/e.yaml": filepath.Join("..", "other", "e.yaml"), "crds/same.yaml": "a.yaml",
		"crds/folder.yaml": "sub", "crds/gone.yaml": "nowhere", "linked": "crds",
	} {
		if err := os.Symlink(target, filepath.FromSlash(link)); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
	}
	f := &Inputs{}
	for _, path := range []string{"linked", "crds", "crds/a.yaml", "other"} {
		f.Find(filepath.FromSlash(path))
	}
	var got []string
	for _, in := range f.All {
		got = append(got, Slashed(in.Path))
	}
	want := []string{"linked/a.yaml", "linked/c.JSON", "other/e.yaml", "linked/sub/b.yml"}
	if !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
	// gone.yaml, once for each time the folder was walked.
	if len(f.Errs) > 0 || len(f.nowhere) != 2 || filepath.Base(f.nowhere[0]) != "gone.yaml" {
		t.Errorf("errors: %v, links that lead to no file: %q", f.Errs, f.nowhere)
	}
}

// TestFindWhatIsNamed: a walk passes over what the run reads or writes itself, and a configuration wherever it is. A file that
// is named is taken, but for those that are no inputs anyway: of these it is enough that they are there.
func TestFindWhatIsNamed(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"crds/a.yaml", "crds/report.yaml", "crds/baseline.yaml", "crds/.crdlift.yaml", "b.txt"} {
		writeFile(t, filepath.FromSlash(name), "x\n")
	}
	for _, test := range []struct {
		paths  string
		want   string // with a mark at those that are named
		filled []int
	}{
		{"crds", "crds/a.yaml", nil},
		{"crds/a.yaml crds", "crds/a.yaml!", nil},
		{"crds crds/a.yaml", "crds/a.yaml!", nil},
		{"b.txt", "b.txt!", nil},
		{"crds/report.yaml", "crds/report.yaml!", nil},
		{"crds crds/report.yaml", "crds/a.yaml crds/report.yaml!", nil},
		{"crds/report.yaml crds", "crds/report.yaml! crds/a.yaml", nil},
		{"crds crds/baseline.yaml", "crds/a.yaml", []int{1}},
		{"crds/.crdlift.yaml b.txt crds/baseline.yaml", "b.txt!", []int{0, 2}},
		{"- b.txt", StdinName + " b.txt!", nil},
	} {
		f := &Inputs{own: []reserved{{"crds/baseline.yaml", theBaseline}, {"", theConfiguration}}, outputs: []string{"crds/report.yaml", "later.json"}}
		for path := range strings.FieldsSeq(test.paths) {
			f.Find(filepath.FromSlash(path))
		}
		var got []string
		for _, in := range f.All {
			name := Slashed(in.Path)
			if in.named {
				name += "!"
			}
			got = append(got, name)
		}
		if got := strings.Join(got, " "); got != test.want || len(f.Errs) > 0 {
			t.Errorf("%s: found %s, want %s; %v", test.paths, got, test.want, f.Errs)
		}
		if got := slices.Sorted(maps.Keys(f.filled)); !slices.Equal(got, test.filled) {
			t.Errorf("%s: %v need nothing more, want %v", test.paths, got, test.filled)
		}
		if f.walked != slices.Contains(strings.Fields(test.paths), "crds") {
			t.Errorf("%s: that a folder was walked is %t", test.paths, f.walked)
		}
	}
}

func TestMirrorOf(t *testing.T) {
	here := t.TempDir()
	t.Chdir(here)
	for path, want := range map[string]string{
		"a.yaml": "a.yaml", filepath.Join("d", "a.yaml"): filepath.Join("d", "a.yaml"), ".": "",
		filepath.Join("..", "a.yaml"): "", filepath.Join(here, "a.yaml"): "a.yaml", filepath.Dir(here): "",
	} {
		if got := mirrorOf(path); got != want {
			t.Errorf("mirrorOf(%q) = %q, want %q", path, got, want)
		}
	}
}

func TestRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "crd.yaml")
	writeFile(t, path, "12345678")
	for limit, want := range map[int64]bool{7: false, 8: true, 9: true} {
		text, err := (Input{Path: path}).Read(nil, limit)
		if (err == nil) != want || want && string(text) != "12345678" {
			t.Errorf("limit %d: %q, %v", limit, text, err)
		}
	}
	if _, err := (Input{Path: StdinName}).Read(strings.NewReader("12345678"), 7); err == nil {
		t.Error("standard input has no limit")
	}
	if text, err := (Input{Path: StdinName, Text: []byte("built")}).Read(nil, 1); err != nil || string(text) != "built" {
		t.Errorf("what was built is %q, %v", text, err)
	}
	absent := filepath.Join(filepath.Dir(path), "absent")
	if _, err := (Input{Path: absent}).Read(nil, 8); !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), absent+": ") {
		t.Errorf("what is not there: %v", err)
	}
	if runtime.GOOS != "windows" {
		if _, err := (Input{Path: t.TempDir()}).Read(nil, 8); err == nil {
			t.Error("a folder was read")
		}
	}
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestByKind(t *testing.T) {
	f := Inputs{All: []Input{{kind: "Mast"}, {kind: "Boat"}, {}, {kind: "Mast"}, {kind: "Boat"}}}
	if got := f.ByKind(); !slices.Equal(got, []int{2, 1, 4, 0, 3}) {
		t.Errorf("got %v", got)
	}
}
