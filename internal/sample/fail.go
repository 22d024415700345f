package sample

import (
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/runtime"
)

// A Failure is a value that the schema accepts and a rule ends in an error for, where it has nothing else against the object.
type Failure struct {
	Node     Path
	Value    any
	Error    string // how the error begins, "" for one that has a value in it
	Function string // that takes the value in the rule, "" for none that ends in an error
}

// fallible are the functions and operators that end in an error for some values of the types that they take. What overflows
// is not among them: nobody sees to that.
var fallible = map[string]bool{
	"quantity": true, "duration": true, "timestamp": true, "ip": true, "cidr": true, "url": true, "semver": true,
	"int": true, "uint": true, "double": true, "bool": true, "_[_]": true, "_/_": true, "_%_": true, "min": true, "max": true,
	"substring": true, "charAt": true, "containsIP": true, "containsCIDR": true, "asInteger": true, "decode": true,
}

// MayFail reports whether a rule has something that ends in an error for some values of the types that it is for.
func MayFail(rule string) bool { return read(rule, nil).mayFail }

// isFallible reports whether a call may end in an error: it is not made with literals only, and not for the first part of a
// text, which there always is.
func isFallible(call ast.CallExpr) bool {
	if args := call.Args(); call.FunctionName() == "_[_]" && args[0].Kind() == ast.CallKind && args[1].Kind() == ast.LiteralKind {
		if of := args[0].AsCall(); of.FunctionName() == "split" && len(of.Args()) == 1 && args[1].AsLiteral() == types.IntZero {
			return false
		}
	}
	return fallible[call.FunctionName()] && (call.IsMemberFunction() ||
		slices.ContainsFunc(call.Args(), func(arg ast.Expr) bool { return arg.Kind() != ast.LiteralKind }))
}

// Failing finds an ordinary value that a rule of a node ends in an error for, instead of rejecting it; nil when it finds none.
// Fields that are absent are not tried.
func (g *Generator) Failing(at Path, rule int, text string) *Failure {
	told := read(text, at)
	for _, node := range g.suspects(at, told) {
		f, clear := g.failing(at, rule, node, told, g.littleAround(node))
		if f == nil && !clear {
			f, _ = g.failing(at, rule, node, told, g.validAround(node))
		}
		if f != nil {
			return f
		}
	}
	return nil
}

// suspects are the nodes whose values a rule may end in an error for.
func (g *Generator) suspects(at Path, told *reading) []Path {
	nodes := slices.Clone(told.passed)
	for _, node := range append([]Path{at}, told.fields...) {
		if told.mayFail && len(told.passed) == 0 || g.shapeOf(node).intOrString {
			nodes = append(nodes, node)
		}
	}
	return slices.DeleteFunc(nodes, func(node Path) bool { return len(node) == 0 || node[0].Name == "metadata" })
}

// failing is Failing for one node, in the objects that are made. They are clear when the rule was reached in one of them.
func (g *Generator) failing(at Path, rule int, node Path, told *reading, make func(any) request.Object) (f *Failure, clear bool) {
	s := g.shapeOf(node)
	for _, value := range g.ordinary(s, node) {
		t := g.try(at, rule, node, value, make(value), told)
		if t.fails && s.canCause(t.err) {
			return &Failure{node, value, t.err, told.takes[node.String()]}, true
		}
		clear = clear || t.clear
	}
	return nil, clear
}

// littleAround makes objects with a value at a node, and what a valid object needs besides.
func (g *Generator) littleAround(node Path) func(any) request.Object {
	return func(value any) request.Object {
		object := g.build(g.maker(node, 0), node, value)
		if least, ok := g.At(nil); ok {
			complete(object, least)
		}
		return object
	}
}

// validAround makes objects that differ from a valid one at a node; nil when there is none.
func (g *Generator) validAround(node Path) func(any) request.Object {
	base := sync.OnceValue(func() request.Object { return g.find(node, 1, mendingSmall/4) })
	return func(value any) request.Object {
		if base() == nil {
			return nil
		}
		object := runtime.DeepCopyJSON(base())
		Put(object, node, runtime.DeepCopyJSONValue(value))
		return object
	}
}

