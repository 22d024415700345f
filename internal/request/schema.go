package request

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kube-openapi/pkg/validation/strfmt"
	"k8s.io/kube-openapi/pkg/validation/validate"
)

// upstream's errors name a place by keys joined with dots, or not at all: what an anyOf says, or a number out of the
// range of its format. So once it has rejected a value, a node walks through schema and value again, calls upstream's
// validator for one node at a time, and knows where it is.

// A node is a value and the schema that it has to meet.
type node struct {
	schema     *spec.Schema
	screen     *screen // the schema's; nil for a branch of a junctor
	schemaPath []string
	value      any
	path       Path
	name       string                   // upstream's for the path
	correlated *common.CorrelatedObject // the value and the one that it updates; nil when there is none
}

// A fault is an error of upstream's for a node.
type fault struct {
	err   error
	cause Cause
}

// faults are the errors of a value and all in it, in a fixed order. Like ratchetingValueValidator it passes over those
// of values that did not change.
func (n node) faults() []fault {
	errs, below := n.validate(n.schema)
	slices.SortFunc(below, func(a, b node) int { return a.path.Compare(b.path) })
	var all []fault
	for _, child := range below {
		all = append(all, child.faults()...)
	}
	all = append(all, n.place(errs)...)
	if len(all) > 0 && n.correlated.CachedDeepEqual() {
		return nil
	}
	return all
}

// validate is upstream's validation of the node alone, by its schema or a part of it, and the nodes that upstream would
// go on with and that have errors.
func (n node) validate(schema *spec.Schema) (errs []error, below []node) {
	hooks := func(o *validate.SchemaValidatorOptions) {
		o.NewValidatorForField = func(key string, s *spec.Schema, _ any, name string, _ strfmt.Registry, _ ...validate.Option) validate.ValueValidator {
			return later(func(value any) {
				if n.screen == nil || !n.screen.member(key).passes(value) {
					below = append(below, n.member(key, *s, name, value))
				}
			})
		}
		o.NewValidatorForIndex = func(i int, s *spec.Schema, _ any, name string, _ strfmt.Registry, _ ...validate.Option) validate.ValueValidator {
			return later(func(value any) {
				if n.screen == nil || !n.screen.items.passes(value) {
					below = append(below, n.item(i, *s, name, value))
				}
			})
		}
	}
	return validate.NewSchemaValidator(schema, nil, n.name, strfmt.Default, hooks).Validate(n.value).Errors, below
}

// later takes a value in place of a validator.
type later func(value any)

func (f later) Validate(value any) *validate.Result {
	f(value)
	return &validate.Result{}
}
func (later) SetPath(string)                 {}
func (later) Applies(any, reflect.Kind) bool { return true }

func (n node) member(key string, s spec.Schema, name string, value any) node {
	schemaPath := []string{"additionalProperties"}
	if _, ok := n.schema.Properties[key]; ok {
		schemaPath = []string{"properties", key}
	}
	child := node{schema: &s, schemaPath: slices.Concat(n.schemaPath, schemaPath), value: value, path: n.path.To(Key(key)), name: name}
	if n.screen != nil {
		child.screen = n.screen.member(key)
	}
	if n.name != "" || key != "apiVersion" && key != "kind" { // see ratchetingValueValidator.SubPropertyValidator
		child.correlated = n.correlated.Key(key)
	}
	return child
}

func (n node) item(i int, s spec.Schema, name string, value any) node {
	child := node{schema: &s, schemaPath: slices.Concat(n.schemaPath, []string{"items"}), value: value, path: n.path.To(Index(i)), name: name}
	if n.screen != nil {
		child.screen = n.screen.items
	}
	child.correlated = n.correlated.Index(i)
	return child
}

