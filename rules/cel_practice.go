package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// celPractices are about rules that the API server takes, or does not see.
var celPractices = []*engine.Rule{
	{
		ID:       "cel-in-v1beta1",
		Summary:  "validation rules in v1beta1 manifests, which the server drops",
		Severity: lint.Error,
		Run:      rulesInV1beta1,
	},
	{
		ID:       "cel-unbounded",
		Summary:  "validation rules over lists, maps or strings without a bound that take much of the cost budget",
		Severity: lint.Warning,
		Run:      costlyRules,
	},
	{
		ID:       "cel-message-missing",
		Summary:  "validation rules without a message",
		Severity: lint.Info,
		Run:      messagelessRules,
	},
}

// A celRule is one entry of x-kubernetes-validations.
type celRule struct {
	schema *crd.Schema
	index  int
	at     crd.Place // the entry
}

// text is an expression or message of the rule.
func (r celRule) text(keyword string) string { return crd.StringAt(r.at.Node, keyword) }

// field is the place of a part of the rule.
func (r celRule) field(keyword string) crd.Place {
	if k, v := crd.Lookup(r.at.Node, keyword); k != nil {
		return crd.Place{Node: v, Path: crd.Join(r.at.Path, keyword)}
	}
	return r.at
}

// rulesBelow lists the rules at a schema and below it.
func rulesBelow(root *crd.Schema) []celRule {
	const keyword = "x-kubernetes-validations"
	var all []celRule
	for s := range root.All() {
		list := s.Get(keyword)
		if list == nil || list.Kind != yaml.SequenceNode {
			continue
		}
		for i, n := range list.Content {
			all = append(all, celRule{s, i, crd.Place{Node: n, Path: crd.Item(crd.Join(s.Path, keyword), i)}})
		}
	}
	return all
}

// rulesOf lists the rules of all versions.
func rulesOf(c *crd.CRD) []celRule {
	var all []celRule
	seen := map[string]bool{} // v1beta1's versions may share a schema
	for _, v := range c.Versions() {
		if !seen[v.Schema.Path] {
			seen[v.Schema.Path] = true
			all = append(all, rulesBelow(v.Root())...)
		}
	}
	return all
}

func rulesInV1beta1(p *engine.Pass) {
	if p.CRD.Version != crd.V1beta1 {
		return
	}
	if all := rulesOf(p.CRD); len(all) > 0 {
		p.Reportf(all[0].at, "v1beta1 drops x-kubernetes-validations without a word, here %s; convert to v1 to have them",
			text.Count(len(all), "rule"))
	}
}

func messagelessRules(p *engine.Pass) {
	if p.CRD.Version != crd.V1 {
		return
	}
	var first *celRule
	n := 0
	for _, r := range rulesOf(p.CRD) {
		rule := strings.TrimSpace(r.text("rule"))
		if rule == "true" {
			continue // nobody can break it
		}
		if crd.Get(r.at.Node, "message") == nil && crd.Get(r.at.Node, "messageExpression") == nil && rule != "" {
			if n++; n == 1 {
				first = &r
			}
		}
	}
	if n == 1 {
		p.Report(first.field("rule"), "the rule has no message; users who break it see the expression")
	} else if n > 1 {
		p.Reportf(first.field("rule"), "the rule has no message, and neither have %d more; users who break them see the expression", n-1)
	}
}

func costlyRules(p *engine.Pass) {
	if p.CRD.Version != crd.V1 || !p.Accepted() {
		return
	}
	for _, v := range p.CRD.Versions() {
		all := rulesBelow(v.Root())
		open := map[string][]string{} // what has no bound, by the path of the rule that goes through it
		costs := ruleCosts{}
		estimates := celContexts{}
		for _, r := range all {
			names := unbounded(r.schema, r.text("rule"))
			if len(names) == 0 {
				continue
			}
			open[r.at.Path] = names
			if _, known := costs[r.at.Path]; !known {
				costs.estimate(r.schema, estimates.of(r.schema, schemaOfVersion(p.Hub(), v.Name)).at)
			}
		}
		costs.report(p, all, open)
	}
}

