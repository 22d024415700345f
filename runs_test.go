package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// runners are the files that run programs, and whether these can be git. Every run of git has the settings of one function,
// without which a repository among the files of a pull request has git run its own commands.
var runners = map[string]bool{
	"internal/gitrev/run.go":          true,
	"internal/serving/serving.go":     false, // the command behind --
	"internal/cli/serve.go":           false, // the command behind --
	"internal/kubectl/command.go":     false, // the command behind --, which reads a cluster
	"internal/serving/group_other.go": false, // taskkill
	"webhooktest/program.go":          false, // crdlift, for tests of webhooks
	"crdtest/program.go":              false, // and of CRDs
	"crdtest/serve.go":                false, // and as their server
}

// starts are the names by which programs are run: a package, and what of it.
var starts = map[string][]string{
	"os/exec": {"Command", "CommandContext", "Cmd"},
	"os":      {"StartProcess"},
	"syscall": {"Exec", "ForkExec", "StartProcess"},
}

// TestGitRuns keeps runs of programs in the places above, and git in one of them.
func TestGitRuns(t *testing.T) {
	t.Parallel()
	found := map[string]bool{}
	err := filepath.WalkDir(".", func(at string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		file := filepath.ToSlash(at)
		if d.IsDir() {
			if slices.Contains([]string{"test", "internal/testing", ".git", "build"}, file) || d.Name() == "testdata" || d.Name() == "node_modules" {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), at, nil, 0)
		if err != nil {
			return err
		}
		for _, run := range runsOf(parsed) {
			git, known := runners[file]
			found[file] = true
			if !known {
				t.Errorf("%s runs a program (%s); git is run by internal/gitrev/run.go, and other programs where this test says", file, run)
			}
			if strings.Contains(run, `"git"`) != git {
				t.Errorf("%s: %s", file, run)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if all := slices.Collect(maps.Keys(runners)); len(found) < len(all) {
		t.Errorf("programs are run in %v, and not in all of %v", found, all)
	}
}

// runsOf are the calls of a file that run a program, with their texts, and values that would be run.
func runsOf(file *ast.File) (all []string) {
	imported := map[string]string{} // the packages by their names in the file
	for _, spec := range file.Imports {
		of, _ := strconv.Unquote(spec.Path.Value)
		name := path.Base(of)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imported[name] = of
	}
	runs := func(e ast.Expr) bool {
		s, ok := e.(*ast.SelectorExpr)
		if !ok {
			return false
		}
		x, ok := s.X.(*ast.Ident)
		return ok && slices.Contains(starts[imported[x.Name]], s.Sel.Name)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			words := ""
			for _, a := range n.Args {
				if l, ok := a.(*ast.BasicLit); ok {
					words += " " + l.Value
				}
			}
			if runs(n.Fun) {
				all = append(all, "a call with"+words)
			}
		case *ast.CompositeLit:
			if runs(n.Type) {
				all = append(all, "a value of exec.Cmd")
			}
		}
		return true
	})
	return all
}
