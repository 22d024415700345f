package rules

import (
	"context"
	"slices"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/repair"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// defaultPractices are about defaults that the API server takes.
var defaultPractices = []*engine.Rule{
	{
		ID:       "default-unchecked",
		Summary:  "invalid defaults below additionalProperties, which the API server does not check",
		Severity: lint.Error,
		Doc: `The API server checks the defaults of a CustomResourceDefinition, but not those below additionalProperties. There it fills in
a bad default all the same, and then refuses the object that the user sent without it.

**What to do**: correct the default, or the schema that it breaks.

**When to ignore it**: never; every custom resource that relies on the default is refused.

**Source**: ValidateDefaults of k8s.io/apiextensions-apiserver ("do not follow additionalProperties"), with which crdlift checks
these defaults, too.`,
		Run: uncheckedDefaults,
	},
	{
		ID:       "default-null",
		Summary:  "defaults and examples that are null",
		Severity: lint.Warning,
		Doc: `A null in ` + "`default`" + ` or ` + "`example`" + ` reads like a value, but the API server decodes it as if the entry were not there: the
field has no default.

**What to do**: remove the entry. A field of its own kind of emptiness is written out: an empty string, an empty list.

**When to ignore it**: when other programs read the default from the manifest.

**Source**: JSON.UnmarshalJSON in pkg/apis/apiextensions/v1/marshal.go of k8s.io/apiextensions-apiserver.`,
		Run: nullDefaults,
	},
	{
		ID:       "default-unreachable",
		Summary:  "defaults inside of optional objects that have no default",
		Severity: lint.Info,
		Preset:   lint.Strict,
		Doc: `Defaults are filled in from the top: a default inside of an object applies only when the object is there. Where the user
leaves out the object, controllers see none of the defaults in it. That is often meant, and often not.

**What to do**: give the object a default, such as ` + "`default: {}`" + `, when its fields should always have theirs. Required fields
without a value in that default have to be written out.

**When to ignore it**: when the object being absent means something of its own. The rule is part of the strict preset, since many
schemas mean it so. The fields directly below the root, such as spec, are taken to be always there.

**Source**: KEP-575 "Defaulting for Custom Resources", example 4; Default in pkg/apiserver/schema/defaulting of
k8s.io/apiextensions-apiserver.`,
		Run: unreachableDefaults,
	},
	{
		ID:       "default-and-required",
		Summary:  "required fields that have a default",
		Severity: lint.Info,
		Preset:   lint.Strict,
		Doc: `Defaults are filled in before objects are validated, so a required field with a default is never missing. The schema tells
users that they must set a field which they need not.

**What to do**: take the field out of ` + "`required`" + `, or remove the default.
With controller-gen: ` + "`+optional`" + ` above the field, or no ` + "`+kubebuilder:default=`" + `.

**When to ignore it**: when generated clients rely on the field being required. Keys of list maps are not reported; they
have to be one or the other, and are often both.

**Source**: the order of defaulting and validation in the API server; kube-api-linter reports it, too.`,
		Run: requiredDefaults,
	},
	differingDefault,
}

// mapDepth says whether a schema stands below additionalProperties.
func mapDepth(s *crd.Schema) bool {
	for ; s != nil; s = s.Parent {
		if s.Via == "additionalProperties" {
			return true
		}
	}
	return false
}

func uncheckedDefaults(p *engine.Pass) {
	if p.CRD.Version != crd.V1 {
		return // v1beta1 refuses all defaults
	}
	for _, v := range p.CRD.Versions() {
		for s := range v.Root().All() {
			if s.InJunctor() || s.Get("default") == nil || !mapDepth(s) {
				continue
			}
			if err := checkDefault(s); err != nil {
				_, inner := cutDefault(err.Field)
				p.Reportf(s.At("default"), "the default of %s%s %s; nobody checks it here, but objects that get it are refused",
					short(s.FieldPath()), inside(inner), defaultFault(err))
			}
		}
	}
}

// defaultFault says what ValidateDefaults finds wrong with a default.
func defaultFault(err *field.Error) text.Text {
	switch _, rule := apiserver.Classify(err); {
	case err.Type == field.ErrorTypeRequired && rule == "default-invalid":
		return text.Sprintf("is missing, though required")
	case rule == "default-invalid":
		return valueFault(err)
	case rule == "default-unknown-fields":
		return text.Sprintf("has fields that the schema does not")
	}
	return text.Sprintf("is refused: %s", metadataFault(err.Detail))
}

// checkDefault does with the default of one schema what the API server does where it checks defaults. It is nil when the
// default is valid, and when the schema is not: that is told by others.
func checkDefault(s *crd.Schema) *field.Error {
	props, err := crd.DecodeSchema(s.Node)
	if err != nil || props.Default == nil {
		return nil
	}
	// only the root of a custom resource cannot be any type
	root := &apiextensions.JSONSchemaProps{Type: "object", Properties: map[string]apiextensions.JSONSchemaProps{"x": *props}}
	structural, err := schema.NewStructural(root)
	if err != nil || len(schema.ValidateStructural(nil, structural)) > 0 {
		return nil
	}
	errs, err := defaulting.ValidateDefaults(context.Background(), field.NewPath("schema"), structural, false, true)
	if err != nil {
		return nil
	}
	for _, e := range errs {
		if outer, _ := cutDefault(e.Field); outer == "schema.properties[x].default" {
			return e
		}
	}
	return nil
}

func nullDefaults(p *engine.Pass) {
	for _, v := range p.CRD.Versions() {
		for s := range v.Root().All() {
			for _, keyword := range []string{"default", "example"} {
				k, value := crd.Lookup(s.Node, keyword)
				if k == nil || !crd.IsNull(value) {
					continue
				}
				f := p.Reportf(s.KeyOf(keyword), "%s: null is read as no %s at all; remove it", keyword, keyword)
				f.Fix = editing("remove "+keyword+": null", true, []string{s.Path}, func(s *crd.Schema) bool {
					return len(repair.Remove(crd.Deref(s.Node), keyword)) > 0
				})
				f.Fix.Reveals = false
			}
		}
	}
}

// absentAround is the object around a schema whose absence keeps the schema's default from being filled in; nil when
// there is none. Items of lists and values of maps are there when the user writes them.
func absentAround(s *crd.Schema) *crd.Schema {
	for up := s.Parent; up != nil && up.Via == "properties" && up.Parent != nil && up.Parent.Parent != nil; up = up.Parent {
		if up.Get("default") == nil && !up.Parent.Required(up.Name) {
			return up
		}
	}
	return nil
}

func unreachableDefaults(p *engine.Pass) {
	var all []*engine.Finding
	for _, v := range p.CRD.Versions() {
		for s := range v.Root().All() {
			if s.InJunctor() || s.Via != "properties" || asGoodAsNone(s.Get("default")) {
				continue
			}
			if up := absentAround(s); up != nil {
				all = append(all, p.Reportf(s.KeyOf("default"), "the default of %s applies only when %s is there, which is optional and has no default",
					short(s.FieldPath()), short(up.FieldPath())))
			}
		}
	}
	engine.Together(all)
}

func requiredDefaults(p *engine.Pass) {
	var all []*engine.Finding
	for _, v := range p.CRD.Versions() {
		for s := range v.Root().All() {
			if s.InJunctor() || s.Via != "properties" || s.Get("default") == nil || !s.Parent.Required(s.Name) || isListMapKey(s) {
				continue
			}
			all = append(all, p.Reportf(s.KeyOf("default"), "%s is required and has a default, which is filled in before required is checked",
				short(s.FieldPath())))
		}
	}
	engine.Together(all)
}

// isListMapKey says whether a property identifies the items of a list.
func isListMapKey(s *crd.Schema) bool {
	item := s.Parent
	if item == nil || item.Via != "items" {
		return false
	}
	keys := item.Parent.Get("x-kubernetes-list-map-keys")
	return keys != nil && slices.ContainsFunc(itemsOf(keys), func(k *yaml.Node) bool { return crd.StringAt(k) == s.Name })
}
