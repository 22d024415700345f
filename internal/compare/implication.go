package compare

import (
	"slices"

	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/parser"
)

// maxImplication bounds the work on rules that are written to be hard to compare.
const maxImplication = 2000

// implies reports whether it is certain that a CEL rule is true of each object that another one is true of: a value was added
// to a list, a bound was widened, a condition was dropped or an alternative added. False says nothing.
//
// Each step holds in both directions, so that errors do no harm: where a is true, b is true, and where b is false, a is
// false. In && and || of CEL, an error on one side does not matter where the other one decides.
func implies(a, b *ast.AST) bool {
	p := implication(maxImplication)
	return p.holds(a.Expr(), b.Expr())
}

// An implication is how much more work is done to find one.
type implication int

// parsed parses a rule; nil for one that does not parse. Macros stay calls, which are printed as they are written.
func parsed(rule string) *ast.AST {
	p, err := parser.NewParser(parser.EnableOptionalSyntax(true))
	if err != nil {
		return nil
	}
	out, errs := p.Parse(common.NewTextSource(rule))
	if len(errs.GetErrors()) > 0 {
		return nil
	}
	return out
}

func (p *implication) holds(a, b ast.Expr) bool {
	if *p--; *p < 0 {
		return false
	}
	x, y := callOf(a), callOf(b)
	from := func(e ast.Expr) bool { return p.holds(e, b) }
	to := func(e ast.Expr) bool { return p.holds(a, e) }
	switch {
	case p.same(a, b):
		return true
	case y.function == operators.LogicalAnd:
		return to(y.args[0]) && to(y.args[1])
	case x.function == operators.LogicalOr:
		return from(x.args[0]) && from(x.args[1])
	case y.function == operators.LogicalOr && slices.ContainsFunc(y.args, to), x.function == operators.LogicalAnd && slices.ContainsFunc(x.args, from):
		return true
	case x.function != y.function || len(x.args) != len(y.args):
		return x.function == operators.Equals && y.function == operators.In && p.within(x, y)
	}
	switch x.function {
	case operators.LogicalNot: // what was false for the one is false for the other
		return p.holds(y.args[0], x.args[0])
	case operators.Conditional:
		return p.same(x.args[0], y.args[0]) && p.holds(x.args[1], y.args[1]) && p.holds(x.args[2], y.args[2])
	case operators.In:
		return p.within(x, y)
	case operators.LessEquals, operators.Less:
		return p.same(x.args[0], y.args[0]) && ordered(x.args[1], y.args[1])
	case operators.GreaterEquals, operators.Greater:
		return p.same(x.args[0], y.args[0]) && ordered(y.args[1], x.args[1])
	case "all", "exists": // the list, the variable, the condition
		return len(x.args) == 3 && p.same(x.args[0], y.args[0]) && p.same(x.args[1], y.args[1]) && p.holds(x.args[2], y.args[2])
	}
	return false
}

// A call is a function of CEL with its arguments, of which the first may stand before a dot.
type call struct {
	function string
	args     []ast.Expr
}

func callOf(e ast.Expr) call {
	if e.Kind() != ast.CallKind {
		return call{}
	}
	c := e.AsCall()
	if c.IsMemberFunction() {
		return call{c.FunctionName(), append([]ast.Expr{c.Target()}, c.Args()...)}
	}
	return call{c.FunctionName(), c.Args()}
}

// within reports whether all literals that one call compares a value with are among those of a list that the other one has.
func (p *implication) within(x, y call) bool {
	list := y.args[1]
	if list.Kind() != ast.ListKind || !p.same(x.args[0], y.args[0]) {
		return false
	}
	values := []ast.Expr{x.args[1]}
	if x.function == operators.In {
		if values[0].Kind() != ast.ListKind {
			return false
		}
		values = values[0].AsList().Elements()
	}
	among := list.AsList().Elements()
	return !slices.ContainsFunc(values, func(v ast.Expr) bool {
		return v.Kind() != ast.LiteralKind || !slices.ContainsFunc(among, func(other ast.Expr) bool {
			return other.Kind() == ast.LiteralKind && v.AsLiteral().Equal(other.AsLiteral()) == celtypes.True
		})
	})
}

// ordered reports whether two expressions are literals of one type, the first not above the second.
func ordered(low, high ast.Expr) bool {
	if low.Kind() != ast.LiteralKind || high.Kind() != ast.LiteralKind || low.AsLiteral().Type() != high.AsLiteral().Type() {
		return false
	}
	of, ok := low.AsLiteral().(traits.Comparer)
	if !ok {
		return false
	}
	order, ok := of.Compare(high.AsLiteral()).(celtypes.Int)
	return ok && order <= 0
}

// same reports whether expressions of either rule say the same.
func (p *implication) same(a, b ast.Expr) bool {
	if *p--; *p < 0 || a.Kind() != b.Kind() {
		return false
	}
	all := func(x, y []ast.Expr) bool { return slices.EqualFunc(x, y, p.same) }
	switch a.Kind() {
	case ast.LiteralKind:
		return sameLiteral(a.AsLiteral(), b.AsLiteral())
	case ast.IdentKind:
		return a.AsIdent() == b.AsIdent()
	case ast.SelectKind:
		x, y := a.AsSelect(), b.AsSelect()
		return x.FieldName() == y.FieldName() && x.IsTestOnly() == y.IsTestOnly() && p.same(x.Operand(), y.Operand())
	case ast.ListKind:
		return slices.Equal(a.AsList().OptionalIndices(), b.AsList().OptionalIndices()) && all(a.AsList().Elements(), b.AsList().Elements())
	case ast.CallKind:
		x, y := a.AsCall(), b.AsCall()
		return x.FunctionName() == y.FunctionName() && x.IsMemberFunction() == y.IsMemberFunction() &&
			(!x.IsMemberFunction() || p.same(x.Target(), y.Target())) && all(x.Args(), y.Args())
	}
	return false
}

func sameLiteral(a, b ref.Val) bool { return a.Type() == b.Type() && a.Equal(b) == celtypes.True }
