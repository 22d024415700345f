package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
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
		f, _ := os.OpenFile(mutantHits, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if _, err := f.WriteString(strconv.Itoa(n) + "\n"); err != nil {
			panic(err)
		}
		f.Close()
	}
	return n == mutantNow
}

func mutantMore(n, bound int) int {
	if mutantOn(n) {
		return bound + 1
	}
	return bound
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
// the files into a folder, and returns the file for go build -overlay, and the mutants, from number 1.
func instrument(p *Package, dir string) (overlay string, all []mutant, err error) {
	replace := map[string]string{}
	write := func(name, text string) {
		replace[filepath.Join(p.Dir, name)] = filepath.Join(dir, name)
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	for i, file := range p.Files {
		text, unread := os.ReadFile(filepath.Join(p.Dir, p.GoFiles[i]))
		m := &mutator{Package: p, mutants: all, before: map[int]string{}, after: map[int]string{}, instead: map[int]string{}}
		m.file(file)
		all, err = m.mutants, errors.Join(err, unread)
		write(p.GoFiles[i], m.apply(string(text)))
	}
	write("mutant_helpers.go", fmt.Sprintf(helpers, p.Types.Name(), len(all)))
	overlay = filepath.Join(dir, "overlay.json")
	text, unwritten := json.Marshal(map[string]any{"Replace": replace})
	return overlay, all, errors.Join(err, unwritten, os.WriteFile(overlay, text, 0o644))
}

// A mutator collects what is written at offsets of a file.
type mutator struct {
	*Package
	mutants                []mutant
	before, after, instead map[int]string // instead of an operator
}

// file visits what functions do, an expression before its parts. Constants stay, which need no test.
func (m *mutator) file(file *ast.File) {
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
			ast.PreorderStack(f.Body, nil, func(n ast.Node, path []ast.Node) bool {
				_, isType := n.(*ast.ArrayType)
				decl, isDecl := n.(*ast.GenDecl)
				if e, ok := n.(ast.Expr); ok {
					m.visit(e, path)
				}
				return !isType && !(isDecl && decl.Tok == token.CONST)
			})
		}
	}
}

// turned has the operator that takes the place of one.
var turned = map[token.Token]token.Token{token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR}

// visit makes the mutants of an expression: those of an operator, and its negation where it decides by itself.
func (m *mutator) visit(e ast.Expr, path []ast.Node) {
	value := m.Info.Types[e].Type
	if of, ok := path[len(path)-1].(*ast.SliceExpr); ok && (e == of.Low || e == of.High) && types.Identical(value, types.Typ[types.Int]) {
		m.wrap(e, fmt.Sprintf("mutantMore(%d, ", m.add(e.Pos(), "1 more")), ")")
	}
	if value == nil || !types.Identical(value, types.Typ[types.Bool]) && value != types.Typ[types.UntypedBool] {
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
			m.wrap(e, "((", on+")")
			m.wrap(e.X, "(", on)
			m.wrap(e.Y, "(", on)
		default:
			m.negate(e, e.OpPos, "not "+e.Op.String())
			m.wrap(e, fmt.Sprintf("mutantBound(%d, %q, ", m.add(e.OpPos, what), e.Op), ")")
			m.instead[m.offset(e.OpPos)] = "," + strings.Repeat(" ", len(e.Op.String())-1)
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

// wrap writes around an expression, within what is written around it already.
func (m *mutator) wrap(e ast.Expr, before, after string) {
	m.before[m.offset(e.Pos())] += before
	m.after[m.offset(e.End())] = after + m.after[m.offset(e.End())]
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