func (g *Generator) shapeOf(at Path) *shape { return g.maker(at, 0).shape(g.Schemas(at), "") }

// canCause reports whether an error may be due to a value: it is not that a field is absent, or that a number is large.
func (s *shape) canCause(err string) bool {
	switch err {
	case "no such key":
		return len(s.values) > 0
	case "integer overflow", "unsigned integer overflow":
		return false
	}
	return true
}

// ordinary are values of a node that people may write.
func (g *Generator) ordinary(s *shape, at Path) []any {
	if len(s.Enum) > 0 {
		var all []any
		for _, value := range s.Enum[:min(4, len(s.Enum))] {
			all = append(all, Plain(value))
		}
		return all
	}
	switch s.kind() {
	case "string":
		return []any{s.text(at, 1), ""}
	case "int or string":
		return []any{s.text(at, 1), int64(80)}
	case "integer", "number":
		return append([]any{int64(1), int64(0)}, s.ends()...)
	case "array":
		return []any{[]any{}, g.maker(at, 1).items(s, at, 1)}
	case "object":
		if len(s.values) > 0 {
			return []any{map[string]any{}, map[string]any{"key": g.maker(at, 0).value(s.values, at.To(Values, ""))}}
		}
	}
	return nil
}

type trial struct {
	err   string // how the error begins that it ends in
	fails bool   // it ends in one, and nothing else is wrong with the object
	clear bool   // nothing is wrong, or it is this rule that says so
}

// try has an object with a value at a node judged. A rule may look at the value only where others of its fields have some
// value.
func (g *Generator) try(at Path, rule int, node Path, value any, base request.Object, told *reading) trial {
	if base == nil {
		return trial{}
	}
	first := g.judge(base, at, rule)
	if first.fails {
		return first
	}
	for _, other := range told.fields {
		if slices.Equal(other, node) {
			continue
		}
		for _, v := range g.settings(other, told) {
			object := runtime.DeepCopyJSON(base)
			if !Concrete(other).Set(object, v) {
				continue
			}
			if there, _ := Get(object, node); jsonOf(there) != jsonOf(value) {
				continue
			}
			if t := g.judge(object, at, rule); t.fails {
				return t
			}
		}
	}
	return first
}

// settings are values of a node that a rule may ask for: that there is one, or which.
func (g *Generator) settings(at Path, told *reading) []any {
	s := g.shapeOf(at)
	all := g.ordinary(s, at)
	switch {
	case s.kind() == "boolean":
		return []any{true, false}
	case s.intOrString:
		return all[:1] // its other type has its own turn
	case s.kind() != "string" || len(s.Enum) > 0:
		return all
	}
	for _, literal := range told.literals[:min(6, len(told.literals))] {
		if _, is := literal.(string); is {
			all = append(all, literal)
		}
	}
	return all
}

// judge tells what a rule of a node makes of an object.
func (g *Generator) judge(object request.Object, at Path, rule int) (t trial) {
	t.clear = true
	for _, c := range refusals(g.version, object) {
		mine := c.Stage == request.Rule && c.Rule == rule && slices.Equal(nodeAt(g.root, c.Path), at)
		switch {
		case c.Failure != request.RunTime:
			return trial{clear: t.clear && mine}
		case mine:
			t.err, t.fails = c.Detail, true
		}
	}
	return t
}

// Trials are rules that were tried, by what they say and the schema that they say it of. Copies of a rule are tried once.
type Trials map[string]bool

// Hold reports whether no ordinary value of what a rule of a node speaks about has it end in an error. It looks at no more of
// the schema than that, so that it is cheap; where it is false, Failing knows whether something else rejects the value.
func (t Trials) Hold(hub *apiextensions.CustomResourceDefinition, version string, at Path, rule int, text string) bool {
	told := read(text, at)
	part, err := partOf(hub, version, at, rule, told.fields)
	if err != nil {
		return false
	}
	here := part.Spec.Versions[0].Schema.OpenAPIV3Schema
	for _, step := range at {
		here = childOf(here, step)
	}
	schema, err := json.Marshal(here)
	if err != nil {
		return false
	}
	holds, tried := t[string(schema)]
	if !tried {
		if server, err := request.New(part); err == nil {
			holds = New(server, version, 1).holds(at, told)
		}
		t[string(schema)] = holds
	}
	return holds
}

