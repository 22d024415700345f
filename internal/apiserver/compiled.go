package apiserver

import (
	"math"
	"math/bits"
	"strings"

	"github.com/crdlift/crdlift/internal/memory"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

// A Cost is what upstream estimates for a rule.
type Cost struct {
	Max         uint64 // for one value
	Cardinality uint64 // how many values there can be at most where nothing around them bounds their number
}

// Times is the cost of a rule at a place, of all its values together. See getExpressionCost.
func (c Cost) Times(at *validation.CELSchemaContext) uint64 {
	times := c.Cardinality
	if at.MaxCardinality != nil {
		times = *at.MaxCardinality
	}
	high, cost := bits.Mul64(c.Max, times)
	if high != 0 {
		return math.MaxUint64
	}
	return cost
}

// compiledRules is what is known of the rules of a schema.
type compiledRules struct {
	costs    []Cost // of each rule
	messages uint64 // the cost of the expressions for messages
	oldSelf  bool   // a rule looks at the older value
	good     bool   // upstream has nothing against them, wherever the costs are within their limits
}

// knownRules are those of this process, by the schema, and whether it is that of a resource. Real rules are few, and large.
var knownRules = memory.Memory[ruleSource, *compiledRules]{Limit: 1 << 12}

type ruleSource struct {
	schema   digest
	resource bool
}

// areGood reports whether upstream has nothing against the rules of a schema at a place, and adds their costs to those of
// the CRD. See the end of ValidateCustomResourceDefinitionOpenAPISchema.
func areGood(s *apiextensions.JSONSchemaProps, of digest, in place) bool {
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
	}
	in.rules.TotalCost.ObserveExpressionCost(nil, c.messages)
	return true
}

func compileOnce(s *apiextensions.JSONSchemaProps, of digest, at *validation.CELSchemaContext, root bool) *compiledRules {
	return knownRules.Of(ruleSource{of, root || s.XEmbeddedResource}, func() *compiledRules { return compileAll(s, at) })
}

// RuleCosts are the costs of the rules of a schema, by their index; none where they cannot be compiled. The root is the
// schema of the resource.
func RuleCosts(s *apiextensions.JSONSchemaProps, at *validation.CELSchemaContext, root bool) []Cost {
	var d digester
	return compileOnce(s, d.marks[d.scan("", "", s)].digest, at, root).costs
}

func compileAll(s *apiextensions.JSONSchemaProps, at *validation.CELSchemaContext) *compiledRules {
	c := &compiledRules{}
	info, err := at.TypeInfo()
	if err != nil || info == nil {
		return c
	}
	results, err := cel.Compile(info.Schema, info.DeclType, celconfig.PerCallLimit,
		environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()), cel.NewExpressionsEnvLoader())
	if err != nil {
		return c
	}
	c.good = true
	for i, r := range results {
		rule := s.XValidations[i]
		c.costs = append(c.costs, Cost{r.MaxCost, r.MaxCardinality})
		c.messages += r.MessageExpressionMaxCost
		c.oldSelf = c.oldSelf || r.UsesOldSelf
		c.good = c.good && isTidy(rule) && r.Error == nil && r.MessageExpressionError == nil &&
			r.MessageExpressionMaxCost <= validation.StaticEstimatedCostLimit && (r.UsesOldSelf || rule.OptionalOldSelf == nil)
	}
	return c
}

// isTidy reports whether upstream surely has nothing against the texts of a rule. Rules with a path or a reason are left to
// it.
func isTidy(r apiextensions.ValidationRule) bool {
	rule, message, expression := strings.TrimSpace(r.Rule), strings.TrimSpace(r.Message), strings.TrimSpace(r.MessageExpression)
	isOneLine := func(text string) bool { return !strings.ContainsAny(text, "\r\n") }
	return rule != "" && (isOneLine(rule) || message != "") && isOneLine(message) &&
		(message != "" || r.Message == "") && (expression != "" || r.MessageExpression == "") &&
		r.Reason == nil && r.FieldPath == ""
}
