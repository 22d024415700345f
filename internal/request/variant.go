package request

import (
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
)

// Under is the version with another schema, which says the same but for what a value has to be: objects are pruned and defaulted as
// before, and have to meet the same rules, which are not compiled again.
func (v *Version) Under(s *apiextensions.JSONSchemaProps) (*Version, error) {
	other, err := v.share()
	if err == nil {
		other.Schema = s
		err = guard(other.prepareSchemas)
	}
	return other, err
}

// WithoutRules is the version without its rules.
func (v *Version) WithoutRules() (*Version, error) {
	other, err := v.share()
	if err == nil {
		other.rules = nil
	}
	return other, err
}

// share is another version that is prepared as this one is.
func (v *Version) share() (*Version, error) {
	if err := v.Err(); err != nil {
		return nil, err
	}
	other := &Version{
		Name: v.Name, Served: v.Served, Schema: v.Schema, server: v.server, hasStatus: v.hasStatus, scale: v.scale, deprecation: v.deprecation,
		compares: v.compares, opaque: v.opaque, structural: v.structural, trimmed: v.trimmed, schema: v.schema, status: v.status, rules: v.rules,
	}
	other.tree.Do(func() {})
	other.checks.Do(func() {})
	return other, nil
}

// A Ruled is a node of a version's schema that may have other rules.
type Ruled struct {
	version *Version
	path    []string
	alone   *structuralschema.Structural // what is at the node, without rules
	root    bool
}

// Ruled is the node at a path of the schema, which leads through no junctor; nil where there is none.
func (v *Version) Ruled(path []string) *Ruled {
	s := v.Structural()
	for rest := path; s != nil && len(rest) > 0; {
		s, rest = structuralBelow(s, rest)
	}
	if s == nil {
		return nil
	}
	return &Ruled{v, path, withoutRules(s), len(path) == 0 || s.XEmbeddedResource}
}

// structuralBelow is the schema that the first steps of a path lead to, and the steps that are left.
func structuralBelow(s *structuralschema.Structural, path []string) (*structuralschema.Structural, []string) {
	switch path[0] {
	case "properties":
		if property, ok := s.Properties[path[1]]; ok {
			return &property, path[2:]
		}
	case "items":
		return s.Items, path[1:]
	case "additionalProperties":
		if s.AdditionalProperties != nil {
			return s.AdditionalProperties.Structural, path[1:]
		}
	}
	return nil, nil
}

// A Variant is a version that has one rule and nothing else against an object.
type Variant struct {
	version *Version
	here    *cel.Validator // of the values at the node
	rules   *cel.Validator
}

// With is the variant with a rule at the node.
func (r *Ruled) With(rule apiextensionsv1.ValidationRule) *Variant {
	alone := *r.alone
	alone.XValidations = apiextensionsv1.ValidationRules{rule}
	here := cel.NewValidator(&alone, r.root, celconfig.PerCallLimit)
	return &Variant{r.version, here, around(here, r.version.structural, r.path)}
}

// around is a validator that has nothing but the one at a path of a schema.
func around(here *cel.Validator, s *structuralschema.Structural, path []string) *cel.Validator {
	if len(path) == 0 {
		return here
	}
	below, rest := structuralBelow(s, path)
	inner := around(here, below, rest)
	outer := &cel.Validator{Schema: s}
	switch path[0] {
	case "properties":
		outer.Properties = map[string]cel.Validator{path[1]: *inner}
	case "items":
		outer.Items = inner
	default:
		outer.AdditionalProperties = inner
	}
	return outer
}

// Refuses reports whether the rule rejects an object, as it is admitted, in the place of another one; nil where it is created. A
// rule that ends in an error rejects, too.
func (v *Variant) Refuses(o, old Object) bool {
	root := ruledValue{value: o}
	if old != nil {
		root.old = old
		r := &reading{version: v.version, object: o}
		root.correlated = r.correlate(&reading{object: old}, ratcheting)
		root.nearest = root.correlated
	}
	return root.refusedBy(v.rules)
}

// RefusesValue reports whether the rule rejects a value of the node.
func (v *Variant) RefusesValue(value any) bool { return ruledValue{value: value}.refusedBy(v.here) }

func (n ruledValue) refusedBy(rules *cel.Validator) (refused bool) {
	_ = guard(func() error { // upstream's code that panics has rejected nothing
		errs, _, _ := n.evaluate(rules, celconfig.RuntimeCELCostBudget)
		refused = len(errs) > 0
		return nil
	})
	return refused
}
