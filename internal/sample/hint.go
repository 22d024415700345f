package sample

import (
	"cmp"
	"maps"
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
)

// hints are the values that rules compare a node with, by the node's path.
type hints map[string][]any

func hintsOf(root Schemas) hints {
	all := hints{}
	walk(nil, root, func(at Path, node Schemas) {
		node.Each(func(s *apiextensions.JSONSchemaProps) {
			for _, rule := range s.XValidations {
				told := read(rule.Rule, at)
				for _, field := range told.fields {
					if len(told.literals) > 0 && !slices.Contains(all[field.String()], told.literals[0]) {
						all[field.String()] = append(all[field.String()], told.literals...)
					}
				}
			}
		})
	})
	return all
}

// A Mention is a rule that looks at a node.
type Mention struct {
	apiextensions.ValidationRule
	At       Path  // of the node that has the rule
	Literals []any // that the rule compares with: texts and whole numbers
}

// Mentions are the rules of a schema that look at a node, from the root on.
func Mentions(root Schemas, at Path) (all []Mention) {
	for n := range len(at) + 1 {
		root.Each(func(s *apiextensions.JSONSchemaProps) {
			for _, rule := range s.XValidations {
				told := read(rule.Rule, at[:n])
				if n == len(at) || slices.ContainsFunc(told.fields, func(field Path) bool { return field.String() == at.String() }) {
					all = append(all, Mention{rule, at[:n], told.literals})
				}
			}
		})
		if n < len(at) {
			root = root.Child(at[n])
		}
	}
	return all
}

// hint is a value that a rule mentions for a node of its type, now and then.
func (m maker) hint(s *shape, at Path) (any, bool) {
	if m.random == nil || m.hints == nil {
		return nil, false
	}
	known := m.hints()[at.String()]
	if len(known) == 0 || m.random.IntN(3) > 0 {
		return nil, false
	}
	value := known[m.random.IntN(len(known))]
	_, isText := value.(string)
	_, isNumber := value.(int64)
	kind := s.kind()
	if kind == "string" && isText && s.Format == "" || kind == "integer" && isNumber {
		return value, true
	}
	return nil, false
}

type reading struct {
	fields   []Path            // the nodes, in the order in which they are mentioned
	literals []any             // texts and whole numbers
	mayFail  bool              // a call ends in an error for some values
	passed   []Path            // the nodes whose values such calls get
	takes    map[string]string // the function of the first such call, by the path of the node
}

func read(rule string, at Path) *reading {
	r := &reading{takes: map[string]string{}}
	if e := crd.ParseRule(rule); e != nil {
		r.expr(e, map[string]Path{"self": at, "oldSelf": at})
	}
	return r
}

// expr notes what an expression mentions, and is the node that it denotes; nil for none.
func (r *reading) expr(e ast.Expr, bound map[string]Path) (Path, bool) {
	switch e.Kind() {
	case ast.IdentKind:
		at, ok := bound[e.AsIdent()]
		return at, ok
	case ast.LiteralKind:
		switch value := e.AsLiteral().(type) {
		case types.String:
			r.literal(string(value))
		case types.Int:
			r.literal(int64(value))
		}
	case ast.SelectKind:
		if at, ok := r.expr(e.AsSelect().Operand(), bound); ok {
			return r.field(at.To(Property, e.AsSelect().FieldName())), true
		}
	case ast.ListKind:
		for _, element := range e.AsList().Elements() {
			r.expr(element, bound)
		}
	case ast.CallKind:
		return r.call(e.AsCall(), bound)
	}
	return nil, false
}

func (r *reading) call(call ast.CallExpr, bound map[string]Path) (Path, bool) {
	args := call.Args()
	fallible := isFallible(call)
	r.mayFail = r.mayFail || fallible
	pass := func(of Path, is bool) {
		if fallible && is {
			r.passed = append(r.passed, of)
			r.takes[of.String()] = cmp.Or(r.takes[of.String()], call.FunctionName())
		}
	}
	if !call.IsMemberFunction() {
		var at Path
		ok := false
		for i, arg := range args {
			of, is := r.expr(arg, bound)
			pass(of, is)
			if i == 0 {
				at, ok = of, is
			}
		}
		switch {
		case call.FunctionName() == "_[_]" && ok:
			return r.field(at.To(Items, "")), true
		case call.FunctionName() == "_?._" && ok && len(args) > 1 && args[1].Kind() == ast.LiteralKind:
			if name, is := args[1].AsLiteral().(types.String); is {
				return r.field(at.To(Property, string(name))), true
			}
		}
		return nil, false
	}
	of, ok := r.expr(call.Target(), bound)
	pass(of, ok)
	inner := bound
	if ok && len(args) > 1 && args[0].Kind() == ast.IdentKind { // a macro over a list
		inner = maps.Clone(bound)
		inner[args[0].AsIdent()] = r.field(of.To(Items, ""))
		args = args[1:]
	}
	for _, arg := range args {
		r.expr(arg, inner)
	}
	return of, ok
}

func (r *reading) field(at Path) Path {
	if !slices.ContainsFunc(r.fields, func(known Path) bool { return known.String() == at.String() }) {
		r.fields = append(r.fields, at)
	}
	return at
}

func (r *reading) literal(value any) {
	if !slices.Contains(r.literals, value) {
		r.literals = append(r.literals, value)
	}
}
