package repair

import "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"

// Foresee tells, without a tree, what Schemas comes to for a CRD of v1beta1, as soon as its schemas are in the versions. The
// CRD is one that a v1 server accepts once it prunes (apiserver.Verdict.Later), which settles most of what Schemas repairs.
// Only is true if all that is left is x-kubernetes-preserve-unknown-fields marks on objects, and repairs for which a server
// refuses nothing; it may be false for others, too. Marks is true if there are such marks.
func Foresee(hub *apiextensions.CustomResourceDefinition, policy Policy) (only, marks bool) {
	if held := hub.Spec.Validation; held != nil && held.OpenAPIV3Schema != nil {
		return policy.foresee(held.OpenAPIV3Schema, node{level: rootLevel})
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
		plain, more := policy.foresee(v.Schema.OpenAPIV3Schema, node{level: rootLevel})
		if marks = marks || more; !plain || policy.KeepUnknown && !policy.Pruned && !haveSameTypes(storage, v.Schema.OpenAPIV3Schema) {
			return false, false
		}
	}
	return true, marks
}

// foresee is Foresee for a schema that describes a value, at a place of which only the kind is known. It makes no garbage,
// as visitors of properties do.
func (p Policy) foresee(s *apiextensions.JSONSchemaProps, n node) (only, marks bool) {
	typ, more := s.Type, s.AdditionalProperties
	marked := s.XPreserveUnknownFields != nil && *s.XPreserveUnknownFields
	switch {
	case typ != "" || s.XIntOrString:
	case n.level == rootLevel && s.Format == "":
		typ = "object" // as rootType writes
	case !marked || !p.Pruned && !s.Nullable && n.level != itemLevel: // as dropsNull has it
		return false, false
	}
	if typ == "object" && s.XIntOrString { // which may have no mark, though keepUnknown writes one
		return false, false
	}
	if more != nil && more.Schema == nil && more.Allows || len(s.XValidations) > 0 || !isPlain(s, s, s.XIntOrString) {
		return false, false
	}
	if typ == "object" && !marked && more == nil && !p.Pruned && !n.meta && !n.embedded { // as keepUnknown has it
		marks = p.KeepUnknown || p.KeepUnknownAtRoot && n.level == rootLevel || len(s.Properties) == 0 && !s.XEmbeddedResource
	}
	below := node{level: fieldLevel, embedded: n.embedded || n.meta}
	for name := range s.Properties {
		child, at := s.Properties[name], below
		if name == "metadata" && (n.level == rootLevel || s.XEmbeddedResource) {
			at.meta, at.embedded = true, at.embedded || n.level != rootLevel
		}
		plain, moreMarks := p.foresee(&child, at)
		if marks = marks || moreMarks; !plain {
			return false, false
		}
	}
	if more != nil && more.Schema != nil {
		plain, moreMarks := p.foresee(more.Schema, below)
		if marks = marks || moreMarks; !plain {
			return false, false
		}
	}
	if s.Items != nil && s.Items.Schema != nil { // `items: []` has none
		below.level = itemLevel
		plain, moreMarks := p.foresee(s.Items.Schema, below)
		return plain, marks || moreMarks
	}
	return true, marks
}

// isPlain reports whether all in the junctors of a schema, or of a branch of it, only validates what is declared outside of
// them: of that nothing is removed, and nothing is declared for it. The alternatives of an integer and a string may have
// their types.
func isPlain(s, outer *apiextensions.JSONSchemaProps, intOrString bool) bool {
	return arePlain(s.AllOf, outer, false) && arePlain(s.OneOf, outer, false) && arePlain(s.AnyOf, outer, intOrString) &&
		(s.Not == nil || isPlainBranch(s.Not, outer, false))
}

func arePlain(branches []apiextensions.JSONSchemaProps, outer *apiextensions.JSONSchemaProps, typed bool) bool {
	for i := range branches {
		if !isPlainBranch(&branches[i], outer, typed) {
			return false
		}
	}
	return true
}

func isPlainBranch(b, outer *apiextensions.JSONSchemaProps, typed bool) bool {
	if !typed && b.Type != "" || b.Nullable || b.AdditionalProperties != nil || !isPlain(b, outer, false) {
		return false
	}
	for name := range b.Properties {
		member, declared := b.Properties[name], outer.Properties[name]
		if _, ok := outer.Properties[name]; !ok || !isPlainBranch(&member, &declared, false) {
			return false
		}
	}
	return b.Items == nil || b.Items.Schema != nil && outer.Items != nil && outer.Items.Schema != nil && isPlainBranch(b.Items.Schema, outer.Items.Schema, false)
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
