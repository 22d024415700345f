package crds

import (
	"strings"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

var selectableRules = []*engine.Rule{
	following([]string{"wrong-type"}, refusal("selectable-field-path-invalid", "selectable fields whose path leads to no field",
		func(p *engine.Pass, r engine.Refusal) {
			path := text.Quoted(r.BadValue)
			switch {
			case r.Row == apiserver.SelectablePathMissing:
				p.Refuse(r.At, "the selectable field has no jsonPath; write the path of a field, such as .spec.color")
			case r.Row == apiserver.SelectablePathInMetadata:
				p.Refusef(r.At, "metadata cannot be selected by %s; metadata.name and metadata.namespace always can", path)
			case strings.Contains(r.Detail, "array notation"):
				p.Refusef(r.At, "selectable field %s has brackets; only names with dots between them can be selected", path)
			case strings.Contains(r.Detail, "unexpected end"):
				p.Refusef(r.At, "selectable field %s ends in a dot", path)
			case strings.Contains(r.Detail, "expected [ or ."):
				p.Refusef(r.At, "selectable field %s does not begin with a dot", path)
			default:
				p.Refusef(r.At, "the schema declares no field at %s; declare it, or select another", path)
			}
		})),
	refusal("selectable-field-type", "selectable fields that are neither strings, booleans nor integers",
		func(p *engine.Pass, r engine.Refusal) {
			p.Refusef(r.At, "%s cannot be selected; a selectable field is declared as a string, a boolean or an integer", text.Quoted(r.BadValue))
		}),
	refusal("selectable-field-duplicate", "selectable fields that are listed twice", func(p *engine.Pass, r engine.Refusal) {
		f := p.Refusef(r.At, "selectable field %s is listed twice", text.Quoted(r.BadValue))
		f.Fix = &engine.Fix{Title: "remove the duplicate", Safe: true, Apply: func(c *crd.CRD) bool {
			changed := false
			for _, v := range c.Versions() { // all of them: versions with equal lists would differ else
				list := crd.Deref(v.SelectableFields.Node)
				changed = dropDuplicates(list, func(n *yaml.Node) string { return crd.StringAt(n, "jsonPath") }) || changed
			}
			return changed
		}}
	}),
	refusal("selectable-field-limit", "versions with more than eight selectable fields", func(p *engine.Pass, r engine.Refusal) {
		p.Refusef(r.At, "%v selectable fields; the API server allows %d", r.BadValue, maxSelectable)
	}),
	refusal("selectable-field-no-schema", "versions that share selectableFields but not their schemas, or the other way round",
		func(p *engine.Pass, r engine.Refusal) {
			for _, v := range p.CRD.Versions() {
				if v.SelectableFields.Node == r.At.Node && v.Schema.Node == nil {
					p.Refusef(r.At, "version %s has selectableFields but no schema", text.Quoted(v.Name))
					return
				}
			}
			if r.Row == apiserver.SelectableFieldsWithoutSchema {
				p.Refuse(r.At, "all versions have the same schema, so the API server wants the same selectableFields in all of them, in one order")
				return
			}
			p.Refuse(r.At, "the schemas of the versions differ but their selectableFields are equal, which the API server refuses; list one's in another order")
		}),
	Check(lint.Error, "selectable-field-free-form", "selectable fields that crash the API server's validation",
		enforcedOr(func(p *engine.Pass, r engine.Refusal) {}, func(p *engine.Pass) {
			for _, c := range crashing(p) {
				p.Refuse(c.at, c.message)
			}
		})),
}

// maxSelectable is validation.MaxSelectableFields.
const maxSelectable = 8
