package gotypes

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// FuzzSource looks for kinds in any Go file and follows every member of theirs.
func FuzzSource(f *testing.F) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			if strings.HasSuffix(file.Name, ".go") {
				f.Add(string(file.Data))
			}
		}
	}
	f.Add(declaration + "X a.B\n}\nimport \"\"\n")
	f.Add(strings.Replace(declaration, "import", "import . \"\"\nimport \"a/../b\"\nimport", 1) + "X a.B `json:\"x\"`\nY C `json:\"y\"`\n}\n")
	f.Fuzz(func(t *testing.T, source string) {
		r := newRepository("/", "/", DefaultLimits)
		r.walked = true
		r.modules["."] = &module{path: "example.com/widgets", folder: "."}
		p := r.parse(".", []fileText{{"types.go", []byte(source), nil}})
		r.packages["."] = p
		all, broken := DeclarationsOf("types.go", []byte(source))
		for _, declared := range p.types {
			kind := &Kind{declared, r}
			if !r.agree(declared, declared) {
				t.Errorf("%s differs from itself", declared.Name)
			}
			fields, _ := kind.At().Members()
			for _, field := range fields {
				at := kind.At("properties", field.JSON, "items", "properties", "name", "maxLength")
				if at.Outcome == Exact && at.Field == nil {
					t.Errorf("%s: exact, but without a field", field.Symbol)
				}
				if pos := field.Pos; pos.Line < 1 || pos.Column < 1 || pos.EndColumn < pos.Column || pos.Line > 1+strings.Count(source, "\n") {
					t.Errorf("%s is at %+v", field.Symbol, pos)
				}
				if direct := kind.At("properties", field.JSON); direct.Outcome != Exact {
					t.Errorf("%s is a member, but not found", field.Symbol)
				}
				declared := func(d Declaration) bool { return d.Pos == field.Pos && slices.Equal(d.Markers, field.Markers) }
				if broken == nil && !slices.ContainsFunc(all.All, declared) {
					t.Errorf("%s at %+v is not among the declarations", field.Symbol, field.Pos)
				}
				at.TypedCarrier()
				at.Members()
			}
		}
	})
}
