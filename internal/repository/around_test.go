package repository

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/crdlift/crdlift/lint"
)

// TestAround: files are called as in the folder that somebody is in, and those elsewhere are judged by the repository around them.
// What is in none has no role.
func TestAround(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tree := &txtar.Archive{}
	add := func(name, text string) { tree.Files = append(tree.Files, txtar.File{Name: name, Data: []byte(text)}) }
	for _, repository := range []string{"one", "other", "one/lib"} {
		add(repository+"/.git/HEAD", "")
		add(repository+"/crds/toys.yaml", whole("Toy.example.com", true))
		add(repository+"/dist/toys.yaml", whole("Toy.example.com", true))
	}
	add("one/docs/index.md", "")
	add("crds/toys.yaml", whole("Toy.example.com", true))
	if err := txtar.Write(tree, dir); err != nil {
		t.Fatal(err)
	}
	settings := []lint.RoleSetting{{Role: lint.RoleTest, Glob: "qa", At: lint.Source{Pos: lint.Point("../.crdlift.yaml", 3, 1)}}}
	for _, test := range []struct{ from, file, want string }{
		{"one", "crds/toys.yaml", "source, "},
		{"one", "dist/toys.yaml", "built, crds/toys.yaml"},
		{"one/docs", "../dist/toys.yaml", "built, ../crds/toys.yaml"},
		{"one/docs", filepath.Join(dir, "one/dist/toys.yaml"), "built, ../crds/toys.yaml"},
		{"one", "../other/dist/toys.yaml", "built, ../other/crds/toys.yaml"},
		{"one", filepath.Join(dir, "other/dist/toys.yaml"), "built, ../other/crds/toys.yaml"},
		{"one", "../crds/toys.yaml", ", "},
		{".", "crds/toys.yaml", "source, "}, // a folder that is in no repository
		{".", "one/dist/toys.yaml", "built, one/crds/toys.yaml"},
		{"one", "lib/dist/toys.yaml", "built, lib/crds/toys.yaml"}, // a submodule
	} {
		around, err := AroundFolder(filepath.Join(dir, test.from), settings)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			d := around.CRD(test.file, "toys.example.com")
			if got := string(d.Role) + ", " + d.Source; got != test.want {
				t.Errorf("%s from %s is %s, not %s", test.file, test.from, got, test.want)
			}
		}
	}

	// A setting counts from the folder of its file, which is named from the same folder, and its place is the reason.
	qa := &txtar.Archive{Files: []txtar.File{{Name: "one/qa/toys.yaml", Data: []byte(whole("Toy.example.com", true))}}}
	if err := txtar.Write(qa, dir); err != nil {
		t.Fatal(err)
	}
	around, err := AroundFolder(filepath.Join(dir, "one/docs"), settings)
	if err != nil {
		t.Fatal(err)
	}
	if d := around.CRD("../qa/toys.yaml", "toys.example.com"); d.Role != lint.RoleTest || d.Because.String() != "../.crdlift.yaml:3 says so" {
		t.Errorf("with a setting it is %v", d)
	}

	// Nothing is looked at for what is no file, such as standard input.
	around.Look = func() *Repository { t.Error("the repository is looked at"); return Look(files{}) }
	if role, _ := around.Role("<stdin>", "toys.example.com"); role != "" {
		t.Errorf("what is no file is %v", role)
	}
	if _, err := AroundFolder(filepath.Join(dir, "gone"), nil); err == nil {
		t.Error("there is no such folder")
	}
}

// TestOutsideOfWorkingTrees: a folder in none is looked at if somebody asks for it, or if it is a program's, and not because the user
// is there. Each of the paths is looked at by itself otherwise.
func TestOutsideOfWorkingTrees(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		what, also, paths, want string
		settings                []lint.RoleSetting
	}{
		{what: "a path", paths: "x", want: "x: source, built; y: , "},
		{what: "two", paths: "y x", want: "x: source, built; y: source, built"},
		{what: "one in another", paths: "x/dist x", want: "x: source, built; y: , "},
		{what: "the folder and one in it", paths: "x .", want: "x: source, built; y: built, built"},
		{what: "a file", paths: "x/crds/toys.yaml", want: "x: , ; y: , "},
		{what: "what is not there", paths: "gone", want: "x: , ; y: , "},
		{what: "none", want: "x: source, built; y: built, built"},
		{what: "a path of a program", also: "go.mod", paths: "x", want: "x: source, built; y: built, built"},
		{what: "with a setting", paths: "x", settings: []lint.RoleSetting{{Role: lint.RoleTest, Glob: "y/dist/**", At: lint.Source{Pos: lint.Point(".crdlift.yaml", 2, 1)}}}, want: "x: source, built; y: built, test"},
	} {
		dir := t.TempDir()
		tree := &txtar.Archive{Files: []txtar.File{{Name: cmp.Or(test.also, "x/README.md")}}}
		for _, file := range []string{"x/crds/toys.yaml", "x/dist/toys.yaml", "y/crds/toys.yaml", "y/dist/toys.yaml"} {
			tree.Files = append(tree.Files, txtar.File{Name: file, Data: []byte(whole("Toy.example.com", true))})
		}
		var paths []string
		for _, path := range strings.Fields(test.paths) {
			paths = append(paths, filepath.Join(dir, path))
		}
		if err := txtar.Write(tree, dir); err != nil {
			t.Fatal(err)
		}
		around, err := AroundFolder(dir, test.settings, paths...)
		if err != nil {
			t.Fatal(err)
		}
		role := func(file string) lint.Role { return around.CRD(file, "toys.example.com").Role }
		got := fmt.Sprintf("x: %s, %s; y: %s, %s", role("x/crds/toys.yaml"), role("x/dist/toys.yaml"), role("y/crds/toys.yaml"), role("y/dist/toys.yaml"))
		if got != test.want {
			t.Errorf("%s: got %s, want %s", test.what, got, test.want)
		}
		if n := len(around.Inner()); n != 1 {
			t.Errorf("%s: %d repositories", test.what, n)
		}
	}
}
