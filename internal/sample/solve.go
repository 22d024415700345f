package sample

import (
	"maps"
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"k8s.io/apimachinery/pkg/runtime"
)

// A Plan is how an object may become one that a rule rejects: what is there before has to change, and the object.
type Plan struct{ old, object []change }

// Old is what is there before, changed.
func (p Plan) Old(o request.Object) request.Object { return applied(o, p.old) }

// New is the object, changed.
func (p Plan) New(o request.Object) request.Object { return applied(o, p.object) }

func applied(o request.Object, all []change) request.Object {
	o = runtime.DeepCopyJSON(o)
	for _, c := range all {
		c.make(o)
	}
	return o
}

// maxSize is how long values are made for a rule at most.
const maxSize = 1100

// maxPlans is how many plans there are for an expression at most.
const maxPlans = 40

// Refuting are plans after which a rule of the value at a place is not met by an object, as far as its expression can be solved: what is
// compared is set to what makes the comparison false.
func (g *Generator) Refuting(object request.Object, place request.Path, rule string) []Plan {
	return g.solve(object, place, rule, false)
}

// Satisfying are plans after which it is met.
func (g *Generator) Satisfying(object request.Object, place request.Path, rule string) []Plan {
	return g.solve(object, place, rule, true)
}

func (g *Generator) solve(object request.Object, place request.Path, rule string, is bool) []Plan {
	e := crd.ParseRule(rule)
	if e == nil {
		return nil
	}
	s := &solver{g: g, m: g.maker(nodeAt(g.root, place), 1), object: object}
	return s.want(e, is, map[string]ref{"self": {path: place}, "oldSelf": {path: place, old: true}})
}

// A solver finds what makes an expression true or false.
type solver struct {
	g      *Generator
	m      maker
	object request.Object
}

// A ref is what an expression denotes: a value of the object, or of the one before, or its size.
type ref struct {
	path      request.Path
	old, size bool
}

// shapeOf is that of the value, whatever is asked of it.
func (s *solver) shapeOf(r ref) *shape { return s.m.shape(s.g.nodeOf(r.path), "") }

func (s *solver) plan(r ref, c change) []Plan {
	if c.path = r.path; r.old {
		return []Plan{{old: []change{c}}}
	}
	return []Plan{{object: []change{c}}}
}

// both are plans for two things at once.
func both(a, b []Plan) (all []Plan) {
	for _, p := range a {
		for _, q := range b {
			if len(all) < maxPlans {
				all = append(all, Plan{slices.Concat(p.old, q.old), slices.Concat(p.object, q.object)})
			}
		}
	}
	return all
}

func either(a, b []Plan) []Plan {
	all := slices.Concat(a, b)
	return all[:min(len(all), maxPlans)]
}

// want are plans after which an expression is true, or false.
func (s *solver) want(e ast.Expr, is bool, bound map[string]ref) []Plan {
	if e.Kind() != ast.CallKind {
		if e.Kind() == ast.LiteralKind {
			if e.AsLiteral() == types.Bool(is) {
				return []Plan{{}}
			}
			return nil
		}
		return s.make(e, is, bound)
	}
	call, args := e.AsCall(), e.AsCall().Args()
	switch name := call.FunctionName(); {
	case name == "!_":
		return s.want(args[0], !is, bound)
	case name == "_&&_" && is, name == "_||_" && !is:
		return both(s.want(args[0], is, bound), s.want(args[1], is, bound))
	case name == "_&&_", name == "_||_":
		return either(s.want(args[0], is, bound), s.want(args[1], is, bound))
	case name == "_?_:_":
		return either(both(s.want(args[0], true, bound), s.want(args[1], is, bound)), both(s.want(args[0], false, bound), s.want(args[2], is, bound)))
	case name == "has":
		return s.present(args[0], is, bound)
	case name == "hasValue" && call.IsMemberFunction():
		return s.present(call.Target(), is, bound)
	case name == "_==_", name == "_!=_":
		if (name == "_==_") == is {
			return either(s.equal(args[0], args[1], bound), s.equal(args[1], args[0], bound))
		}
		return either(s.differ(args[0], bound), s.differ(args[1], bound))
	case steps[name] != nil:
		by := steps[name][0]
		if !is {
			by = steps[name][1]
		}
		return either(s.apart(args[0], args[1], by, bound), s.apart(args[1], args[0], -by, bound))
	case name == "@in" && is:
		var all []Plan
		for _, v := range s.values(args[1], bound) {
			all = either(all, s.make(args[0], v, bound))
		}
		return all
	case (name == "all" || name == "exists") && call.IsMemberFunction() && len(args) == 2:
		return s.items(call, name == "all", is, bound)
	}
	return s.anything(e, bound)
}

