package crds

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

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
		p.Reportf(all[0].At, "v1beta1 drops x-kubernetes-validations without a word, here %s; convert to v1 to have them",
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
		p.Report(first.At.At("rule"), "the rule has no message; users who break it see the expression").
			Remedy = messages
	} else if n > 1 {
		p.Reportf(first.At.At("rule"), "the rule has no message, and neither have %d more; users who break them see the expression", n-1).
			Remedy = messages
	}
}

func costlyRules(p *engine.Pass) {
	if p.CRD.Version != crd.V1 || !p.Accepted() {
		return
	}
	for _, v := range p.CRD.Versions() {
		all := crd.CELRules(v.Root().All())
		open := map[string]missingBounds{} // what has no bound, by the path of the rule that goes through it
		costs := ruleCosts{}
		estimates := celContexts{}
		for _, r := range all {
			bounds := unbounded(p, r.Schema, r.Text("rule"))
			if len(bounds) == 0 {
				continue
			}
			open[r.At.Path] = bounds
			if _, known := costs[r.At.Path]; !known {
				costs.estimate(r.Schema, estimates.of(r.Schema, heldSchema(p.Hub(), v.Index)))
			}
		}
		costs.report(p, all, open)
	}
}

// report says what bounds would mend, of rules that go through the same lists, maps and strings together: first of the one
// that costs most.
func (c ruleCosts) report(p *engine.Pass, all []crd.CELRule, open map[string]missingBounds) {
	share := func(r crd.CELRule) float64 { return float64(c[r.At.Path]) / validation.StaticEstimatedCostLimit }
	all = slices.DeleteFunc(all, func(r crd.CELRule) bool { return share(r) <= 0.1 || share(r) < 0.5 && !asked(p) })
	for _, group := range ordered.Grouped(all, func(r crd.CELRule) string {
		return strings.Join(slices.Sorted(slices.Values(open[r.At.Path].names())), "\n")
	}) {
		slices.SortStableFunc(group, func(a, b crd.CELRule) int { return cmp.Compare(share(b), share(a)) })
		var findings []*engine.Finding
		for _, r := range group {
			f := p.Reportf(r.At.At("rule"), "the rule takes %.0f%% of its cost budget at worst; %s", 100*share(r), text.Names(open[r.At.Path].names()))
			f.Remedy = open[r.At.Path].remedy()
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

func (c ruleCosts) estimate(s *crd.Schema, in celContext) {
	if in.at == nil {
		return
	}
	for i, cost := range fast.RuleCosts(in.props, in.at, s.Parent == nil) {
		c[fmt.Sprintf("%s.x-kubernetes-validations[%d]", s.Path, i)] = cost.Times(in.at)
	}
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
