package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// compiledAtStart are the regular expressions that a file compiles as values of package variables.
func compiledAtStart(t *testing.T, path string, src any) (found []string) {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, src, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, declared := range file.Decls {
		if general, ok := declared.(*ast.GenDecl); !ok || general.Tok != token.VAR {
			continue
		}
		ast.Inspect(declared, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false // which runs when it is called
			case *ast.SelectorExpr:
				if of, ok := n.X.(*ast.Ident); ok && of.Name == "regexp" && strings.HasPrefix(n.Sel.Name, "MustCompile") {
					found = append(found, files.Position(n.Pos()).String())
				}
			}
			return true
		})
	}
	return found
}

// TestPatternsWait keeps the start of every command free of regular expressions that it may not need: 110 of them took a sixth of
// the CPU time of a lint of one small CRD. text.Pattern compiles one when it is asked for.
func TestPatternsWait(t *testing.T) {
	for src, want := range map[string]int{
		"package p\nvar a, b = regexp.MustCompile(`a`), []*regexp.Regexp{regexp.MustCompile(`b`)}":           2,
		"package p\nvar a = sync.OnceValue(func() any { return regexp.MustCompile(`a`) })":                   0,
		"package p\nfunc f() { g(regexp.MustCompile(`a`)) }\nvar a = text.Pattern(`a`)\nconst regexpA = `a`": 0,
	} {
		if found := compiledAtStart(t, "p.go", src); len(found) != want {
			t.Errorf("%d found in %s: %v, want %d", len(found), src, found, want)
		}
	}
	for _, dir := range []string{"internal", "rules", "lint", "convert"} {
		err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil || strings.HasSuffix(path, "_test.go") || filepath.Ext(path) != ".go":
			case entry.IsDir() || strings.HasPrefix(filepath.ToSlash(path), forTests):
			default:
				src, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				for _, at := range compiledAtStart(t, path, src) {
					t.Errorf("%s: compiled whenever crdlift starts; text.Pattern compiles it when it is asked for", at)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
