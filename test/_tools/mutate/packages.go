package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A Package is one that a pattern names, without its tests.
type Package struct {
	ImportPath, Dir                    string
	GoFiles, TestGoFiles, XTestGoFiles []string
	Export                             string // the file of the compiler
	DepOnly                            bool

	Set   *token.FileSet
	Files []*ast.File // of GoFiles
	Types *types.Package
	Info  *types.Info // Types
}

// load reads the packages that patterns of go list name. What they import is read from the files of the compiler.
func load(patterns ...string) ([]*Package, error) {
	const fields = "-json=ImportPath,Dir,Export,DepOnly,GoFiles,TestGoFiles,XTestGoFiles"
	cmd := exec.Command("go", append([]string{"list", "-export", "-deps", fields, "--"}, patterns...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var named []*Package
	exports := map[string]string{}
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p Package
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		exports[p.ImportPath] = p.Export
		if !p.DepOnly {
			named = append(named, &p)
		}
	}
	slices.SortFunc(named, func(a, b *Package) int { return strings.Compare(a.ImportPath, b.ImportPath) })
	for _, p := range named {
		if err := p.check(exports); err != nil {
			return nil, err
		}
	}
	return named, nil
}

// check parses the files of a package, and finds the types of their expressions.
func (p *Package) check(exports map[string]string) error {
	p.Set = token.NewFileSet()
	for _, name := range p.GoFiles {
		file, err := parser.ParseFile(p.Set, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		p.Files = append(p.Files, file)
	}
	open := func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) }
	config := types.Config{Importer: importer.ForCompiler(p.Set, "gc", open)}
	p.Info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	var err error
	p.Types, err = config.Check(p.ImportPath, p.Set, p.Files, p.Info)
	return err
}
