// Package gotypes holds internal/gotypes against controller-gen: the fields that it finds for paths of a schema are those
// that controller-gen makes the paths of.
package gotypes

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/crdlift/crdlift/internal/gotypes"
)

// program is controller-gen, built by TestMain.
var program string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "controller-gen")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(dir)
		program = filepath.Join(dir, "controller-gen")
		if out, err := exec.Command("go", "build", "-o", program, "sigs.k8s.io/controller-tools/cmd/controller-gen").CombinedOutput(); err != nil {
			panic(string(out))
		}
		return m.Run()
	}())
}

// unpack writes a txtar file into a new folder, and returns it. What go.mod files in it require is what this module does.
func unpack(t *testing.T, path string) (dir string) {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	own, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile("go.sum")
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range archive.Files {
		if filepath.Base(f.Name) != "go.mod" {
			continue
		}
		archive.Files[i].Data = slices.Concat(f.Data, []byte(requirements(string(own)))) // the data of files share an array
		archive.Files = append(archive.Files, txtar.File{Name: filepath.Join(filepath.Dir(f.Name), "go.sum"), Data: sum})
	}
	dir = t.TempDir()
	if err := txtar.Write(archive, dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// requirements returns what a go.mod requires, without crdlift, which a fixture cannot have.
func requirements(mod string) (all string) {
	for _, block := range strings.Split(mod, "\nrequire (\n")[1:] {
		block, _, _ = strings.Cut(block, "\n)")
		for line := range strings.Lines(block) {
			if !strings.Contains(line, "github.com/crdlift/") {
				all += line
			}
		}
		all += "\n"
	}
	return "\nrequire (\n" + all + ")\n"
}

// A version is the schema of a version of a CRD.
type version struct {
	id     schema.GroupVersionKind
	schema map[string]any
}

// generate runs controller-gen over packages of a module, and returns all versions of the CRDs that it writes. It returns
// what controller-gen says if that fails.
func generate(t *testing.T, module string, paths ...string) (all []version, complaints string) {
	t.Helper()
	out := t.TempDir()
	complaints = run(module, out, paths...)
	files, err := filepath.Glob(filepath.Join(out, "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var crd struct {
			Spec struct {
				Group    string
				Names    struct{ Kind string }
				Versions []struct {
					Name   string
					Schema struct{ OpenAPIV3Schema map[string]any }
				}
			}
		}
		if err := yaml.Unmarshal(text, &crd); err != nil {
			t.Fatal(err)
		}
		for _, v := range crd.Spec.Versions {
			all = append(all, version{schema.GroupVersionKind{Group: crd.Spec.Group, Version: v.Name, Kind: crd.Spec.Names.Kind}, v.Schema.OpenAPIV3Schema})
		}
	}
	return all, complaints
}

// run runs controller-gen over packages of a module. It returns what that says if it fails.
func run(module, out string, paths ...string) (complaints string) {
	args := []string{"crd:allowDangerousTypes=true", "output:crd:dir=" + out}
	for _, path := range paths {
		args = append(args, "paths="+path)
	}
	cmd := exec.Command(program, args...)
	cmd.Dir = module
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	if said, err := cmd.CombinedOutput(); err != nil {
		complaints, _, _ = strings.Cut(string(said), "\nUsage:")
	}
	return complaints
}

// each calls a function for every node of a schema but its root.
func each(node map[string]any, path []string, do func(path []string, node map[string]any)) {
	visit := func(child any, keys ...string) {
		if child, ok := child.(map[string]any); ok {
			at := append(path[:len(path):len(path)], keys...)
			do(at, child)
			each(child, at, do)
		}
	}
	properties, _ := node["properties"].(map[string]any)
	for name, child := range properties {
		visit(child, "properties", name)
	}
	visit(node["items"], "items")
	visit(node["additionalProperties"], "additionalProperties")
}

// copied returns a copy of a folder, without links and what is under version control's own.
func copied(t *testing.T, from string) (to string) {
	t.Helper()
	to = t.TempDir()
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		switch {
		case d.IsDir() && d.Name() == ".git":
			return filepath.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		case !d.Type().IsRegular():
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), text, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	return to
}

func index(dir string) *gotypes.Index { return gotypes.New(dir, gotypes.DefaultLimits) }
