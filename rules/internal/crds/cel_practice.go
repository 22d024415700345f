package crds

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/fast"
	"github.com/crdlift/crdlift/internal/ordered"
	"github.com/crdlift/crdlift/internal/origin"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apimachinery/pkg/util/version"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

// celPractices are about rules that the API server takes, or does not see.
var celPractices = []*engine.Rule{
	Check(lint.Error, "cel-in-v1beta1", "validation rules in v1beta1 manifests, which the server drops", rulesInV1beta1),
	Check(lint.Warning, "cel-unbounded", "validation rules over lists, maps or strings without a bound that take much of the cost budget",
		costlyRules),
	Check(lint.Info, "cel-message-missing", "validation rules without a message", messagelessRules),
	missingHas,
	unguardedValues,
}

func rulesInV1beta1(p *engine.Pass) {
	if p.CRD.Version != crd.V1beta1 {
		return
	}
	if all := crd.CELRules(p.CRD.Schemas()); len(all) > 0 {
		p.Reportf(all[0].At, "v1beta1 silently drops x-kubernetes-validations (%s here); convert the CRD to v1 to keep them",
			text.Count(len(all), "rule"))
	}
}

func messagelessRules(p *engine.Pass) {
	if p.CRD.Version != crd.V1 {
		return
	}
	var first *crd.CELRule
	var messages []lint.Change
	n := 0
	for _, r := range crd.CELRules(p.CRD.Schemas()) {
		rule := strings.TrimSpace(r.Text("rule"))
		if rule == "true" {
			continue // nobody can break it
		}
		if crd.Get(r.At.Node, "message") == nil && crd.Get(r.At.Node, "messageExpression") == nil && rule != "" {
			messages = append(messages, origin.ToChoose(r.At.Path, "message"))
			if n++; n == 1 {
				first = &r
			}
		}
	}
	if n == 1 {
		p.Report(first.At.At("rule"), "the rule has no message, so users who break it see the expression; write one").
			Remedy = messages
	} else if n > 1 {
		p.Reportf(first.At.At("rule"), "this rule and %d more have no message, so users who break them see the expression; write one for each", n-1).
			Remedy = messages
	}
}

func costlyRules(p *engine.Pass) {
	if p.CRD.Version != crd.V1 || !p.Accepted() {
		return
	}
	for _, v := range p.CRD.Versions() {
		var all []crd.CELRule
		open := map[string]missingBounds{} // that make a rule cost what it does, by the rule's path
		costs := ruleCosts{}
		estimates := celContexts{}
		held := heldSchema(p.Hub(), v.Index)
		for _, r := range crd.CELRules(v.Root().All()) {
			if len(unbounded(p, r.Schema, r.Text("rule"))) == 0 {
				continue
			}
			if _, known := costs[r.At.Path]; !known {
				costs.estimate(r.Schema, estimates.of(r.Schema, held))
			}
			if share := costs.share(r); share < 0.5 && (share <= 0.1 || !asked(p)) {
				continue
			}
			if bounds := costlyBounds(p, r, v.Root(), held); len(bounds) > 0 {
				open[r.At.Path] = bounds
				all = append(all, r)
			}
		}
		costs.report(p, all, open)
	}
}

// report says what bounds would mend, of rules that the same bounds make cheaper together: first of the one that costs most.
func (c ruleCosts) report(p *engine.Pass, all []crd.CELRule, open map[string]missingBounds) {
	for _, group := range ordered.Grouped(all, func(r crd.CELRule) string {
		return strings.Join(slices.Sorted(slices.Values(open[r.At.Path].names())), "\n")
	}) {
		slices.SortStableFunc(group, func(a, b crd.CELRule) int { return cmp.Compare(c.share(b), c.share(a)) })
		var findings []*engine.Finding
		for _, r := range group {
			f := p.Reportf(r.At.At("rule"), "the rule may take %.0f%% of the API server's cost budget; set %s", 100*c.share(r), text.Names(open[r.At.Path].names()))
			f.Remedy = open[r.At.Path].remedy()
			if c.share(r) < 0.5 {
				f.AtMost(lint.Info)
			}
			findings = append(findings, f)
		}
		engine.Together(findings)
	}
}

// ruleCosts are upstream's estimates of what rules cost at worst, by the rule's path.
type ruleCosts map[string]uint64

func (c ruleCosts) estimate(s *crd.Schema, in celContext) {
	if in.at == nil {
		return
	}
	for i, cost := range fast.RuleCosts(in.props, in.at, s.Parent == nil) {
		c[fmt.Sprintf("%s.x-kubernetes-validations[%d]", s.Path, i)] = cost.Times(in.at)
	}
}

// share is the part of its budget that a rule takes.
func (c ruleCosts) share(r crd.CELRule) float64 {
	return float64(c[r.At.Path]) / validation.StaticEstimatedCostLimit
}

// costlyBounds are those that a rule needs to be cheaper: what it costs stays about the same without the others.
func costlyBounds(p *engine.Pass, r crd.CELRule, root *crd.Schema, held *apiextensions.JSONSchemaProps) missingBounds {
	things, texts := unboundedParts(p, r.Schema, r.Text("rule"))
	held = held.DeepCopy()
	if all := things.costly(r, root, held); len(all) > 0 {
		return all // how long strings are matters less than how many things there are
	}
	return texts.costly(r, root, held)
}

// costly are the bounds whose absence alone makes a rule dear when the others are there: so two that help only together are
// both. The schema is the caller's, and gets bounds.
func (all missingBounds) costly(r crd.CELRule, root *crd.Schema, held *apiextensions.JSONSchemaProps) (needed missingBounds) {
	set := func(b missingBound, to *int64) {
		apiserver.ChangeBelow(held, strings.TrimPrefix(b.schema.Path, root.Path), func(s *apiextensions.JSONSchemaProps) {
			*map[string]**int64{"maxItems": &s.MaxItems, "maxProperties": &s.MaxProperties, "maxLength": &s.MaxLength}[b.keyword] = to
		})
	}
	share := func() float64 {
		costs := ruleCosts{}
		costs.estimate(r.Schema, celContexts{}.of(r.Schema, held))
		return costs.share(r)
	}
	for _, b := range all {
		set(b, new(int64(1)))
	}
	least := share()
	for _, b := range slices.Backward(all) {
		set(b, nil)
		if share() > least+0.01 { // a few letters to compare do not count
			set(b, new(int64(1)))
			needed = append(needed, b)
		}
	}
	slices.Reverse(needed)
	return needed
}

// A celContext is what upstream compiles and estimates the rules of a schema with.
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

// compileRules compiles the rules of a schema with what a server has of some release; nil where it does not look at them.
func compileRules(at *validation.CELSchemaContext, release *version.Version) []cel.CompilationResult {
	if at == nil {
		return nil
	}
	info, err := at.TypeInfo()
	if err != nil || info == nil {
		return nil
	}
	compiled, err := cel.Compile(info.Schema, info.DeclType, celconfig.PerCallLimit, environment.MustBaseEnvSet(release), cel.NewExpressionsEnvLoader())
	if err != nil {
		return nil
	}
	return compiled
}
