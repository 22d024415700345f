package crds

import (
	"fmt"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"
)

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

// newestServer is the minor release whose libraries crdlift is built with.
func newestServer() int { return int(environment.DefaultCompatibilityVersion().Minor()) + 1 }

// newerRules compiles the rules of one schema as the target would, and where it cannot, finds the release that can.
func newerRules(p *engine.Pass, target lint.KubernetesVersion, s *crd.Schema, at *validation.CELSchemaContext) {
	compiled := map[int][]cel.CompilationResult{}
	compile := func(minor int) []cel.CompilationResult {
		if compiled[minor] == nil {
			compiled[minor] = compileRules(at, version.MajorMinor(1, uint(minor-1)))
		}
		return compiled[minor]
	}
	firstWith := func(i int, part string) int {
		for minor := target.Minor + 1; minor <= newestServer(); minor++ {
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
				p.Reportf(at, "Kubernetes %s refuses the CRD for this %s, which needs 1.%d: %s", target, part, minor, compilerFault(fault))
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
	if m := celIssue.FindStringSubmatch(fault); m != nil {
		why, _ := celFault(m[3], nil)
		return why
	}
	return text.Sprintf("it does not compile there")
}
