package crds

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
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

var Subresources = []*engine.Rule{
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
	Following([]string{"scale-path-invalid"},
		Check(lint.Warning, "scale-path-unresolved", "paths of the scale subresource that the schema does not declare, or not with the right type",
			func(p *engine.Pass) {
				for _, v := range distinctVersions(p.CRD) {
					if !hasSubresource(v, "scale") {
						continue
					}
					scale := v.Subresources.At("scale")
					for _, name := range []string{"specReplicasPath", "statusReplicasPath", "labelSelectorPath"} {
						if message := scaleProblem(p, v, name, crd.StringAt(scale.Node, name)); message.String() != "" {
							p.Reportf(scale.At(name), "%s", message)
						}
					}
				}
			})),
	convention("scale-label-selector-missing", "scale subresources without a label selector", func(p *engine.Pass) {
		for _, v := range distinctVersions(p.CRD) {
			scale := crd.Get(v.Subresources.Node, "scale")
			if scale != nil && scale.Kind == yaml.MappingNode && crd.StringAt(scale, "labelSelectorPath") == "" {
				at := v.Subresources.At("scale")
				p.Report(at, "scale has no labelSelectorPath, which a HorizontalPodAutoscaler needs; write one, such as .status.selector").
					Remedy = []lint.Change{origin.ToChoose(at.Path, "labelSelectorPath")}
			}
		}
	}),
	InAll(Check(lint.Warning, "status-subresource-missing", "schemas with the status of a controller whose status subresource is off",
		func(p *engine.Pass) {
			for _, v := range p.CRD.Versions() {
				root := v.Root()
				if root == nil || hasSubresource(v, "status") {
					continue
				}
				if status := root.Property("status"); root.Property("spec") != nil && byController(status) {
					f := p.Report(status.Place, "status is declared but its subresource is off, so every client that updates the object can write it; write subresources: {status: {}}")
					f.Fix = statusOn(v, root)
				}
			}
		})),
	InAll(Check(lint.Warning, "status-schema-missing", "status subresources without a status in the schema", func(p *engine.Pass) {
		if p.Generated() {
			return
		}
		for _, v := range distinctVersions(p.CRD) {
			if !hasSubresource(v, "status") || follow(p, v, []pathStep{{member: "status"}}).outcome != leadsNowhere {
				continue
			}
			p.Reportf(v.Subresources.KeyOf("status"), "the schema of version %s declares no status, so everything written to it is dropped; declare it", text.Quoted(v.Name))
		}
	})),
	convention("subresources-differ-between-versions", "served versions with different subresources", func(p *engine.Pass) {
		var first *crd.APIVersion
		for _, v := range p.CRD.Versions() {
			if !v.Served {
				continue
			}
			if first == nil {
				first = &v
				continue
			}
			for _, name := range []string{"status", "scale"} {
				with, without := *first, v
				if !hasSubresource(with, name) {
					with, without = without, with
				}
				if hasSubresource(with, name) && !hasSubresource(without, name) {
					p.Reportf(without.At.KeyOf("name"), "version %s has no subresource %s, but %s has; add it", text.Quoted(without.Name), name, text.Quoted(with.Name)).
						Remedy = []lint.Change{origin.ToSet(without.At.Path+".subresources", name, crd.Get(with.Subresources.Node, name))}
				}
			}
		}
	}),
}

// scaleProblem says why a path of the scale subresource finds no value that it can use; "" when it may. What the API
// server rejects is not looked at.
func scaleProblem(p *engine.Pass, v crd.APIVersion, name, path string) text.Text {
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
	found := follow(p, v, steps)
	switch {
	case found.outcome == leadsNowhere:
		return text.Sprintf("%s leads to nothing: the schema has no %s; correct the path or declare the field", name, text.Path(found.stop))
	case found.outcome == leadsToField && found.typ != "" && found.typ != want && (want != "integer" || found.typ != "number"):
		return text.Sprintf("%s needs %s, but %s is %s; name another field", name, words.Article(want), text.Path(strings.TrimPrefix(path, ".")), words.Article(found.typ))
	}
	return text.Text{}
}

// byController reports whether a status has what controllers write and nobody else.
func byController(status *crd.Schema) bool {
	return status != nil && (status.Property("conditions") != nil || status.Property("observedGeneration") != nil)
}

func hasSubresource(v crd.APIVersion, name string) bool {
	n := crd.Get(v.Subresources.Node, name)
	return n != nil && !crd.IsNull(n)
}

// statusOn is a fix that gives a version the status subresource. A required status would keep objects from being created
// then (schema-status-required).
func statusOn(v crd.APIVersion, root *crd.Schema) *engine.Fix {
	required := root.Required("status")
	title := "switch the status subresource on"
	if required {
		title += ", and do not require status"
	}
	return &engine.Fix{Title: title, Apply: func(c *crd.CRD) bool {
		if !addStatus(c, v) {
			return false
		}
		if s, rest := c.SchemaAt(root.Path); required && s != nil && len(rest) == 0 {
			dropRequired(s, "status")
		}
		return true
	}}
}

// addStatus switches the status subresource on where the version's subresources are, or would be.
func addStatus(c *crd.CRD, v crd.APIVersion) bool {
	owner := crd.Get(c.Node, "spec")
	if c.Version == crd.V1 || strings.HasPrefix(v.Subresources.Path, "spec.versions") || v.Subresources.Node == nil && perVersion(c) {
		at, complete := c.Resolve(crd.Steps(fmt.Sprintf("spec.versions[%d]", v.Index)))
		if !complete {
			return false
		}
		owner = crd.Deref(at.Node)
	}
	if owner == nil || owner.Kind != yaml.MappingNode || crd.Get(owner, "subresources", "status") != nil {
		return false
	}
	status := layout.Mapping("status", layout.Mapping())
	if have := crd.Get(owner, "subresources"); have != nil && have.Kind == yaml.MappingNode {
		layout.Set(have, "status", layout.Mapping())
	} else {
		layout.Set(owner, "subresources", status)
	}
	return true
}

// perVersion reports whether a v1beta1 CRD keeps subresources in its versions rather than at the top level.
func perVersion(c *crd.CRD) bool {
	return slices.ContainsFunc(c.Versions(), func(v crd.APIVersion) bool { return strings.HasPrefix(v.Subresources.Path, "spec.versions") })
}
