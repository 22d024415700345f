package fast

import (
	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

// WithoutLater is OnCreate where v1 does not answer for v1beta1.
var WithoutLater = unlessProven

// LeftOut is how much of a CRD needs no judgement: in schemas, of all that it has; and whether the rest is accepted.
func LeftOut(hub *apiextensions.CustomResourceDefinition) (leftOut, all int, accepted bool) {
	all = schemasOf(hub)
	rest := newPruner(hub, today).pruned(hub)
	return all - schemasOf(rest), all, apiserver.OnCreate(rest, crd.V1).Accepted()
}

// schemasOf counts the schemas of a CRD.
func schemasOf(hub *apiextensions.CustomResourceDefinition) (n int) {
	eachSchema(hub, func(*apiextensions.JSONSchemaProps) { n++ })
	return n
}

// eachSchema visits the schemas of a CRD.
func eachSchema(hub *apiextensions.CustomResourceDefinition, visit func(*apiextensions.JSONSchemaProps)) {
	validation.HasSchemaWith(&hub.Spec, func(root *apiextensions.JSONSchemaProps) bool {
		return validation.SchemaHas(root, func(s *apiextensions.JSONSchemaProps) bool {
			visit(s)
			return false
		})
	})
}

// CompiledTwice compiles the rules of every schema of a CRD that has some, as this package does and as upstream does, and
// tells what each has found out.
func CompiledTwice(hub *apiextensions.CustomResourceDefinition) (here, upstream []compiledRules) {
	eachSchema(hub, func(s *apiextensions.JSONSchemaProps) {
		if len(s.XValidations) > 0 {
			here = append(here, *compileAll(s, alone(s)))
			upstream = append(upstream, compiledUpstream(s))
		}
	})
	return here, upstream
}

// alone is the place of a field of an object that has no rules.
func alone(s *apiextensions.JSONSchemaProps) *validation.CELSchemaContext {
	return validation.RootCELContext(&apiextensions.JSONSchemaProps{Type: "object"}).ChildPropertyContext(s, "field")
}

func compiledUpstream(s *apiextensions.JSONSchemaProps) (c compiledRules) {
	info, err := alone(s).TypeInfo()
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
		c.costs = append(c.costs, apiserver.Cost{Max: r.MaxCost, Cardinality: r.MaxCardinality, Message: r.MessageExpressionMaxCost})
		c.oldSelf = c.oldSelf || r.UsesOldSelf
		c.good = c.good && isTidy(rule, info.Schema) && r.Error == nil && r.MessageExpressionError == nil &&
			r.MessageExpressionMaxCost <= validation.StaticEstimatedCostLimit && (r.UsesOldSelf || rule.OptionalOldSelf == nil)
	}
	return c
}

// Good reports whether upstream has nothing against rules.
func (c compiledRules) Good() bool { return c.good }