// schemaOfVersion is the schema of a version as the API server holds it; nil where it has none.
func schemaOfVersion(hub *apiextensions.CustomResourceDefinition, name string) *apiextensions.JSONSchemaProps {
	validation, err := apiextensions.GetSchemaForVersion(hub, name)
	if err != nil || validation == nil {
		return nil
	}
	return validation.OpenAPIV3Schema
}

// report says what bounds would mend, of rules that go through the same lists, maps and strings together: first of the one
// that costs most.
func (c ruleCosts) report(p *engine.Pass, all []celRule, open map[string][]string) {
	share := func(r celRule) float64 { return float64(c[r.at.Path]) / validation.StaticEstimatedCostLimit }
	alike := map[string][]celRule{}
	var order []string
	for _, r := range all {
		if share(r) <= 0.1 || share(r) < 0.5 && !asked(p) {
			continue
		}
		names := slices.Sorted(slices.Values(open[r.at.Path]))
		key := strings.Join(names, "\n")
		if alike[key] == nil {
			order = append(order, key)
		}
		alike[key] = append(alike[key], r)
	}
	for _, key := range order {
		group := alike[key]
		slices.SortStableFunc(group, func(a, b celRule) int { return cmp.Compare(share(b), share(a)) })
		var findings []*engine.Finding
		for _, r := range group {
			f := p.Reportf(r.field("rule"), "the rule takes %.0f%% of its cost budget at worst; %s", 100*share(r), text.Names(open[r.at.Path]))
			if share(r) < 0.5 {
				f.AtMost(lint.Info)
			}
			findings = append(findings, f)
		}
		engine.Together(findings)
	}
}

// ruleCosts are upstream's estimates of what rules cost at worst, by the rule's path.
type ruleCosts map[string]uint64

// A celContext is what upstream estimates the rules of a schema with.
type celContext struct {
	props *apiextensions.JSONSchemaProps
	at    *validation.CELSchemaContext // nil where upstream looks at no rules
}

// celContexts are those of the schemas that were asked for, and of the schemas around them.
type celContexts map[*crd.Schema]celContext

// of goes the way of ValidateCustomResourceDefinitionOpenAPISchema: down properties, items and additionalProperties.
func (c celContexts) of(s *crd.Schema, root *apiextensions.JSONSchemaProps) celContext {
	if s.Parent == nil {
		if root == nil {
			return celContext{}
		}
		if _, known := c[s]; !known {
			c[s] = celContext{root, validation.RootCELContext(root)}
		}
	}
	if known, ok := c[s]; ok {
		return known
	}
	var own celContext
	if up := c.of(s.Parent, root); up.at != nil {
		own = up.below(s)
	}
	c[s] = own
	return own
}

func (up celContext) below(s *crd.Schema) celContext {
	switch s.Via {
	case "properties":
		if props, ok := up.props.Properties[s.Name]; ok {
			return celContext{&props, up.at.ChildPropertyContext(&props, s.Name)}
		}
	case "items":
		if items := up.props.Items; items != nil && items.Schema != nil {
			return celContext{items.Schema, up.at.ChildItemsContext(items.Schema)}
		}
	case "additionalProperties":
		if more := up.props.AdditionalProperties; more != nil && more.Schema != nil {
			return celContext{more.Schema, up.at.ChildAdditionalPropertiesContext(more.Schema)}
		}
	}
	return celContext{}
}

// estimate compiles the rules of one schema. See getExpressionCost in upstream's validation for the arithmetic.
func (c ruleCosts) estimate(s *crd.Schema, at *validation.CELSchemaContext) {
	if at == nil {
		return
	}
	info, err := at.TypeInfo()
	if err != nil || info == nil {
		return
	}
	compiled, err := cel.Compile(info.Schema, info.DeclType, celconfig.PerCallLimit,
		environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()), cel.NewExpressionsEnvLoader())
	if err != nil {
		return
	}
	for i, r := range compiled {
		times := r.MaxCardinality
		if at.MaxCardinality != nil {
			times = *at.MaxCardinality
		}
		cost := r.MaxCost * times
		if times != 0 && cost/times != r.MaxCost {
			cost = validation.StaticEstimatedCostLimit // overflow; such a rule is refused anyway
		}
		c[fmt.Sprintf("%s.x-kubernetes-validations[%d]", s.Path, i)] = cost
	}
}
