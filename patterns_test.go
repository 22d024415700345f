package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// patternsIn finds, in a file, the regular expressions that it compiles as values of package variables, by their places, and those that
// wait, by their arguments.
func patternsIn(t *testing.T, path string, src any) (atStart []string, waiting []ast.Expr) {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, src, 0)
	if err != nil {
		t.Fatal(err)
	}
	is := func(called ast.Expr, of, name string) bool {
		selector, ok := called.(*ast.SelectorExpr)
		if !ok {
			return false
		}
		from, ok := selector.X.(*ast.Ident)
		return ok && from.Name == of && strings.HasPrefix(selector.Sel.Name, name)
	}
	for _, declared := range file.Decls {
		general, ok := declared.(*ast.GenDecl)
		if !ok || general.Tok != token.VAR {
			continue
		}
		ast.Inspect(general, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			_, waits := n.(*ast.FuncLit) // until it is called
			switch {
			case ok && is(call.Fun, "regexp", "MustCompile"):
				atStart = append(atStart, files.Position(n.Pos()).String())
			case ok && is(call.Fun, "text", "Pattern"):
				waiting = append(waiting, call.Args...)
			}
			return !waits
		})
	}
	return atStart, waiting
}

// TestPatternsWait keeps the start of every command free of regular expressions that it may not need: 110 of them took a sixth of
// the CPU time of a lint of one small CRD. text.Pattern compiles one when it is asked for; a wrong one must not wait for a user.
func TestPatternsWait(t *testing.T) {
	for src, want := range map[string]int{
		"package p\nvar a, b = regexp.MustCompile(`a`), []*regexp.Regexp{regexp.MustCompile(`b`)}":           2,
		"package p\nvar a = sync.OnceValue(func() any { return regexp.MustCompile(`a`) })":                   0,
		"package p\nfunc f() { g(regexp.MustCompile(`a`)) }\nvar a = text.Pattern(`a`)\nconst regexpA = `a`": 0,
	} {
		if found, _ := patternsIn(t, "p.go", src); len(found) != want {
			t.Errorf("%d found in %s: %v, want %d", len(found), src, found, want)
		}
	}
	tried := 0
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
				atStart, waiting := patternsIn(t, path, src)
				for _, at := range atStart {
					t.Errorf("%s: compiled whenever crdlift starts; text.Pattern compiles it when it is asked for", at)
				}
				for _, argument := range waiting {
					literal, ok := argument.(*ast.BasicLit)
					if !ok {
						t.Errorf("%s: a pattern is no literal, so that nobody knows whether it compiles", path)
						continue
					}
					expression, err := strconv.Unquote(literal.Value)
					if err != nil {
						return err
					}
					if _, err := regexp.Compile(expression); err != nil {
						t.Errorf("%s: %v", path, err)
					}
					tried++
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if tried < 100 {
		t.Errorf("%d patterns were found", tried)
	}
}
