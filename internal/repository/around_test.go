package repository

import (
	"path/filepath"
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