// holds reports whether the only rule of a node ends in no error.
func (g *Generator) holds(at Path, told *reading) bool {
	for _, node := range g.suspects(at, told) {
		little := func(value any) request.Object { return g.build(g.maker(node, 0), node, value) } // nothing else is required
		if f, _ := g.failing(at, 0, node, told, little); f != nil {
			return false
		}
	}
	return true
}

// partOf is a CRD with one version, and of its schema as much as leads to a node and from there to fields. It has one rule. It
// accepts more than the whole does, so that a rule that holds for it holds for the whole.
func partOf(hub *apiextensions.CustomResourceDefinition, version string, at Path, rule int, fields []Path) (*apiextensions.CustomResourceDefinition, error) {
	validation, err := apiextensions.GetSchemaForVersion(hub, version)
	if err != nil {
		return nil, err
	}
	subresources, err := apiextensions.GetSubresourcesForVersion(hub, version)
	if err != nil {
		return nil, err
	}
	part := *hub
	part.Spec.Validation, part.Spec.Subresources, part.Spec.Conversion = nil, nil, nil
	v := apiextensions.CustomResourceDefinitionVersion{Name: version, Served: true, Storage: true}
	if subresources != nil && subresources.Status != nil {
		v.Subresources = &apiextensions.CustomResourceSubresources{Status: subresources.Status}
	}
	ways := []Path{}
	for _, field := range fields {
		if len(field) > len(at) && !slices.ContainsFunc(fields, func(f Path) bool { return len(f) > len(field) && slices.Equal(f[:len(field)], field) }) {
			ways = append(ways, field)
		}
	}
	v.Schema = &apiextensions.CustomResourceValidation{OpenAPIV3Schema: along(validation.OpenAPIV3Schema, at, rule, ways, 0)}
	part.Spec.Versions = []apiextensions.CustomResourceDefinitionVersion{v}
	return &part, nil
}

// along is as much of a schema at a depth as leads to the node and further on the ways, and the rule of the node.
func along(s *apiextensions.JSONSchemaProps, at Path, rule int, ways []Path, depth int) *apiextensions.JSONSchemaProps {
	part := *s
	part.Description = ""
	if depth == len(at) {
		part.XValidations = s.XValidations[rule : rule+1]
	} else {
		part.XValidations = nil
	}
	here := ways
	if depth < len(at) {
		here = []Path{at}
	}
	if len(here) == 0 || slices.ContainsFunc(here, func(way Path) bool { return len(way) == depth }) {
		return &part // where a way ends, its values are whole
	}
	part.AllOf, part.AnyOf, part.OneOf, part.Not, part.Default, part.Enum = nil, nil, nil, nil, nil, nil
	part.MinProperties, part.MaxProperties, part.XListType, part.XListMapKeys, part.Required = nil, nil, nil, nil, nil
	part.Properties = map[string]apiextensions.JSONSchemaProps{}
	next := map[string][]Path{}
	for _, way := range here {
		next[way[depth].Name] = append(next[way[depth].Name], way)
	}
	deeper := func(s *apiextensions.JSONSchemaProps, name string) *apiextensions.JSONSchemaProps {
		if depth < len(at) {
			return along(s, at, rule, ways, depth+1)
		}
		return along(s, at, rule, next[name], depth+1)
	}
	for name := range maps.Keys(next) {
		if child, found := s.Properties[name]; found {
			part.Properties[name] = *deeper(&child, name)
			if slices.Contains(s.Required, name) {
				part.Required = append(part.Required, name)
			}
		}
	}
	if s.Items != nil && s.Items.Schema != nil {
		part.Items = &apiextensions.JSONSchemaPropsOrArray{Schema: deeper(s.Items.Schema, "")}
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		part.AdditionalProperties = &apiextensions.JSONSchemaPropsOrBool{Allows: true, Schema: deeper(s.AdditionalProperties.Schema, "")}
	}
	return &part
}
