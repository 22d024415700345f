package crds

import (
	"strings"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/origin"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/words"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// usualPaths are what nearly everybody writes for the paths of the scale subresource.
var usualPaths = map[string]string{
	"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas", "labelSelectorPath": ".status.selector",
}

var scaleRules = []*engine.Rule{
	refusal("scale-path-required", "scale subresources without the path of the desired or of the observed replicas",
		func(p *engine.Pass, r engine.Refusal) {
			name := crd.LastField(r.Field)
			p.Refusef(r.At, "scale has no %s; write where the number is, such as %s", name, usualPaths[name])
		}),
	refusal("scale-path-invalid", "paths of the scale subresource that lead to where they may not", func(p *engine.Pass, r engine.Refusal) {
		name, path := crd.LastField(r.Field), crd.StringAt(r.At.Node)
		below := map[apiserver.Row]string{
			apiserver.SpecReplicasPathInvalid:   ".spec",
			apiserver.StatusReplicasPathInvalid: ".status",
			apiserver.LabelSelectorPathInvalid:  ".spec or .status",
		}[r.Row]
		p.Refusef(r.At, "%s %s does not lead below %s; write a path such as %s", name, text.Quoted(path), below, usualPaths[name])
	}),
	{
		ID:       "scale-path-unresolved",
		Follows:  []string{"scale-path-invalid"},
		Summary:  "paths of the scale subresource that the schema does not declare, or not with the right type",
		Severity: lint.Warning,
		Run: func(p *engine.Pass) {
			for _, v := range distinctVersions(p.CRD) {
				if !hasSubresource(v, "scale") {
					continue
				}
				scale := v.Subresources.At("scale")
				for _, name := range []string{"specReplicasPath", "statusReplicasPath", "labelSelectorPath"} {
					if message := scaleProblem(shapeOf(p, v), name, crd.StringAt(scale.Node, name)); message.String() != "" {
						p.Reportf(scale.At(name), "%s", message)
					}
				}
			}
		},
	},
	convention("scale-label-selector-missing", "scale subresources without a label selector", func(p *engine.Pass) {
		for _, v := range distinctVersions(p.CRD) {
			scale := crd.Get(v.Subresources.Node, "scale")
			if scale != nil && scale.Kind == yaml.MappingNode && crd.StringAt(scale, "labelSelectorPath") == "" {
				at := v.Subresources.At("scale")
				p.Report(at, "scale has no labelSelectorPath, which a HorizontalPodAutoscaler needs").
					Remedy = []lint.Change{origin.ToChoose(at.Path, "labelSelectorPath")}
			}
		}
	}),
}

// scaleProblem says why a path of the scale subresource finds no value that it can use; "" when it may. What the API
// server refuses is not looked at.
func scaleProblem(r resourceShape, name, path string) text.Text {
	if !strings.HasPrefix(path, ".spec.") && !strings.HasPrefix(path, ".status.") {
		return text.Text{}
	}
	var steps []pathStep
	for member := range strings.SplitSeq(strings.TrimPrefix(path, "."), ".") {
		steps = append(steps, pathStep{member: member})
	}
	want := "integer"
	if name == "labelSelectorPath" {
		want = "string"
	}
	found := r.follow(steps)
	switch {
	case found.outcome == leadsNowhere:
		return text.Sprintf("%s leads to nothing: the schema has no %s", name, text.Path(found.stop))
	case found.outcome == leadsToField && found.typ != "" && found.typ != want && (want != "integer" || found.typ != "number"):
		return text.Sprintf("%s wants %s, and %s is %s", name, words.Article(want), text.Path(strings.TrimPrefix(path, ".")), words.Article(found.typ))
	}
	return text.Text{}
}
