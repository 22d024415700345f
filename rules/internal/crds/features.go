package crds

import (
	"fmt"
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"
)

var Features = []*engine.Rule{
	idle(withoutTarget, Check(lint.Warning, "feature-newer-than-target", "features that the oldest supported Kubernetes version lacks", func(p *engine.Pass) {
		newerFeatures(p, false)
	})),
	idle(withoutTarget, Check(lint.Error, "refused-by-target", "manifests that the oldest supported Kubernetes version rejects", func(p *engine.Pass) {
		newerFeatures(p, true)
		target := p.Config.KubernetesVersion
		if target != (lint.KubernetesVersion{}) && !target.Before(25) { // before, it drops the rules as a whole
			newerFunctions(p, target)
		}
	})),
}

func withoutTarget(c *lint.Config, _ bool) (why, todo string) {
	if c.KubernetesVersion == (lint.KubernetesVersion{}) {
		return "needs the oldest Kubernetes version that the CRDs are for, which is not set", "set it, such as --kubernetes-version 1.27"
	}
	return "", ""
}

// A feature is a part of the API that came with a release of Kubernetes.
type feature struct {
	name   string // completes "does not know ..."
	since  int    // the first minor release that has it, switched on by default
	effect string // what an older server does, completes "and ..."
	source string
	find   func(*engine.Pass) []crd.Place // where a CRD uses it
}

const (
	dropsField = "drops the field"
	refusesIt  = "rejects the manifest"
)

// features are in the order they came in.
var features = []feature{
	{"nullable", 14, dropsField, "kubernetes/kubernetes#74804, release notes of 1.14", withKeyword("nullable")},
	{"preserveUnknownFields: false", 15, dropsField, "KEP-2332 (pruning), beta in 1.15", pruningSwitch},
	{"x-kubernetes-preserve-unknown-fields", 15, dropsField, "KEP-2332 (pruning), beta in 1.15", withKeyword("x-kubernetes-preserve-unknown-fields")},
	{"x-kubernetes-embedded-resource", 15, dropsField, "KEP-2332 (pruning), beta in 1.15", withKeyword("x-kubernetes-embedded-resource")},
	{"x-kubernetes-int-or-string", 15, dropsField, "KEP-2332 (pruning), beta in 1.15", withKeyword("x-kubernetes-int-or-string")},
	{"conversion webhooks", 15, "has them switched off", "KEP-598 (conversion webhook), beta in 1.15", conversionWebhook},
	{"apiextensions.k8s.io/v1", 16, refusesIt, "KEP-95, release notes of 1.16", apiV1},
	{"x-kubernetes-list-type", 16, dropsField, "KEP-555 (server-side apply), beta in 1.16", withKeyword("x-kubernetes-list-type", "x-kubernetes-list-map-keys")},
	{"x-kubernetes-map-type", 17, dropsField, "kubernetes/kubernetes#84113, release notes of 1.17", withKeyword("x-kubernetes-map-type")},
	{`"deprecated" in versions`, 19, dropsField, "KEP-1693 (warnings), beta in 1.19", onVersions("deprecated", "deprecationWarning")},
	{"x-kubernetes-validations", 25, dropsField, "KEP-2876 (CEL), beta in 1.25; alpha in 1.23, switched off", withKeyword("x-kubernetes-validations")},
	{"messageExpression", 27, dropsField, "KEP-2876 (CEL), 1.27", ruleFields("messageExpression")},
	{"reason of a rule", 28, dropsField, "KEP-2876 (CEL), 1.28", ruleFields("reason")},
	{"fieldPath of a rule", 28, dropsField, "KEP-2876 (CEL), 1.28", ruleFields("fieldPath")},
	{"optionalOldSelf", 30, dropsField, "CRDValidationRatcheting in kube_features.go, beta in 1.30", ruleFields("optionalOldSelf")},
	{"selectableFields", 31, dropsField, "CustomResourceFieldSelectors in kube_features.go, beta in 1.31", selections},
}

// newerFeatures reports those that the version to support does not know: those that it rejects, or the others.
func newerFeatures(p *engine.Pass, refused bool) {
	target := p.Config.KubernetesVersion
	if target == (lint.KubernetesVersion{}) {
		return
	}
	for _, f := range features {
		if !target.Before(f.since) || refused != (f.effect == refusesIt) {
			continue
		}
		at, times := f.find(p), ""
		if len(at) > 1 {
			times = fmt.Sprintf(" (used %d times)", len(at))
		}
		if len(at) > 0 {
			p.Reportf(at[0], "Kubernetes %s does not know %s, new in 1.%d%s, and %s; remove it, or raise --kubernetes-version", target, f.name, f.since, times, f.effect)
		}
	}
}

