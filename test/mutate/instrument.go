package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"

	"github.com/crdlift/crdlift/internal/testing/checked"
)

// A mutant is one change of a condition or a bound.
type mutant struct {
	at   string // file:line:column
	what string
}

// helpers are compiled into an instrumented package. A program is one mutant, that of CRDLIFT_MUTANT, or none; it writes
// into the file CRDLIFT_MUTANT_HITS which mutants it comes past.
const helpers = `package %s

import (
	"cmp"
	"os"
	"strconv"
	"sync/atomic"
)

var (
	mutantNow, _ = strconv.Atoi(os.Getenv("CRDLIFT_MUTANT"))
	mutantHits   = os.Getenv("CRDLIFT_MUTANT_HITS")
	mutantSeen   [1 + %d]atomic.Bool
)

func mutantOn(n int) bool {
	if mutantHits != "" && !mutantSeen[n].Load() && !mutantSeen[n].Swap(true) {
		f, err := os.OpenFile(mutantHits, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if err == nil {
			_, err = f.WriteString(strconv.Itoa(n) + "\n")
			f.Close()
		}
		if err != nil {
			panic(err)
		}
	}
	return n == mutantNow
}

func mutantOne(n int) int {
	if mutantOn(n) {
		return 1
	}
	return 0
}

func mutantBound[T cmp.Ordered](n int, op string, a, b T) bool {
	on := mutantOn(n)
	if a == b {
		return (len(op) == 2) != on
	}
	return (a < b) == (op[0] == '<')
}
`

// instrument puts all mutants of a package into one program, each behind a condition, so that it is built once. It writes
// the files into a folder, and returns what takes the place of what for go build -overlay, and the mutants, from number 1.
func instrument(p *checked.Package, dir string) (overlay map[string]string, all []mutant, err error) {
	overlay = map[string]string{}
	write := func(name, text string) error {
		overlay[filepath.Join(p.Dir, name)] = filepath.Join(dir, name)
		return os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644)
	}
	for i, file := range p.Files {
		text, err := os.ReadFile(filepath.Join(p.Dir, p.GoFiles[i]))
		if err != nil {
			return nil, nil, err
		}
		m := &mutator{Package: p, mutants: all, before: map[int]string{}, after: map[int]string{}, instead: map[int]string{}}
		m.file(file)
		all = m.mutants
		if err := write(p.GoFiles[i], m.apply(string(text))); err != nil {
			return nil, nil, err
		}
	}
	return overlay, all, write("mutant_helpers.go", fmt.Sprintf(helpers, p.Types.Name(), len(all)))
}

// A mutator collects what is written at offsets of a file.
type mutator struct {
	*checked.Package
	mutants                []mutant
	before, after, instead map[int]string // instead of an operator
}

// file visits what functions do, the parts of an expression before the whole. Constants stay, which need no test.
func (m *mutator) file(file *ast.File) {
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		var path []ast.Node
		ast.Inspect(f.Body, func(n ast.Node) bool {
			if n != nil {
				_, isType := n.(*ast.ArrayType)
				decl, isDecl := n.(*ast.GenDecl)
				if isType || isDecl && decl.Tok == token.CONST {
					return false
				}
				path = append(path, n)
				return true
			}
			m.visit(path[len(path)-1], path[:len(path)-1])
			path = path[:len(path)-1]
			return true
		})
	}
}

// turned has the operator that takes the place of one.
var turned = map[token.Token]string{token.EQL: "!=", token.NEQ: "==", token.LAND: "||", token.LOR: "&&", token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">"}

// visit makes the mutants of an expression: those of an operator, and its negation where it decides by itself.
func (m *mutator) visit(n ast.Node, path []ast.Node) {
	e, ok := n.(ast.Expr)
	if !ok {
		return
	}
	value := m.Info.Types[e]
	if types.Identical(value.Type, types.Typ[types.Int]) {
		if of, ok := path[len(path)-1].(*ast.SliceExpr); ok && (e == of.Low || e == of.High) {
			m.wrap(e, "(", fmt.Sprintf(" + mutantOne(%d))", m.add(e.Pos(), "1 more")))
		}
		return
	}
	if value.Type == nil || !types.Identical(value.Type, types.Typ[types.Bool]) && value.Type != types.Typ[types.UntypedBool] {
		return
	}
	switch e := e.(type) {
	case *ast.BinaryExpr:
		what := fmt.Sprintf("%s for %s", turned[e.Op], e.Op)
		switch e.Op {
		case token.EQL, token.NEQ:
			m.negate(e, e.OpPos, what)
		case token.LAND, token.LOR:
			// A && B is !(!A || !B).
			on := fmt.Sprintf(") != mutantOn(%d)", m.add(e.OpPos, what))
			m.wrap(e.X, "(", on)
			m.wrap(e.Y, "(", on)
			m.wrap(e, "((", on+")")
		default:
			m.wrap(e, fmt.Sprintf("mutantBound(%d, %q, ", m.add(e.OpPos, what), e.Op), ")")
			m.instead[m.offset(e.OpPos)] = "," + strings.Repeat(" ", len(e.Op.String())-1)
			m.negate(e, e.OpPos, "not "+e.Op.String())
		}
	case *ast.UnaryExpr:
		m.negate(e, e.Pos(), "no "+e.Op.String())
	case *ast.Ident, *ast.CallExpr, *ast.SelectorExpr, *ast.IndexExpr:
		if decides(e, path) {
			m.negate(e, e.Pos(), "not "+types.ExprString(e))
		}
	}
}

// decides reports whether a condition without an operator is one by itself, or a constant that is returned.
func decides(e ast.Expr, path []ast.Node) bool {
	switch in := path[len(path)-1].(type) {
	case *ast.IfStmt:
		return e == in.Cond
	case *ast.ForStmt:
		return e == in.Cond
	case *ast.BinaryExpr:
		return in.Op == token.LAND || in.Op == token.LOR
	case *ast.ReturnStmt:
		return true
	case *ast.CaseClause:
		of, ok := path[len(path)-3].(*ast.SwitchStmt)
		return ok && of.Tag == nil
	}
	return false
}

// add counts a mutant.
func (m *mutator) add(at token.Pos, what string) int {
	p := m.Set.Position(at)
	m.mutants = append(m.mutants, mutant{fmt.Sprintf("%s:%d:%d", filepath.Base(p.Filename), p.Line, p.Column), what})
	return len(m.mutants)
}

func (m *mutator) negate(e ast.Expr, at token.Pos, what string) {
	m.wrap(e, "((", fmt.Sprintf(") != mutantOn(%d))", m.add(at, what)))
}

// wrap writes around an expression, and around what is written around it already.
func (m *mutator) wrap(e ast.Expr, before, after string) {
	m.before[m.offset(e.Pos())] = before + m.before[m.offset(e.Pos())]
	m.after[m.offset(e.End())] += after
}

func (m *mutator) offset(at token.Pos) int { return m.Set.Position(at).Offset }

// apply writes into the text of the file.
func (m *mutator) apply(text string) string {
	var b strings.Builder
	for i := 0; i <= len(text); {
		b.WriteString(m.after[i])
		b.WriteString(m.before[i])
		instead := m.instead[i]
		b.WriteString(instead)
		if instead == "" && i < len(text) {
			b.WriteByte(text[i])
		}
		i += max(1, len(instead))
	}
	return b.String()
}
