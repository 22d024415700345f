package fast

import (
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/memory"
	"github.com/google/cel-go/cel"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	schemacel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/library"
)

// compiledRules is what is known of the rules of a schema.
type compiledRules struct {
	costs   []apiserver.Cost // of each rule
	oldSelf bool             // a rule looks at the older value
	good    bool             // upstream has nothing against them, wherever the costs are within their limits
}

// knownRules are those of this process, by the schema, and whether it is that of a resource. Real rules are few, and large.
var knownRules = memory.Memory[ruleSource, *compiledRules]{Limit: 1 << 12}

type ruleSource struct {
	schema   digest
	resource bool
}

// areGood reports whether upstream has nothing against the rules of a schema at a place, and adds their costs to those of
// the CRD. See the end of ValidateCustomResourceDefinitionOpenAPISchema.
func areGood(s *apiextensions.JSONSchemaProps, of mark, in place) bool {
	c := compileOnce(s, of, in.rules, in.root)
	if !c.good || c.oldSelf && in.apart {
		return false
	}
	for _, cost := range c.costs {
		n := cost.Times(in.rules)
		if n > validation.StaticEstimatedCostLimit {
			return false
		}
		in.rules.TotalCost.ObserveExpressionCost(nil, n)
		in.rules.TotalCost.ObserveExpressionCost(nil, cost.Message)
	}
	return true
}

func compileOnce(s *apiextensions.JSONSchemaProps, of mark, at *validation.CELSchemaContext, root bool) *compiledRules {
	if !of.plain { // another schema may have the same digest
		return compileAll(s, at)
	}
	return knownRules.Of(ruleSource{of.digest, root || s.XEmbeddedResource}, func() *compiledRules { return compileAll(s, at) })
}

// RuleCosts are the costs of the rules of a schema, by their index; none where they cannot be compiled. The root is the
// schema of the resource.
func RuleCosts(s *apiextensions.JSONSchemaProps, at *validation.CELSchemaContext, root bool) []apiserver.Cost {
	var d digester
	return compileOnce(s, d.marks[d.scan("", "", s)], at, root).costs
}

// compileAll compiles the rules of a schema, as Compile of package cel does, in environments that schemas share.
func compileAll(s *apiextensions.JSONSchemaProps, at *validation.CELSchemaContext) *compiledRules {
	c := &compiledRules{}
	info, err := at.TypeInfo()
	if err != nil || info == nil || info.DeclType == nil {
		return c
	}
	with, err := compilersFor(info.DeclType)
	if err != nil {
		return c
	}
	defer with.giveBack()
	c.good = true
	for _, rule := range s.XValidations {
		c.good = c.add(rule, info.Schema, with) && c.good
	}
	return c
}

// add compiles a rule of a schema, by one of the compilers for it. It reports whether upstream has nothing against it.
func (c *compiledRules) add(rule apiextensions.ValidationRule, of *structuralschema.Structural, with *compilers) bool {
	c.costs = append(c.costs, apiserver.Cost{})
	if strings.TrimSpace(rule.Rule) == "" {
		return false
	}
	compiler, err := with.borrow(rule.OptionalOldSelf != nil && *rule.OptionalOldSelf)
	if err != nil {
		return false
	}
	sizes := &library.CostEstimator{SizeEstimator: sizesIn{with.self}}
	compiled, ok := compiler.compile(rule.Rule, cel.BoolType, sizes)
	c.oldSelf = c.oldSelf || compiled.oldSelf
	if !ok {
		return false
	}
	cardinality := celconfig.MaxRequestSizeBytes / (with.self.MinSerializedSize + 1) // see maxCardinality
	cost := &c.costs[len(c.costs)-1]
	*cost = apiserver.Cost{Max: compiled.cost, Cardinality: uint64(cardinality)}
	if rule.MessageExpression != "" {
		message, ok := compiler.compile(rule.MessageExpression, cel.StringType, sizes)
		cost.Message = message.cost
		if !ok || message.cost > validation.StaticEstimatedCostLimit {
			return false
		}
	}
	return isTidy(rule, of) && (compiled.oldSelf || rule.OptionalOldSelf == nil)
}

// isTidy reports whether upstream surely has nothing against the texts of a rule of a schema.
func isTidy(r apiextensions.ValidationRule, of *structuralschema.Structural) bool {
	rule, message, expression := strings.TrimSpace(r.Rule), strings.TrimSpace(r.Message), strings.TrimSpace(r.MessageExpression)
	return rule != "" && (isOneLine(rule) || message != "") && isOneLine(message) &&
		(message != "" || r.Message == "") && (expression != "" || r.MessageExpression == "") &&
		isReason(r.Reason) && (r.FieldPath == "" || isFieldPath(r.FieldPath, of))
}

func isOneLine(text string) bool { return !strings.ContainsAny(text, "\r\n") }

// isReason reports whether there is such a reason, or none. See supportedValidationReason.
func isReason(r *apiextensions.FieldValueErrorReason) bool {
	return r == nil || slices.Contains([]apiextensions.FieldValueErrorReason{apiextensions.FieldValueRequired,
		apiextensions.FieldValueForbidden, apiextensions.FieldValueInvalid, apiextensions.FieldValueDuplicate}, *r)
}

func isFieldPath(path string, of *structuralschema.Structural) bool {
	_, _, err := schemacel.ValidFieldPath(path, of)
	return err == nil && isOneLine(path) && strings.TrimSpace(path) != ""
}
