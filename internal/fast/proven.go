package fast

import (
	"fmt"
	"slices"
	"sync"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/memory"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Upstream's validation goes through every schema some eight times, and most of what it sees is known: CRDs hold the same
// types of Kubernetes, and their versions resemble each other. What it says of a field's schema depends on that schema
// alone, but for what is noted in a place. So a field whose schema was part of a CRD that was accepted can be left out of the
// next one. If the rest is accepted, the whole is; if it is not, the whole is judged, and that counts.

// unlessProven is apiserver.OnCreate about a CRD without what is proven, and about all of it where that is rejected.
func unlessProven(hub *apiextensions.CustomResourceDefinition, version crd.Version) apiserver.Verdict {
	p := newPruner(hub, rulesOf(hub, version))
	defer pruners.Put(p)
	if rest := p.pruned(hub); rest == hub || !apiserver.OnCreate(rest, version).Accepted() {
		if v := apiserver.OnCreate(hub, version); !v.Accepted() {
			return v
		}
	}
	for d := range p.has {
		proofs.Keep(proof{d, p.rules}, struct{}{})
	}
	return apiserver.Verdict{}
}

// A ruleset is what the answer depends on beside the schema.
type ruleset byte

const (
	today            ruleset = iota // v1
	structural121                   // v1beta1, where schemas have to be structural
	nonStructural121                // v1beta1, where they need not
)

func rulesOf(hub *apiextensions.CustomResourceDefinition, version crd.Version) ruleset {
	switch {
	case version != crd.V1beta1:
		return today
	case apiserver.RequiresStructural(&hub.Spec):
		return structural121
	}
	return nonStructural121
}

// A proof is a schema that was accepted, by a ruleset.
type proof struct {
	schema digest
	rules  ruleset
}

// proofs are those of this process. Their number bounds the memory for them to some megabytes.
var proofs = memory.Memory[proof, struct{}]{Limit: 1 << 16}

// A pruner leaves proven fields out of an object, and validation rules that are known to be good.
type pruner struct {
	digester
	rules ruleset
	// whole says that defaults and extensions must stay: one anywhere in a CRD that keeps unknown fields has upstream ask
	// for more everywhere (specHasDefaults, specHasKubernetesExtensions).
	whole bool
	// twice says that a field may be left out that the object has in another place, too. Versions that are all the same
	// have to stay so (hasIdenticalPerVersionSchema).
	twice bool
	roots []int           // in marks
	has   map[digest]bool // fields that stay, and will be proven
	bad   bool            // a rule is not known to be good
}

// pruners are those that are not in use, for the room that they have.
var pruners = sync.Pool{New: func() any { return &pruner{has: map[digest]bool{}} }}

func newPruner(obj *apiextensions.CustomResourceDefinition, rules ruleset) *pruner {
	p := pruners.Get().(*pruner)
	clear(p.has)
	*p = pruner{digester: digester{marks: p.marks[:0], text: p.text[:0], members: p.members}, rules: rules, roots: p.roots[:0], has: p.has}
	p.whole = obj.Spec.PreserveUnknownFields == nil || *obj.Spec.PreserveUnknownFields
	var first digest
	apiserver.EachRoot(&obj.Spec, func(root *apiextensions.JSONSchemaProps, _ *field.Path) {
		at := p.scan("", "", root)
		p.roots = append(p.roots, at)
		if len(p.roots) == 1 {
			first = p.marks[at].digest
		}
		p.twice = p.twice || p.marks[at].digest != first
	})
	p.bad = p.ruled && rules != today // 1.21 takes schemas for the same that differ in rules
	return p
}

// pruned is the object without what is proven: a copy, or the object itself where nothing is.
func (p *pruner) pruned(obj *apiextensions.CustomResourceDefinition) *apiextensions.CustomResourceDefinition {
	next, changed := 0, false
	rest := func(v *apiextensions.CustomResourceValidation) *apiextensions.CustomResourceValidation {
		if v == nil || v.OpenAPIV3Schema == nil {
			return v
		}
		root := p.root(v.OpenAPIV3Schema, p.roots[next])
		next++
		if root == v.OpenAPIV3Schema {
			return v
		}
		changed = true
		if p.twice {
			root.Description = fmt.Sprint(next) // they may not all be the same without what is proven, either
		}
		return &apiextensions.CustomResourceValidation{OpenAPIV3Schema: root}
	}
	out := *obj
	out.Spec.Validation = rest(obj.Spec.Validation)
	out.Spec.Versions = slices.Clone(obj.Spec.Versions)
	for i := range out.Spec.Versions {
		out.Spec.Versions[i].Schema = rest(out.Spec.Versions[i].Schema)
	}
	if !changed || p.bad {
		return obj
	}
	return &out
}

func (p *pruner) root(s *apiextensions.JSONSchemaProps, at int) *apiextensions.JSONSchemaProps {
	rules := validation.RootCELContext(s)
	rest := p.schema(s, at, place{rules: rules, root: true})
	if rules.TotalCost.Total > validation.StaticEstimatedCRDCostLimit {
		p.bad = true
	}
	return rest
}

// A place is where a schema is.
type place struct {
	rules *validation.CELSchemaContext // as upstream has it there; nil where there are no rules from there on
	root  bool
	keyed bool // items of a list that may be known by keys, on which the list depends
	// Something around it says more about the values, so that its fields must stay, or its rules, which run over defaults.
	keepsFields, keepsRules bool
	apart                   bool // from other revisions of the object: rules cannot see the older value
	inValues                bool // of a map, where upstream does not look at defaults
}

// below is a place below this one, but for what depends on how it is reached.
func (in place) below() place {
	return place{keepsFields: in.keepsFields, keepsRules: in.keepsRules, apart: in.apart, inValues: in.inValues}
}

// schema is a schema without the fields that are proven and without good rules: a copy, or the schema itself.
func (p *pruner) schema(s *apiextensions.JSONSchemaProps, at int, in place) *apiextensions.JSONSchemaProps {
	m := p.marks[at]
	in.keepsRules = in.keepsRules || s.Default != nil || s.XEmbeddedResource
	in.keepsFields = in.keepsFields || in.keepsRules || len(s.AllOf) > 0 || len(s.AnyOf) > 0 || len(s.OneOf) > 0 || s.Not != nil
	if in.keepsFields && !m.rules {
		return s
	}
	out := s
	change := func() *apiextensions.JSONSchemaProps {
		if out == s {
			clone := *s
			out = &clone
		}
		return out
	}
	if len(s.XValidations) > 0 {
		p.bad = p.bad || !areGood(s, m, in)
		if !in.keepsRules {
			change().XValidations = nil
		}
	}
	for i := range p.below(at) {
		m := &p.marks[i]
		below := in.below()
		switch m.via {
		case "items":
			below.keyed = s.XListType != nil
			below.apart = in.apart || s.XListType == nil || *s.XListType != "map"
			if m.rules {
				below.rules = in.rules.ChildItemsContext(s.Items.Schema)
			}
			if rest := p.schema(s.Items.Schema, i, below); rest != s.Items.Schema {
				change().Items = &apiextensions.JSONSchemaPropsOrArray{Schema: rest}
			}
		case "additionalProperties":
			below.inValues = true
			if m.rules {
				below.rules = in.rules.ChildAdditionalPropertiesContext(s.AdditionalProperties.Schema)
			}
			if rest := p.schema(s.AdditionalProperties.Schema, i, below); rest != s.AdditionalProperties.Schema {
				change().AdditionalProperties = &apiextensions.JSONSchemaPropsOrBool{Allows: s.AdditionalProperties.Allows, Schema: rest}
			}
		}
	}
	if rest := p.fields(s, at, in); rest != nil {
		change().Properties = rest
	}
	return out
}

// fields are the properties of a schema that are not proven, without what is proven of them; nil where they are all there.
func (p *pruner) fields(s *apiextensions.JSONSchemaProps, at int, in place) map[string]apiextensions.JSONSchemaProps {
	member := p.enter()
	defer p.leave()
	var rest map[string]apiextensions.JSONSchemaProps
	for i := range p.below(at) {
		m := &p.marks[i]
		if m.via != "properties" {
			continue
		}
		*member = s.Properties[m.name]
		left := p.field(s, member, i, in)
		if left != member && rest == nil {
			rest = make(map[string]apiextensions.JSONSchemaProps, len(s.Properties))
			for before := at + 1; before < i; before += 1 + p.marks[before].below {
				if m := p.marks[before]; m.via == "properties" {
					rest[m.name] = s.Properties[m.name]
				}
			}
		}
		if rest != nil && left != nil {
			rest[m.name] = *left
		}
	}
	return rest
}

// field is a property of a schema without what is proven: a copy, or the property itself; nil where it is proven.
func (p *pruner) field(of, member *apiextensions.JSONSchemaProps, at int, in place) *apiextensions.JSONSchemaProps {
	m := &p.marks[at]
	below := in.below()
	if m.rules {
		below.rules = in.rules.ChildPropertyContext(member, m.name)
		below.apart = in.apart || !cel.MapIsCorrelatable(of.XMapType)
	}
	if in.root && (m.name == "metadata" || m.name == "apiVersion" || m.name == "kind") {
		below.keepsFields, below.keepsRules = true, true
		return p.schema(member, at, below)
	}
	proven := !in.keepsFields && !in.keyed && of.AdditionalProperties == nil && !(in.inValues && m.defaults) && p.proven(m)
	if proven && !m.rules {
		return nil
	}
	left := p.schema(member, at, below) // whose rules depend on the place
	if proven {
		return nil
	}
	return left
}

// worthwhile is how many schemas a field has at least, itself included, for a proof of it to pay.
const worthwhile = 3

// proven reports whether a field was accepted before, and notes it otherwise.
func (p *pruner) proven(m *mark) bool {
	if !m.plain || m.embedded || m.schemas < worthwhile || m.rules && m.defaults || p.whole && (m.defaults || m.extensions) {
		return false
	}
	if proofs.Has(proof{m.digest, p.rules}) || p.twice && p.has[m.digest] {
		return true
	}
	p.has[m.digest] = true
	return false
}
