package engine

import (
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/fast"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/lint"
)

// TestAnswers wants a server that gave its answer before not to be asked again, and one that gave none to be asked.
func TestAnswers(t *testing.T) {
	t.Parallel()
	d := manifest.Parse("a.yaml", []byte(`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: foos.example.com}
spec:
  group: example.com
  scope: Elsewhere
  names: {plural: foos, kind: Foo}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`)).Documents[0]
	found, _ := crd.Find(d.Root.YNode())
	given := fast.Verdict{Verdict: apiserver.Verdict{Errors: field.ErrorList{field.Required(field.NewPath("spec", "group"), "")}}}
	for want, answers := range map[string]map[*yaml.Node]fast.Verdict{
		"spec.scope": nil,
		"spec.group": {found[0].Node: given},
	} {
		var got []string
		l := &Linter{Answers: answers, Rules: []*Rule{{ID: "refusals", Severity: lint.Error, Run: func(p *Pass) {
			for _, refusals := range p.verdict().byRule {
				for _, r := range refusals {
					got = append(got, r.Error.Field)
				}
			}
		}}}}
		l.CRD(d, found[0])
		if len(got) != 1 || got[0] != want {
			t.Errorf("rejected: %q, want %s", got, want)
		}
	}
}
