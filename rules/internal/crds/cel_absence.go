package crds

import (
	"maps"
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"k8s.io/apiserver/pkg/cel"
)

// A celTruth is what is known of an expression that is evaluated for an object of which only is known which fields it has.
type celTruth int

const (
	celOpen  celTruth = iota // it depends on the values of the fields that are there
	celTrue                  // whatever these are
	celFalse                 // whatever these are
	celFails                 // ends in an error, whatever these are
)

// A celKnown is what is known of an expression's value.
type celKnown struct {
	truth  celTruth
	schema *crd.Schema // of the value; nil where it is not a part of the object, or of a part that is not declared
	aware  bool        // the expression asks for a field that is absent
}

// A celAbsence evaluates an expression for objects without some of their optional fields, and with all others. Lists that
// are there have an item, and maps an entry. Wherever a schema is used it is absent, or there.
type celAbsence struct {
	absent map[string]bool        // by the path of their schemas
	unsure map[string]bool        // fields that may be there or not; where it is not nil, only what holds for all objects is known
	bound  map[string]celKnown    // variables
	met    map[string]*crd.Schema // optional fields that the expression reads
}

// know evaluates an expression that was parsed without macros.
func (c celAbsence) know(e ast.Expr) celKnown {
	switch e.Kind() {
	case ast.IdentKind:
		return c.bound[e.AsIdent()]
	case ast.LiteralKind:
		if b, is := e.AsLiteral().(types.Bool); is {
			return celKnown{truth: truthOf(bool(b))}
		}
	case ast.SelectKind:
		return c.field(c.know(e.AsSelect().Operand()), e.AsSelect().FieldName())
	case ast.CallKind:
		return c.call(e.AsCall())
	case ast.ListKind:
		return c.strict(e.AsList().Elements())
	}
	return celKnown{} // maps and structs
}

func truthOf(b bool) celTruth {
	if b {
		return celTrue
	}
	return celFalse
}

// field is the value of a member of an object.
func (c celAbsence) field(of celKnown, name string) celKnown {
	s := c.declared(of, name)
	switch {
	case of.truth == celFails:
		return of
	case s == nil:
		return celKnown{aware: of.aware}
	case c.absent[s.Path]:
		return celKnown{truth: celFails, aware: true}
	}
	return celKnown{schema: s, aware: of.aware}
}

// declared is the schema of a member of an object, nil where that is not known. Optional ones are noted.
func (c celAbsence) declared(of celKnown, name string) *crd.Schema {
	name, ok := cel.Unescape(name)
	if of.schema == nil || !ok || hasObjectMeta(of.schema) && slices.Contains([]string{"apiVersion", "kind", "metadata"}, name) {
		return nil // these are there, whatever the schema says
	}
	s := of.schema.Property(name)
	if s != nil && s.Get("default") == nil && !of.schema.Required(name) {
		c.met[s.Path] = s
	}
	return s
}

// hasObjectMeta reports whether a schema is that of an object of Kubernetes.
func hasObjectMeta(s *crd.Schema) bool { return s.Parent == nil || s.Flag(EmbeddedKey) }

func (c celAbsence) call(call ast.CallExpr) celKnown {
	args := call.Args()
	switch call.FunctionName() {
	case operators.LogicalAnd:
		return junction(celFalse, c.all(args))
	case operators.LogicalOr:
		return junction(celTrue, c.all(args))
	case operators.LogicalNot:
		v := c.know(args[0])
		return celKnown{truth: map[celTruth]celTruth{celTrue: celFalse, celFalse: celTrue, celFails: celFails}[v.truth], aware: v.aware}
	case operators.Conditional:
		return c.choice(c.all(args))
	case operators.Index:
		return c.index(c.all(args))
	case operators.OptIndex, operators.OptSelect:
		v := c.strict(args[:1])
		return celKnown{truth: v.truth, aware: true} // an optional value, whose members are optional as well
	case "has":
		return c.has(args)
	case "optMap", "optFlatMap":
		return c.strict([]ast.Expr{call.Target()})
	case "all", "exists", "exists_one", "existsOne", "map", "filter", "transformList", "transformMap", "transformMapEntry":
		if call.IsMemberFunction() && len(args) > 1 {
			return c.macro(call)
		}
	}
	if call.IsMemberFunction() {
		args = append([]ast.Expr{call.Target()}, args...)
	}
	return c.strict(args)
}

func (c celAbsence) all(exprs []ast.Expr) []celKnown { return Mapped(exprs, c.know) }

