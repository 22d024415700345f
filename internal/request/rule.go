package request

import (
	"context"
	"maps"
	"slices"
	"strings"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/apiserver/pkg/warning"
)

// validateRules evaluates x-kubernetes-validations; old is nil on create. Upstream does it once, which is all there is
// to do for nearly every object. Where it says something, a ruled walks through the object again, calls it for one node
// and then for one rule at a time, and knows which rule of which node it is.
func (r *reading) validateRules(old any, correlated *common.CorrelatedObject) {
	v := r.version
	if v.rules == nil {
		return
	}
	if slices.ContainsFunc(r.out.Causes[r.common:], Cause.blocks) {
		r.refuse(Cause{Stage: RulesNotRun, Type: field.ErrorTypeInvalid, Field: "<nil>", Rule: -1, Actual: -1, upstream: rulesNotRun})
		return
	}
	root := ruledValue{schemaPath: []string{}, value: r.object, old: old, correlated: correlated, nearest: correlated}
	budget := int64(celconfig.RuntimeCELCostBudget)
	if errs, warnings, _ := root.evaluate(v.rules, budget); len(errs) == 0 && len(warnings) == 0 {
		return
	}
	e := &evaluation{reading: r, budget: budget}
	e.node(v.rules, root)
}

// rulesNotRun is what hasBlockingErr of customresource says.
var rulesNotRun = field.Invalid(nil, nil,
	"some validation rules were not checked because the object was invalid; correct the existing errors to complete validation")

// blocks reports whether the rules are not evaluated for the cause. See hasBlockingErr of customresource.
func (c Cause) blocks() bool {
	switch c.Type {
	case field.ErrorTypeNotSupported, field.ErrorTypeRequired, field.ErrorTypeTooLong, field.ErrorTypeTooMany, field.ErrorTypeTypeInvalid:
		return true
	}
	return false
}

// A ruledValue is a value with rules, or with values that have some.
type ruledValue struct {
	value, old any
	path       Path
	at         *field.Path // upstream's for the path
	schemaPath []string

	correlated *common.CorrelatedObject // the value and the one that it updates; nil when there is none
	nearest    *common.CorrelatedObject // the same, or that of the nearest value around it that has one
}

// evaluate has upstream evaluate the rules of the value and all in it. It returns the errors, what became warnings as the value did
// not change, and the cost that is left.
func (n ruledValue) evaluate(rules *cel.Validator, budget int64) (field.ErrorList, []string, int64) {
	ratcheted := &recorder{}
	ctx := warning.WithWarningRecorder(context.Background(), ratcheted)
	errs, left := rules.Validate(ctx, n.at, nil, n.value, n.old, budget, cel.WithRatcheting(n.nearest))
	return errs, ratcheted.texts, left
}

type recorder struct{ texts []string }

func (r *recorder) AddWarning(_, text string) { r.texts = append(r.texts, text) }

// An evaluation is a walk that finds out which rules fail.
type evaluation struct {
	reading *reading
	budget  int64 // the cost that is left; negative when rules are not evaluated any more
}

// node is cel.Validator.validate, but in a fixed order.
func (e *evaluation) node(rules *cel.Validator, n ruledValue) {
	if rules == nil || n.value == nil {
		return
	}
	alone := *rules
	alone.Items, alone.Properties, alone.AdditionalProperties, alone.AllOfValidators = nil, nil, nil, nil
	errs, warnings, left := n.evaluate(&alone, e.budget)
	if len(errs) == 0 && len(warnings) == 0 {
		e.budget = left
	} else {
		e.each(rules.Schema, n)
	}
	switch value := n.value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			if e.budget < 0 {
				return
			}
			e.node(rules.AdditionalProperties, n.member(rules.Schema, key, "additionalProperties"))
			if property, ok := rules.Properties[key]; ok && e.budget >= 0 {
				e.node(&property, n.member(rules.Schema, key, "properties", key))
			}
		}
	case []any:
		old, _ := n.old.([]any)
		olds := common.MakeMapList(&model.Structural{Structural: rules.Schema}, old)
		for i := range value {
			if e.budget < 0 {
				return
			}
			e.node(rules.Items, n.item(i, value[i], olds.Get(value[i])))
		}
	}
}

