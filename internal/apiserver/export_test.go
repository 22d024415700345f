package apiserver

import (
	"github.com/crdlift/crdlift/internal/crd"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

// Unswap corrects an error of v0.21.14, which swaps the fields that OnCreate corrects.
var Unswap = unswap

// Rows lists the names of all rows.
func Rows() []Row {
	var names []Row
	for _, r := range rows {
		names = append(names, r.name)
	}
	return names
}

// WithoutLater is OnCreate where v1 does not answer for v1beta1.
func WithoutLater(hub *apiextensions.CustomResourceDefinition, version crd.Version) Verdict {
	w := quick
	w.later = false
	return w.onCreate(hub, version)
}

// LeftOut is how much of a CRD upstream is not asked about: in schemas, of all that it has.
func LeftOut(hub *apiextensions.CustomResourceDefinition) (leftOut, all int) {
	all = schemasOf(hub)
	return all - schemasOf(newPruner(hub, today).pruned(hub)), all
}

// AskedInFull is how often upstream is asked about all of a CRD.
func AskedInFull(hub *apiextensions.CustomResourceDefinition) (n int) {
	all := schemasOf(hub)
	counting := quick
	counting.ask = func(obj *apiextensions.CustomResourceDefinition, rules ruleset, upstream validationOf) field.ErrorList {
		return unlessProven(obj, rules, func(obj *apiextensions.CustomResourceDefinition) field.ErrorList {
			if schemasOf(obj) == all {
				n++
			}
			return upstream(obj)
		})
	}
	counting.onCreate(hub, crd.V1)
	return n
}

// schemasOf counts the schemas of a CRD.
func schemasOf(hub *apiextensions.CustomResourceDefinition) (n int) {
	eachRoot(&hub.Spec, func(root *apiextensions.JSONSchemaProps, at *field.Path) {
		eachSchema(root, at, func(*apiextensions.JSONSchemaProps, *field.Path) { n++ })
	})
	return n
}

// CompiledTwice compiles the rules of every schema of a CRD that has some, as this package does and as upstream does, and
// tells what each has found out, by the path of the schema.
func CompiledTwice(hub *apiextensions.CustomResourceDefinition) (here, upstream map[string]compiledRules) {
	here, upstream = map[string]compiledRules{}, map[string]compiledRules{}
	eachRoot(&hub.Spec, func(root *apiextensions.JSONSchemaProps, at *field.Path) {
		eachSchema(root, at, func(s *apiextensions.JSONSchemaProps, at *field.Path) {
			if len(s.XValidations) > 0 {
				here[at.String()] = *compileAll(s, alone(s))
				upstream[at.String()] = compiledUpstream(s)
			}
		})
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
		c.costs = append(c.costs, Cost{r.MaxCost, r.MaxCardinality, r.MessageExpressionMaxCost})
		c.oldSelf = c.oldSelf || r.UsesOldSelf
		c.good = c.good && isTidy(rule, info.Schema) && r.Error == nil && r.MessageExpressionError == nil &&
			r.MessageExpressionMaxCost <= validation.StaticEstimatedCostLimit && (r.UsesOldSelf || rule.OptionalOldSelf == nil)
	}
	return c
}

// Good reports whether upstream has nothing against rules.
func (c compiledRules) Good() bool { return c.good }