// place finds the part of the node's schema, or of the branches of its junctors, that each error comes from.
func (n node) place(errs []error) (all []fault) {
	if len(errs) == 0 {
		return nil
	}
	bare := *n.schema
	bare.AllOf, bare.AnyOf, bare.OneOf, bare.Not = nil, nil, nil, nil
	own, _ := n.validate(&bare)
	ours := texts{}
	for _, err := range own {
		ours.add(err)
	}
	var branches map[string]fault
	for _, err := range errs {
		if ours[err.Error()] {
			all = append(all, fault{err, n.cause(err)})
			continue
		}
		if keyword := n.junctor(err); keyword != "" {
			all = append(all, fault{err, n.broken(keyword)})
			continue
		}
		if branches == nil {
			branches = map[string]fault{}
			for _, f := range slices.Backward(n.branches()) {
				branches[f.err.Error()] = f
			}
		}
		if f, ok := branches[err.Error()]; ok {
			all = append(all, f)
		}
	}
	return all
}

// texts are those of errors. Upstream, too, calls errors of the same text one error.
type texts map[string]bool

// add adds an error, and reports whether it is new.
func (t texts) add(err error) bool {
	old := t[err.Error()]
	t[err.Error()] = true
	return !old
}

// junctor is the keyword of the node's own whose verdict an error is.
func (n node) junctor(err error) string {
	for _, j := range []struct {
		keyword, begins string
		only            spec.SchemaProps
	}{
		{"anyOf", fmt.Sprintf(validate.MustValidateAtLeastOneSchemaError, n.name), spec.SchemaProps{AnyOf: n.schema.AnyOf}},
		{"oneOf", fmt.Sprintf(validate.MustValidateOnlyOneSchemaError, n.name, ""), spec.SchemaProps{OneOf: n.schema.OneOf}},
		{"allOf", fmt.Sprintf(validate.MustValidateAllSchemasError, n.name, ""), spec.SchemaProps{AllOf: n.schema.AllOf}},
		{"not", fmt.Sprintf(validate.MustNotValidateSchemaError, n.name), spec.SchemaProps{Not: n.schema.Not}},
	} {
		if strings.HasPrefix(err.Error(), j.begins) {
			if errs, _ := n.validate(&spec.Schema{SchemaProps: j.only}); slices.ContainsFunc(errs, func(other error) bool { return other.Error() == err.Error() }) {
				return j.keyword
			}
		}
	}
	return ""
}

// branches are the faults by the branches of the node's junctors, which upstream does not ratchet.
func (n node) branches() (all []fault) {
	for _, j := range []struct {
		keyword string
		schemas []spec.Schema
	}{{"allOf", n.schema.AllOf}, {"anyOf", n.schema.AnyOf}, {"oneOf", n.schema.OneOf}} {
		for i := range j.schemas {
			branch := n
			branch.schema, branch.screen, branch.correlated = &j.schemas[i], nil, nil
			branch.schemaPath = slices.Concat(n.schemaPath, []string{j.keyword, strconv.Itoa(i)})
			all = append(all, branch.faults()...)
		}
	}
	return all
}

// causes are those of a value that upstream rejects by a schema; at is upstream's path of it.
func (n node) causes(at *field.Path) []Cause {
	var causes []Cause
	var errs []error
	told := texts{}
	for _, f := range n.faults() {
		if told.add(f.err) {
			errs = append(errs, f.err)
			causes = append(causes, f.cause)
		}
	}
	for i, err := range validation.ValidateCustomResource(at, nil, result(errs)) {
		causes[i].Type, causes[i].Field, causes[i].upstream = err.Type, err.Field, err
	}
	return causes
}

// result has upstream make field errors of others.
type result []error

func (r result) Validate(any, ...validation.ValidationOption) *validate.Result {
	return &validate.Result{Errors: r}
}

// Subschema is the schema at a path.
func Subschema(s *apiextensions.JSONSchemaProps, path []string) *apiextensions.JSONSchemaProps {
	for len(path) > 0 && s != nil {
		used := 2
		switch path[0] {
		case "properties":
			p := s.Properties[path[1]]
			s = &p
		case "additionalProperties":
			s, used = s.AdditionalProperties.Schema, 1
		case "items":
			s, used = s.Items.Schema, 1
		default:
			i, _ := strconv.Atoi(path[1])
			s = &map[string][]apiextensions.JSONSchemaProps{"allOf": s.AllOf, "anyOf": s.AnyOf, "oneOf": s.OneOf}[path[0]][i]
		}
		path = path[used:]
	}
	return s
}