// each evaluates the rules of a value one at a time.
func (e *evaluation) each(s *structuralschema.Structural, n ruledValue) {
	for i, rule := range s.XValidations {
		one := e.reading.version.oneRule(s, i, len(n.path) == 0)
		errs, warnings, left := n.evaluate(one, e.budget)
		for _, err := range errs {
			e.reading.refuse(ruleCause(n, i, rule, err, left))
		}
		if len(warnings) > 0 {
			cause := ruleCause(n, i, rule, &field.Error{Type: field.ErrorTypeInvalid, Detail: authored(rule)}, left)
			cause.Schema = e.reading.schemaOf(cause)
			warned := Warning{Kind: Ratcheted, Path: cause.Path, Cause: &cause}
			if e.reading.texts {
				warned.Detail = warnings[0]
			}
			e.reading.out.Warnings = append(e.reading.out.Warnings, warned)
		}
		if e.budget = left; left < 0 {
			return
		}
	}
}

func (n ruledValue) member(s *structuralschema.Structural, key string, schemaPath ...string) ruledValue {
	child := ruledValue{
		value: n.value.(map[string]any)[key], path: n.path.To(Key(key)), at: n.at.Key(key),
		schemaPath: slices.Concat(n.schemaPath, schemaPath), nearest: n.nearest,
	}
	if len(schemaPath) > 1 {
		child.at = n.at.Child(key)
	}
	if old, ok := n.old.(map[string]any); ok && cel.MapIsCorrelatable(s.XMapType) {
		child.old = old[key]
	}
	if len(n.path) == 0 && (key == "apiVersion" || key == "kind") { // see ratchetingOptions.key
		child.nearest = nil
		return child
	}
	return child.correlate(n.correlated.Key(key))
}

func (n ruledValue) item(i int, value, old any) ruledValue {
	child := ruledValue{
		value: value, old: old, path: n.path.To(Index(i)), at: n.at.Index(i),
		schemaPath: slices.Concat(n.schemaPath, []string{"items"}), nearest: n.nearest,
	}
	return child.correlate(n.correlated.Index(i))
}

func (n ruledValue) correlate(own *common.CorrelatedObject) ruledValue {
	if n.correlated = own; own != nil {
		n.nearest = own
	}
	return n
}

// A ruleKey is a rule of a schema.
type ruleKey struct {
	schema *structuralschema.Structural
	rule   int
}

// oneRule is a validator of one rule of a schema. Upstream says nowhere which rule an error is about, and messages of
// two may be the same.
func (v *Version) oneRule(s *structuralschema.Structural, rule int, root bool) *cel.Validator {
	key := ruleKey{s, rule}
	if made, ok := v.oneRules.Load(key); ok {
		return made.(*cel.Validator)
	}
	alone := withoutRules(s)
	alone.XValidations = s.XValidations[rule : rule+1]
	made, _ := v.oneRules.LoadOrStore(key, cel.NewValidator(alone, root || s.XEmbeddedResource, celconfig.PerCallLimit))
	return made.(*cel.Validator)
}

// withoutRules is a schema without its rules and those below it.
func withoutRules(s *structuralschema.Structural) *structuralschema.Structural {
	bare := s.DeepCopy()
	visitor := structuralschema.Visitor{Structural: func(s *structuralschema.Structural) bool {
		s.XValidations = nil
		return true
	}}
	visitor.Visit(bare)
	return bare
}

// comparing reports whether a rule at or below a schema may have oldSelf in it.
func comparing(s *structuralschema.Structural) (found bool) {
	if s == nil {
		return false
	}
	visitor := structuralschema.Visitor{Structural: func(s *structuralschema.Structural) bool {
		for _, rule := range s.XValidations {
			found = found || strings.Contains(rule.Rule, "oldSelf")
		}
		return false
	}}
	visitor.Visit(s.DeepCopy()) // it writes into maps
	return found
}