// steps are by how much the first of two numbers is larger, so that a comparison is true, and so that it is false.
var steps = map[string][]int64{"_<_": {-1, 0}, "_<=_": {0, 1}, "_>_": {1, 0}, "_>=_": {0, -1}}

// present are plans after which there is a value, or none.
func (s *solver) present(e ast.Expr, is bool, bound map[string]ref) []Plan {
	r, ok := s.ref(e, bound)
	if !ok {
		return nil
	}
	if !is {
		return s.plan(r, change{remove: true})
	}
	if _, has := r.path.In(s.object); has {
		return []Plan{{}}
	}
	return either(s.plan(r, change{value: s.g.valueAt(s.m, r.path, false)}), s.plan(r, change{value: s.g.valueAt(s.m, r.path, true)}))
}

// ref is the value that an expression denotes.
func (s *solver) ref(e ast.Expr, bound map[string]ref) (r ref, ok bool) {
	switch e.Kind() {
	case ast.IdentKind:
		r, ok = bound[e.AsIdent()]
	case ast.SelectKind:
		if r, ok = s.ref(e.AsSelect().Operand(), bound); ok {
			r.path = r.path.To(request.Key(e.AsSelect().FieldName()))
		}
	case ast.CallKind:
		call, args := e.AsCall(), e.AsCall().Args()
		switch name := call.FunctionName(); {
		case (name == "_[_]" || name == "_?._" || name == "_[?_]") && args[1].Kind() == ast.LiteralKind:
			if r, ok = s.ref(args[0], bound); !ok {
				return r, false
			}
			switch literal := args[1].AsLiteral().(type) {
			case types.String:
				r.path = r.path.To(request.Key(string(literal)))
			case types.Int:
				r.path = r.path.To(request.Index(int(literal)))
			}
		case name == "size" && call.IsMemberFunction():
			r, ok = s.ref(call.Target(), bound)
			r.size = true
		case name == "size" && len(args) == 1:
			r, ok = s.ref(args[0], bound)
			r.size = true
		case (name == "orValue" || name == "lowerAscii" || name == "filter" || name == "map") && call.IsMemberFunction():
			r, ok = s.ref(call.Target(), bound)
		}
	}
	return r, ok
}

// items are plans for a macro over a list or a map: some of its items have to be as the predicate says, or all of them.
func (s *solver) items(call ast.CallExpr, all, is bool, bound map[string]ref) []Plan {
	r, ok := s.ref(call.Target(), bound)
	name := call.Args()[0]
	if !ok || name.Kind() != ast.IdentKind {
		return nil
	}
	value, _ := r.path.In(s.object)
	if _, isMap := value.(map[string]any); isMap || s.shapeOf(r).kind() == "object" {
		return s.keys(r, call.Args()[1])
	}
	inner := maps.Clone(bound)
	list, _ := value.([]any)
	if all == is { // each of them
		plans := []Plan{{}}
		for i := range min(len(list), 3) {
			inner[name.AsIdent()] = ref{path: r.path.To(request.Index(i)), old: r.old}
			plans = both(plans, s.want(call.Args()[1], is, inner))
		}
		return plans
	}
	before, made := []Plan{{}}, s
	if len(list) == 0 {
		list = s.m.items(s.shapeOf(r), nodeAt(s.g.root, r.path), 1)
		before = s.plan(r, change{value: list})
		made = &solver{g: s.g, m: s.m, object: runtime.DeepCopyJSON(s.object)}
		r.path.Set(made.object, runtime.DeepCopyJSONValue(list))
	}
	inner[name.AsIdent()] = ref{path: r.path.To(request.Index(0)), old: r.old}
	return both(before, made.want(call.Args()[1], is, inner))
}

// keys are plans for a macro over the keys of a map: one that the predicate mentions is there, or one like it.
func (s *solver) keys(r ref, predicate ast.Expr) (all []Plan) {
	_, literals := s.mentioned(predicate, nil)
	for _, literal := range literals {
		if key, is := literal.(string); is {
			for _, key := range []string{key, key + "a"} {
				at := r.path.To(request.Key(key))
				all = either(all, s.plan(ref{path: at, old: r.old}, change{value: s.g.valueAt(s.m, at, false)}))
			}
		}
	}
	return all
}
