package older

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/lint"
)

// inRepository makes a repository with sub/a.yaml and a tag whose name a file has as well, and works in its folder sub.
func inRepository(t *testing.T) (top string) {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(top, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.yaml", "both"} {
		if err := os.WriteFile(filepath.Join(top, "sub", name), []byte("a: b\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(top))
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "-q", "-m", "x"}, {"tag", "both"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = top
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	t.Chdir(filepath.Join(top, "sub"))
	return top
}

// TestParse names revisions, paths in them, and files, from a folder of a repository.
func TestParse(t *testing.T) {
	top := inRepository(t)
	for _, test := range []struct {
		given, want, path string
		isGit             bool
		err               string
	}{
		{"main", "main", "", true, ""},
		{"git:main", "main", "", true, ""},
		{"git:both", "both", "", true, ""},
		{"main:", "main", "", true, ""},
		{"main:.", "main", "", true, ""},
		{"main:sub/a.yaml", "main:sub/a.yaml", "sub/a.yaml", true, ""},
		{"main:sub//gone/", "main:sub/gone", "sub/gone", true, ""},
		{"main:./", "main:sub", "sub", true, ""},
		{"main:./a.yaml", "main:sub/a.yaml", "sub/a.yaml", true, ""},
		{"main:../", "main", "", true, ""},
		{"main:../other", "main:other", "other", true, ""},
		{"main:../../other", "", "", false, "../../other is outside of the repository"},
		{"nothing", "", "", false, `"nothing" is not a file or folder, and there is no revision "nothing"`},
		{"git:nothing", "", "", false, `there is no revision "nothing"`},
		{"nothing:a.yaml", "", "", false, `"nothing:a.yaml" is not a file or folder, and there is no revision "nothing"`},
		{"both", "", "", false, `"both" is both a git revision and a file or folder`},
		{"a.yaml", "a.yaml", "a.yaml", false, ""},
		{"path:both", "both", "both", false, ""},
		{"path:-", StdinLabel, Stdin, false, ""},
		{"-", StdinLabel, Stdin, false, ""},
		{"path:", "", "", false, "path: has no path"},
		{"path:gone", "", "", false, "path:gone is not a file or folder"},
	} {
		n, err := Parse(t.Context(), test.given)
		switch {
		case test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)):
			t.Errorf("%s: got %v, %v, want the error %s", test.given, n, err, test.err)
		case test.err == "" && (err != nil || n.String() != test.want || n.Path != test.path || n.IsGit() != test.isGit || n.IsStdin() != (test.want == StdinLabel)):
			t.Errorf("%s: got %s at %q, of git %v, %v", test.given, n, n.Path, n.IsGit(), err)
		}
	}
	var gone NameError
	if _, err := Parse(t.Context(), "path:gone"); !errors.As(err, &gone) || !strings.Contains(gone.Hint(), "git:REVISION") {
		t.Errorf("a path that is not there: %v", err)
	}
	n, err := Parse(t.Context(), "main")
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{"a.yaml": "sub/a.yaml", filepath.Join(top, "b"): "b", ".": "sub", "..": ""} {
		if in, err := n.In(file); err != nil || in.Path != want {
			t.Errorf("%s: at %q, %v, want %q", file, in.Path, err, want)
		}
	}
	if in, err := n.In(filepath.Join("..", "..")); err == nil {
		t.Errorf("what is outside of the repository is at %q", in.Path)
	}
	if n, _, err := Fork(t.Context()); err != nil || !n.IsGit() {
		t.Errorf("on the main branch: %v, %v", n, err)
	}
}

// TestGone looks for the CRDs of a revision where their files are, also where .gitignore hides them, and then everywhere: once at
// each place.
func TestGone(t *testing.T) {
	top := inRepository(t)
	n, err := Parse(t.Context(), "main")
	if err != nil {
		t.Fatal(err)
	}
	at := filepath.Join(top, "sub", "a.yaml")
	var places []string
	m := &Manifests{Name: n, reader: Reader{Find: func(place string, everywhere bool) ([]FoundFile, bool, error) {
		places = append(places, place)
		if !everywhere || place != at {
			return nil, false, nil
		}
		return []FoundFile{{Path: at, Read: func() ([]byte, error) { return []byte(manifestOf("one.example.com", "")), nil }}}, false, nil
	}}}
	var lost []lint.LostCRD
	for name, path := range map[string]string{"one.example.com": "sub/a.yaml", "two.example.com": "sub/a.yaml", "three.example.com": "sub", "four.example.com": "gone.yaml"} {
		lost = append(lost, lint.LostCRD{Name: name, File: lint.File{Path: path}})
	}
	if left := (&Side{from: m}).gone(lost); len(left) != 3 || slices.ContainsFunc(left, func(l lint.LostCRD) bool { return l.Name == "one.example.com" }) {
		t.Errorf("gone: %v", left)
	}
	if want := []string{at, top}; !slices.Equal(places, want) {
		t.Errorf("looked at %q, want %q", places, want)
	}
}

// TestLook takes out of a search what a text has, and what one may have that does not parse, if it is about CRDs at all.
func TestLook(t *testing.T) {
	t.Parallel()
	const name = "foos.example.com"
	for text, found := range map[string]bool{
		manifestOf(name, ""):                      true,
		manifestOf(name, "") + "spec: {\n":        true,
		manifestOf("bars.example.com", ""):        false,
		patchOf(name):                             false,
		"# of " + name + "\nkind: {\n":            false,
		"# a " + crd.Kind + "\nkind: {\n":         false,
		"# " + crd.Kind + " " + name + "\na: {\n": true,
	} {
		s := search{name: true}
		if s.look([]byte(text), func(string) bool { return true }); len(s) == 0 != found {
			t.Errorf("found %v in:\n%s", !found, text)
		}
	}
}