// strict is a value that is made of others, and fails if one of them does.
func (c celAbsence) strict(exprs []ast.Expr) (v celKnown) {
	for _, part := range c.all(exprs) {
		v.aware = v.aware || part.aware
		if part.truth == celFails {
			v.truth = celFails
		}
	}
	return v
}

// junction is the value of && and ||: one that decides does so even if the other fails.
func junction(decisive celTruth, parts []celKnown) (v celKnown) {
	truths := map[celTruth]bool{}
	for _, part := range parts {
		truths[part.truth] = true
		v.aware = v.aware || part.aware
	}
	switch {
	case truths[decisive]:
		v.truth = decisive
	case truths[celOpen]:
		v.truth = celOpen
	case truths[celFails]:
		v.truth = celFails
	default:
		v.truth = parts[0].truth
	}
	return v
}

// choice is the value of a condition, what follows when it is true, and what follows when it is false.
func (c celAbsence) choice(parts []celKnown) celKnown {
	condition, yes, no := parts[0], parts[1], parts[2]
	aware := condition.aware || yes.aware || no.aware
	switch {
	case condition.truth == celFails, condition.truth == celOpen && yes.truth == no.truth && yes.truth != celOpen:
		return celKnown{truth: max(condition.truth, yes.truth), aware: aware}
	case condition.truth == celTrue:
		return yes
	case condition.truth == celFalse:
		return no
	}
	return celKnown{aware: aware}
}

// index is the item of a list, or the value of a map.
func (c celAbsence) index(parts []celKnown) celKnown {
	v := celKnown{aware: parts[0].aware || parts[1].aware}
	if parts[0].truth == celFails || parts[1].truth == celFails {
		v.truth = celFails
	} else if s := parts[0].schema; s != nil {
		v.schema = elements(s)
	}
	return v
}

// elements is the schema of what a list or a map holds.
func elements(s *crd.Schema) *crd.Schema {
	if items := s.Items(); items != nil {
		return items
	}
	return s.AdditionalProperties()
}

// has is the value of the macro of that name.
func (c celAbsence) has(args []ast.Expr) celKnown {
	if len(args) != 1 || args[0].Kind() != ast.SelectKind {
		return celKnown{}
	}
	of := c.know(args[0].AsSelect().Operand())
	if of.truth == celFails {
		return of
	}
	s := c.declared(of, args[0].AsSelect().FieldName())
	switch {
	case s == nil:
		return celKnown{aware: of.aware}
	case c.met[s.Path] == nil:
		return celKnown{truth: celTrue, aware: of.aware}
	case c.unsure[s.Path]:
		return celKnown{aware: true}
	}
	return celKnown{truth: truthOf(!c.absent[s.Path]), aware: true}
}

// macro is the value of what goes through the elements of a list or a map. Objects with one element show the most: what
// is said of it decides for all.
func (c celAbsence) macro(call ast.CallExpr) celKnown {
	over := c.know(call.Target())
	if over.truth == celFails {
		return over
	}
	inner := c
	inner.bound = maps.Clone(c.bound)
	args := call.Args()
	last := args[len(args)-1]
	for i, variable := range args[:min(2, len(args)-1)] {
		if variable.Kind() != ast.IdentKind {
			break
		}
		inner.bound[variable.AsIdent()] = c.variable(over, i, len(args))
	}
	body := inner.know(last)
	aware := over.aware || body.aware
	switch name := call.FunctionName(); {
	case c.unsure != nil && !c.lacksIn(over.schema):
		return celKnown{aware: aware} // what is empty has no element to fail for
	case len(args) > 2 && name != "all" && name != "exists" && name != "existsOne":
		return celKnown{aware: aware} // a filter may leave nothing to be transformed
	case name == "all", name == "exists", name == "exists_one", name == "existsOne", body.truth == celFails:
		return celKnown{truth: body.truth, aware: aware}
	}
	return celKnown{aware: aware}
}

// lacksIn reports whether the elements of a list or a map lack a field.
func (c celAbsence) lacksIn(s *crd.Schema) bool {
	for path := range c.absent {
		if s != nil && crd.Within(path, s.Path) {
			return true
		}
	}
	return false
}

// variable is the nth variable of a macro: that of a list with one variable is the item, that of a map the key, and of two the
// second is the element.
func (c celAbsence) variable(over celKnown, nth, args int) celKnown {
	v := celKnown{aware: over.aware}
	if over.schema != nil && (nth == 1 || args == 2 && over.schema.Type() == "array") {
		v.schema = elements(over.schema)
	}
	return v
}
