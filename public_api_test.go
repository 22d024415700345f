package main

import (
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestPublicAPI: an outside program can name every type that it comes across in the public packages: none of them is in
// an internal package.
func TestPublicAPI(t *testing.T) {
	t.Parallel()
	const module = "github.com/crdlift/crdlift/"
	public := []string{"lint", "convert", "convert/policy", "rules"}
	imports := exportData(t, public)
	for _, name := range public {
		pkg, err := imports.Import(module + name)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[types.Type]bool{}
		exported := 0
		for _, id := range pkg.Scope().Names() {
			if object := pkg.Scope().Lookup(id); object.Exported() {
				exported++
				checkPublic(t, name+"."+id, object.Type(), seen)
			}
		}
		if exported < 2 {
			t.Errorf("%s exports %d names", name, exported)
		}
	}
}

// exportData reads what the compiler knows of packages and of those that they import.
func exportData(t *testing.T, packages []string) types.Importer {
	t.Helper()
	args := []string{"list", "-export", "-deps", "-f", "{{.ImportPath}}={{.Export}}"}
	for _, name := range packages {
		args = append(args, "./"+name)
	}
	list, err := exec.Command("go", args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for line := range strings.Lines(string(list)) {
		name, file, _ := strings.Cut(strings.TrimSpace(line), "=")
		files[name] = file
	}
	return importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) { return os.Open(files[path]) })
}

// checkPublic looks at a type, and at those that one of its exported parts has.
func checkPublic(t *testing.T, at string, is types.Type, seen map[types.Type]bool) {
	if seen[is] {
		return
	}
	seen[is] = true
	check := func(what string, part types.Type) { checkPublic(t, at+what, part, seen) }
	switch is := is.(type) {
	case *types.Named:
		pkg := is.Obj().Pkg()
		if pkg == nil || !strings.HasPrefix(pkg.Path(), "github.com/crdlift/crdlift/") {
			return
		}
		if strings.Contains(pkg.Path(), "/internal/") {
			t.Errorf("%s is a %s, which no outside program can name", at, is)
			return
		}
		methods := types.NewMethodSet(types.NewPointer(is))
		for i := range methods.Len() {
			if method := methods.At(i).Obj(); method.Exported() {
				check("."+method.Name(), method.Type())
			}
		}
		check("", is.Underlying())
	case *types.Alias:
		check("", types.Unalias(is))
	case *types.Struct:
		for i := range is.NumFields() {
			if field := is.Field(i); field.Exported() {
				check("."+field.Name(), field.Type())
			}
		}
	case *types.Signature:
		for _, tuple := range []*types.Tuple{is.Params(), is.Results()} {
			for i := range tuple.Len() {
				check("()", tuple.At(i).Type())
			}
		}
	case *types.Interface:
		for i := range is.NumMethods() {
			check("."+is.Method(i).Name(), is.Method(i).Type())
		}
	case *types.Map:
		check("[key]", is.Key())
		check("[]", is.Elem())
	case interface{ Elem() types.Type }: // pointers, slices, arrays, channels
		check("", is.Elem())
	}
}