func withKeyword(names ...string) func(*engine.Pass) []crd.Place {
	return func(p *engine.Pass) []crd.Place {
		var all []crd.Place
		for s := range p.CRD.Schemas() {
			if i := slices.IndexFunc(names, func(name string) bool { return s.Get(name) != nil }); i >= 0 {
				all = append(all, s.KeyOf(names[i]))
			}
		}
		return all
	}
}

func onVersions(names ...string) func(*engine.Pass) []crd.Place {
	return func(p *engine.Pass) []crd.Place {
		var all []crd.Place
		for _, v := range p.CRD.Versions() {
			for _, name := range names {
				if crd.Get(v.At.Node, name) != nil {
					all = append(all, v.At.KeyOf(name))
					break
				}
			}
		}
		return all
	}
}

// ruleFields finds validation rules with a field. v1beta1 has no rules.
func ruleFields(name string) func(*engine.Pass) []crd.Place {
	return func(p *engine.Pass) []crd.Place {
		var all []crd.Place
		if p.CRD.Version == crd.V1 && !p.Config.KubernetesVersion.Before(25) {
			for _, r := range crd.CELRules(p.CRD.Schemas()) {
				if crd.Get(r.At.Node, name) != nil {
					all = append(all, r.At.KeyOf(name))
				}
			}
		}
		return all
	}
}

func apiV1(p *engine.Pass) []crd.Place {
	if p.CRD.Version != crd.V1 {
		return nil
	}
	return []crd.Place{p.CRD.APIVersion()}
}

func pruningSwitch(p *engine.Pass) []crd.Place {
	at := writtenAt(p.CRD, "spec", "preserveUnknownFields")
	if keep, ok := crd.BoolAt(at.Node); !ok || keep || p.CRD.Version == crd.V1 {
		return nil
	}
	return []crd.Place{at}
}

func conversionWebhook(p *engine.Pass) []crd.Place {
	if c := ConversionOf(p.CRD); c.strategy == "Webhook" {
		return []crd.Place{c.At.At("strategy")}
	}
	return nil
}

func selections(p *engine.Pass) []crd.Place {
	var all []crd.Place
	for _, v := range p.CRD.Versions() {
		if v.SelectableFields.Node != nil {
			all = append(all, v.SelectableFields)
		}
	}
	return all
}

// newerFunctions reports rules that the target cannot compile, though the newest server can. A server takes new rules
// by the environment of the release before it, so that it can be rolled back: see DefaultCompatibilityVersion.
func newerFunctions(p *engine.Pass, target lint.KubernetesVersion) {
	if p.CRD.Version != crd.V1 || p.Whole() == nil || p.Crash() != "" {
		return
	}
	for _, v := range p.CRD.Versions() {
		contexts := celContexts{}
		for _, r := range crd.CELRules(v.Root().All()) {
			if r.Index == 0 {
				newerRules(p, target, r.Schema, contexts.of(r.Schema, heldSchema(p.Whole(), v.Index)).at)
			}
		}
	}
}

// newerRules compiles the rules of one schema as the target would, and where it cannot, finds the release that can.
func newerRules(p *engine.Pass, target lint.KubernetesVersion, s *crd.Schema, at *validation.CELSchemaContext) {
	compiled := map[int][]cel.CompilationResult{}
	compile := func(minor int) []cel.CompilationResult {
		if compiled[minor] == nil {
			compiled[minor] = compileRules(at, version.MajorMinor(1, uint(minor-1)))
		}
		return compiled[minor]
	}
	last := int(environment.DefaultCompatibilityVersion().Minor()) + 1 // whose libraries crdlift is built with
	firstWith := func(i int, part string) int {
		for minor := target.Minor + 1; minor <= last; minor++ {
			if all := compile(minor); i < len(all) && faultOf(all[i], part) == "" && all[i].Error == nil {
				return minor
			}
		}
		return 0
	}
	for i, r := range compile(target.Minor) {
		for _, part := range []string{"rule", "messageExpression"} {
			fault := faultOf(r, part)
			if fault == "" {
				continue
			}
			at, complete := p.CRD.Resolve(crd.Steps(fmt.Sprintf("%s.x-kubernetes-validations[%d].%s", s.Path, i, part)))
			if minor := firstWith(i, part); minor > 0 && complete {
				p.Reportf(at, "Kubernetes %s rejects the CRD, because this %s needs 1.%d (%s); rewrite it, or raise --kubernetes-version", target, part, minor, compilerFault(fault))
			}
		}
	}
}

// faultOf is why a part of a rule does not compile; "" when it does.
func faultOf(r cel.CompilationResult, part string) string {
	err := r.Error
	if part == "messageExpression" {
		err = r.MessageExpressionError
	}
	if err == nil {
		return ""
	}
	return err.Detail
}

// compilerFault is why a rule does not compile, in words.
func compilerFault(fault string) text.Text {
	if m := celIssue().FindStringSubmatch(fault); m != nil {
		why, _ := celFault(m[3], nil)
		return why
	}
	return text.Sprintf("it does not compile there")
}
