package crds

import (
	"fmt"
	"strings"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

var Selectable = []*engine.Rule{
	Following([]string{"wrong-type"}, refusal("selectable-field-path-invalid", "selectable fields whose path leads to no field",
		func(p *engine.Pass, r engine.Refusal) {
			path := text.Quoted(r.BadValue)
			switch {
			case r.Row == apiserver.SelectablePathMissing:
				p.Refuse(r.At, "the selectable field has no jsonPath; write the path of a field, such as .spec.color")
			case r.Row == apiserver.SelectablePathInMetadata:
				p.Refusef(r.At, "selectable field %s is in metadata; remove it, since metadata.name and metadata.namespace can always be selected", path)
			case strings.Contains(r.Detail, "array notation"):
				p.Refusef(r.At, "selectable field %s has brackets; write only names with dots between them", path)
			case strings.Contains(r.Detail, "unexpected end"):
				p.Refusef(r.At, "selectable field %s ends in a dot; remove it", path)
			case strings.Contains(r.Detail, "expected [ or ."):
				p.Refusef(r.At, "selectable field %s does not begin with a dot; add it", path)
			default:
				p.Refusef(r.At, "the schema declares no field at %s; declare it, or select another", path)
			}
		})),
	refusal("selectable-field-type", "selectable fields that are neither strings, booleans nor integers",
		func(p *engine.Pass, r engine.Refusal) {
			p.Refusef(r.At, "%s cannot be selected; select a string, a boolean or an integer", text.Quoted(r.BadValue))
		}),
	refusal("selectable-field-duplicate", "selectable fields that are listed twice", func(p *engine.Pass, r engine.Refusal) {
		f := p.Refusef(r.At, "selectable field %s is listed twice; remove one", text.Quoted(r.BadValue))
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
		p.Refusef(r.At, "%v selectable fields are too many, because the API server allows %d; remove some", r.BadValue, maxSelectable)
	}),
	refusal("selectable-field-no-schema", "versions that share selectableFields but not their schemas, or the other way round",
		func(p *engine.Pass, r engine.Refusal) {
			for _, v := range p.CRD.Versions() {
				if v.SelectableFields.Node == r.At.Node && v.Schema.Node == nil {
					p.Refusef(r.At, "version %s has selectableFields but no schema; write one", text.Quoted(v.Name))
					return
				}
			}
			if r.Row == apiserver.SelectableFieldsWithoutSchema {
				p.Refuse(r.At, "all versions have the same schema, so the API server requires the same selectableFields in the same order; repeat them in each version")
				return
			}
			p.Refuse(r.At, "the schemas of the versions differ but their selectableFields are equal, which the API server rejects; reorder them in one version")
		}),
	Check(lint.Error, "selectable-field-free-form", "selectable fields that crash the API server's validation", func(p *engine.Pass) {
		unconvertible(p, func(*engine.Pass, engine.Refusal) {})
		for _, c := range crashing(p) {
			p.Refuse(c.at, c.message)
		}
	}),
}

// maxSelectable is validation.MaxSelectableFields.
const maxSelectable = 8

// A crash is a selectable field on which upstream's validation panics.
type crash struct {
	at      crd.Place
	message string
}

// crashing lists what makes upstream's validation panic; nothing where it does not, or where the reason is unknown.
func crashing(p *engine.Pass) []crash {
	type key struct{}
	return engine.Memo(p, key{}, func() []crash {
		hub := p.Hub()
		if p.Crash() == "" || hub == nil {
			return nil
		}
		var all []crash
		for _, v := range p.CRD.Versions() {
			if v.SelectableFields.Node != nil && v.Index < len(hub.Spec.Versions) {
				all = append(all, crashesOf(v, heldSchema(hub, v.Index))...)
			}
		}
		return all
	})
}

func crashesOf(v crd.APIVersion, schema *apiextensions.JSONSchemaProps) []crash {
	structural, err := structuralschema.NewStructural(schema)
	var all []crash
	for _, selected := range v.SelectableFields.Items() {
		path, at := crd.StringAt(selected.Node, "jsonPath"), selected.At("jsonPath")
		switch {
		case path == "" || !panics(func() { _, _, _ = cel.ValidFieldPath(path, structural, cel.WithFieldPathAllowArrayNotation(false)) }):
		case err != nil: // unbuildable finds the keyword that is to blame
		case schema == nil:
			all = append(all, crash{at, fmt.Sprintf("the API server's validation crashes on %s, because version %s has no schema; write one", text.Quoted(path), text.Quoted(v.Name))})
		default:
			all = append(all, crash{at, fmt.Sprintf("%s leads through additionalProperties without a schema, which crashes the API server's validation; select another field", text.Quoted(path))})
		}
	}
	return all
}

func panics(f func()) (crashed bool) {
	defer func() { crashed = recover() != nil }()
	f()
	return false
}

// unbuildable lists the keywords for which upstream's validation of selectable fields panics, by rule.
func unbuildable(p *engine.Pass) map[string][]engine.Refusal {
	type key struct{}
	return engine.Memo(p, key{}, func() map[string][]engine.Refusal {
		found := map[string][]engine.Refusal{}
		if p.Crash() == "" {
			return found
		}
		for _, v := range p.CRD.Versions() {
			if crd.Deref(v.SelectableFields.Node) == nil {
				continue
			}
			eachUnbuildable(v.Root(), func(s *crd.Schema, keyword, rule string) {
				at := s.At(keyword)
				found[rule] = append(found[rule], engine.Refusal{Error: &field.Error{Field: at.Path}, At: at})
			})
		}
		return found
	})
}

// eachUnbuildable visits the keywords of which NewStructural makes nothing, with the rule against each.
func eachUnbuildable(root *crd.Schema, visit func(s *crd.Schema, keyword, rule string)) {
	for s := range root.All() {
		for _, e := range s.Entries() {
			if rule := unbuildableBy(s, e); rule != "" {
				visit(s, e.Name, rule)
			}
		}
	}
}

// unbuildableBy is the rule against a keyword of which NewStructural makes nothing; "" for the other keywords.
func unbuildableBy(s *crd.Schema, e crd.Entry) (rule string) {
	kept, isBool := s.Bool(e.Name)
	switch value := crd.Deref(e.Value); {
	case e.Name == "items":
		if value.Kind == yaml.SequenceNode && len(value.Content) > 0 {
			return "schema-items-array"
		}
	case e.Name == PreserveKey:
		if isBool && !kept {
			return "schema-preserve-unknown-false"
		}
	case unsupportedHints[e.Name] != "" && !crd.IsNull(value):
		return "schema-unsupported-keyword"
	}
	return ""
}

// crashes reports whether another rule explains why upstream's validation panics.
func crashes(p *engine.Pass) bool { return len(unbuildable(p)) > 0 || len(crashing(p)) > 0 }
