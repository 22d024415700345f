package rules

import (
	"fmt"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apimachinery/pkg/util/version"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
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
			if at := contexts.of(r.Schema, schemaOfVersion(p.Whole(), v.Name)).at; at != nil && r.Index == 0 {
				olderCompiler{p, target}.check(r.Schema, at)
			}
		}
	}
}

// newestServer is the minor release whose libraries crdlift is built with.
func newestServer() int { return int(environment.DefaultCompatibilityVersion().Minor()) + 1 }

type olderCompiler struct {
	p      *engine.Pass
	target lint.KubernetesVersion
}

// check compiles the rules of one schema as the target would, and where it cannot, finds the release that can.
func (c olderCompiler) check(s *crd.Schema, at *validation.CELSchemaContext) {
	compile := func(minor int) []cel.CompilationResult {
		info, err := at.TypeInfo()
		if err != nil || info == nil {
			return nil
		}
		set := environment.MustBaseEnvSet(version.MajorMinor(1, uint(minor-1)))
		results, err := cel.Compile(info.Schema, info.DeclType, celconfig.PerCallLimit, set, cel.NewExpressionsEnvLoader())
		if err != nil {
			return nil
		}
		return results
	}
	results := compile(c.target.Minor)
	later := map[int][]cel.CompilationResult{}
	for i, r := range results {
		for _, part := range []string{"rule", "messageExpression"} {
			fault := faultOf(r, part)
			if fault == "" {
				continue
			}
			for minor := c.target.Minor + 1; minor <= newestServer(); minor++ {
				if later[minor] == nil {
					later[minor] = compile(minor)
				}
				if i < len(later[minor]) && faultOf(later[minor][i], part) == "" && later[minor][i].Error == nil {
					c.report(s, i, part, fault, minor)
					break
				}
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

func (c olderCompiler) report(s *crd.Schema, i int, part, fault string, minor int) {
	path := fmt.Sprintf("x-kubernetes-validations[%d].%s", i, part)
	at, complete := c.p.CRD.Resolve(append(crd.Steps(s.Path), crd.Steps(path)...))
	if !complete {
		return
	}
	why := text.Sprintf("it does not compile there")
	if m := celIssue.FindStringSubmatch(fault); m != nil {
		why, _ = celFault(m[3], nil)
	}
	c.p.Reportf(at, "Kubernetes %s refuses the CRD for this %s, which needs 1.%d: %s", c.target, part, minor, why)
}
