package fast

import (
	"slices"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/repair"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
)

// Plain reports whether a conversion of a CRD of v1beta1 to v1, with options that are decided and these repairs, would come to no
// obstacle but those of the Later verdict, of its size and of its caBundle, and whether the result would have marks that
// keep unknown fields. It may be false for others, too. Answer is OnCreate's, nil where it was not asked.
func Plain(c *crd.CRD, opt policy.Options, repairs repair.Policy, answer *Verdict) (plain, marks bool) {
	switch {
	case c.Version != crd.V1beta1 || c.List != nil || opt.To != policy.V1:
		return false, false
	case answer == nil || answer.Later == nil || len(answer.Later.Errors) > 0 && opt.UnapprovedAPI:
		return false, false
	}
	d, err := c.Decode()
	if err != nil || !d.Known || len(c.YttValues()) > 0 {
		return false, false
	}
	spec := crd.Get(c.Node, "spec")
	versions := crd.Get(spec, "versions")
	if slices.ContainsFunc(layout.PerVersion, func(f layout.Field) bool { return crd.HasValue(spec, f.V1beta1) && f.InSome(versions) }) {
		return false, false
	}
	return onlyMarks(d.Hub, repairs)
}

// A level is what repair.Schemas tells apart of the places of schemas.
type level struct {
	root, item     bool
	meta, embedded bool // the metadata of a resource; in that of an embedded one
}

// onlyMarks tells, without a tree, what repair.Schemas comes to for a CRD, as soon as its schemas are in the versions. The
// CRD is one that a v1 server accepts once it prunes (Verdict.Later), which settles most of what is repaired.
// Only is true if all that is left is x-kubernetes-preserve-unknown-fields marks on objects, and repairs for which a server
// rejects nothing. Marks is true if there are such marks.
func onlyMarks(hub *apiextensions.CustomResourceDefinition, p repair.Policy) (only, marks bool) {
	if held := hub.Spec.Validation; held != nil && held.OpenAPIV3Schema != nil {
		return marked(held.OpenAPIV3Schema, p, level{root: true})
	}
	var storage *apiextensions.JSONSchemaProps
	for i := range hub.Spec.Versions {
		if v := &hub.Spec.Versions[i]; v.Storage && v.Schema != nil {
			storage = v.Schema.OpenAPIV3Schema
		}
	}
	if storage == nil {
		return true, true
	}
	for i := range hub.Spec.Versions {
		v := &hub.Spec.Versions[i]
		if v.Schema == nil || v.Schema.OpenAPIV3Schema == nil {
			return false, false
		}
		plain, more := marked(v.Schema.OpenAPIV3Schema, p, level{root: true})
		if marks = marks || more; !plain || p.KeepUnknown && !p.Pruned && !haveSameTypes(storage, v.Schema.OpenAPIV3Schema) {
			return false, false
		}
	}
	return true, marks
}

// marked is onlyMarks for a schema that describes a value. It makes no garbage, as visitors of properties do.
func marked(s *apiextensions.JSONSchemaProps, p repair.Policy, n level) (only, marks bool) {
	typ, more := s.Type, s.AdditionalProperties
	has := s.XPreserveUnknownFields != nil && *s.XPreserveUnknownFields
	switch {
	case typ != "" || s.XIntOrString:
	case n.root && s.Format == "":
		typ = "object" // as rootType of repair writes
	case !has || !p.Pruned && !s.Nullable && !n.item: // as dropsNull has it
		return false, false
	}
	if typ == "object" && s.XIntOrString { // which may have no mark, though keepUnknown writes one
		return false, false
	}
	if more != nil && more.Schema == nil && more.Allows || len(s.XValidations) > 0 || !junctorsValidate(s, s, s.XIntOrString) {
		return false, false
	}
	if typ == "object" && !has && more == nil && !p.Pruned && !n.meta && !n.embedded { // as keepUnknown has it
		marks = p.KeepUnknown || p.KeepUnknownAtRoot && n.root || len(s.Properties) == 0 && !s.XEmbeddedResource
	}
	below := level{embedded: n.embedded || n.meta}
	for name := range s.Properties {
		child, at := s.Properties[name], below
		if name == "metadata" && (n.root || s.XEmbeddedResource) {
			at.meta, at.embedded = true, at.embedded || !n.root
		}
		plain, moreMarks := marked(&child, p, at)
		if marks = marks || moreMarks; !plain {
			return false, false
		}
	}
	if more != nil && more.Schema != nil {
		plain, moreMarks := marked(more.Schema, p, below)
		if marks = marks || moreMarks; !plain {
			return false, false
		}
	}
	if s.Items != nil && s.Items.Schema != nil { // `items: []` has none
		below.item = true
		plain, moreMarks := marked(s.Items.Schema, p, below)
		return plain, marks || moreMarks
	}
	return true, marks
}

// junctorsValidate reports whether all in the junctors of a schema, or of a branch of it, only validates what is declared outside of
// them: of that nothing is removed, and nothing is declared for it. The alternatives of an integer and a string may have
// their types.
func junctorsValidate(s, outer *apiextensions.JSONSchemaProps, intOrString bool) bool {
	return validateOnly(s.AllOf, outer, false) && validateOnly(s.OneOf, outer, false) && validateOnly(s.AnyOf, outer, intOrString) &&
		(s.Not == nil || validatesOnly(s.Not, outer, false))
}

func validateOnly(branches []apiextensions.JSONSchemaProps, outer *apiextensions.JSONSchemaProps, typed bool) bool {
	for i := range branches {
		if !validatesOnly(&branches[i], outer, typed) {
			return false
		}
	}
	return true
}

func validatesOnly(b, outer *apiextensions.JSONSchemaProps, typed bool) bool {
	if !typed && b.Type != "" || b.Nullable || b.AdditionalProperties != nil || !junctorsValidate(b, outer, false) {
		return false
	}
	for name := range b.Properties {
		member, declared := b.Properties[name], outer.Properties[name]
		if _, ok := outer.Properties[name]; !ok || !validatesOnly(&member, &declared, false) {
			return false
		}
	}
	return b.Items == nil || b.Items.Schema != nil && outer.Items != nil && outer.Items.Schema != nil && validatesOnly(b.Items.Schema, outer.Items.Schema, false)
}

// haveSameTypes reports whether what two schemas of a value both describe has the same types in both.
func haveSameTypes(a, b *apiextensions.JSONSchemaProps) bool {
	if a == nil || b == nil {
		return true
	}
	if a.Type != b.Type {
		return false
	}
	for name := range a.Properties {
		if twin, ok := b.Properties[name]; ok {
			if own := a.Properties[name]; !haveSameTypes(&own, &twin) {
				return false
			}
		}
	}
	if a.AdditionalProperties != nil && b.AdditionalProperties != nil && !haveSameTypes(a.AdditionalProperties.Schema, b.AdditionalProperties.Schema) {
		return false
	}
	return a.Items == nil || b.Items == nil || haveSameTypes(a.Items.Schema, b.Items.Schema)
}
