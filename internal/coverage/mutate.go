package coverage

import (
	"slices"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/parser"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/text"
)

// swapped are the comparisons that differ in what they say of equal values.
var swapped = map[string]string{
	operators.Less: operators.LessEquals, operators.LessEquals: operators.Less,
	operators.Greater: operators.GreaterEquals, operators.GreaterEquals: operators.Greater,
}

// mutants are rules that differ from one in a detail: an operand of && or || is not there, one branch of ?: is all there is, a
// comparison takes equal values otherwise, or a negation is not there. There are none of a rule that does not parse.
func mutants(rule string) (all []string) {
	parsed := crd.ParseRule(rule)
	if parsed == nil {
		return nil
	}
	m := &mutator{make: ast.NewExprFactory()}
	m.root = m.make.CopyExpr(parsed)
	m.visit(m.root, "")
	return m.all
}

// A mutator changes an expression at one place at a time.
type mutator struct {
	make ast.ExprFactory
	root ast.Expr
	all  []string
}

// visit changes an expression and those in it. Chain is the operator of the one that has it as an operand.
func (m *mutator) visit(e ast.Expr, chain string) {
	switch e.Kind() {
	case ast.SelectKind:
		m.visit(e.AsSelect().Operand(), "")
	case ast.ListKind:
		for _, element := range e.AsList().Elements() {
			m.visit(element, "")
		}
	case ast.MapKind:
		for _, entry := range e.AsMap().Entries() {
			m.visit(entry.AsMapEntry().Value(), "")
		}
	case ast.CallKind:
		name := e.AsCall().FunctionName()
		if name != chain {
			m.change(e)
		}
		call := e.AsCall()
		if call.IsMemberFunction() {
			m.visit(call.Target(), "")
		}
		for _, arg := range call.Args() {
			m.visit(arg, name)
		}
	}
}

// change makes the mutants that a call has.
func (m *mutator) change(e ast.Expr) {
	call := e.AsCall()
	name, args := call.FunctionName(), call.Args()
	switch {
	case name == operators.LogicalAnd, name == operators.LogicalOr:
		operands := chained(e, name)
		for i := range operands {
			m.put(e, m.chain(name, slices.Concat(operands[:i], operands[i+1:])))
		}
	case name == operators.Conditional:
		m.put(e, args[1])
		m.put(e, args[2])
	case name == operators.LogicalNot:
		m.put(e, args[0])
	case swapped[name] != "":
		m.put(e, m.make.NewCall(e.ID(), swapped[name], args...))
	}
}

// chained are the operands of an operator, and of the same one below.
func chained(e ast.Expr, operator string) (all []ast.Expr) {
	if e.Kind() != ast.CallKind || e.AsCall().FunctionName() != operator {
		return []ast.Expr{e}
	}
	for _, arg := range e.AsCall().Args() {
		all = append(all, chained(arg, operator)...)
	}
	return all
}

func (m *mutator) chain(operator string, operands []ast.Expr) ast.Expr {
	e := operands[0]
	for _, next := range operands[1:] {
		e = m.make.NewCall(0, operator, e, next)
	}
	return e
}

// put notes the whole with another expression in the place of one.
func (m *mutator) put(e, other ast.Expr) {
	was := m.make.CopyExpr(e)
	e.SetKindCase(m.make.CopyExpr(other))
	printed, err := parser.Unparse(m.root, ast.NewSourceInfo(nil))
	e.SetKindCase(was)
	if printed = text.OneLine(printed); err == nil && !slices.Contains(m.all, printed) {
		m.all = append(m.all, printed)
	}
}
