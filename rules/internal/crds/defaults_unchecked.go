package crds

import (
	"context"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/rules/internal/words"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// inMap reports whether a schema is below additionalProperties.
func inMap(s *crd.Schema) bool {
	return s.Within(func(up *crd.Schema) bool { return up.Via == "additionalProperties" })
}

func uncheckedDefaults(p *engine.Pass) {
	if p.CRD.Version != crd.V1 {
		return // v1beta1 refuses all defaults
	}
	refused := map[string]bool{}
	for _, rule := range []string{"default-invalid", "default-unknown-fields", "default-in-metadata"} {
		for _, r := range p.RefusalsOf(rule) {
			at, _ := CutDefault(r.At.Path)
			refused[at] = true
		}
	}
	for s := range p.CRD.Schemas() {
		value := s.Get("default")
		if value == nil || s.InJunctor() || refused[s.At("default").Path] || !inMap(s) && !mayRepeat(value) {
			continue
		}
		around := aroundDefault(s)
		if around == nil {
			continue
		}
		if inMap(s) { // the server checks the others
			if err := checkDefault(around); err != nil {
				_, inner := CutDefault(err.Field)
				reportUnchecked(p, s, inner, defaultFault(err))
				continue
			}
		}
		if at := repeatedIn(around); at != "" {
			reportUnchecked(p, s, at, text.Sprintf("repeats an item, though all must differ"))
		}
	}
}

// mayRepeat reports whether there may be a list of several items in a default.
func mayRepeat(n *yaml.Node) bool {
	return n.Kind == yaml.AliasNode || n.Kind == yaml.SequenceNode && len(n.Content) > 1 || slices.ContainsFunc(n.Content, mayRepeat)
}

func reportUnchecked(p *engine.Pass, s *crd.Schema, inner string, fault text.Text) {
	p.Reportf(s.At("default"), "the default of %s%s %s; the API server does not check that, but refuses objects that get it",
		text.Path(s.FieldPath()), words.AtInner(inner), fault)
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
	return text.Sprintf("is refused: %s", MetadataFault(err.Detail))
}

// aroundDefault is the schema of an object that has a value of a schema with a default, as its member x. It is nil when the
// schema is not valid: that is told by others. Of the defaults inside it has those that are neither maps nor lists.
func aroundDefault(s *crd.Schema) *schema.Structural {
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
	given := structural.Properties["x"].Default
	(&schema.Visitor{Structural: func(s *schema.Structural) bool {
		switch s.Default.Object.(type) {
		case map[string]any, []any: // each is looked at by itself
			s.Default.Object = nil
			return true
		}
		return false
	}}).Visit(structural)
	x := structural.Properties["x"]
	x.Default = given
	structural.Properties["x"] = x
	return structural
}

// checkDefault does with a default what the API server does where it checks defaults. It is nil when the default is valid.
func checkDefault(around *schema.Structural) *field.Error {
	errs, err := defaulting.ValidateDefaults(context.Background(), field.NewPath("schema"), around, false, true)
	if err != nil {
		return nil
	}
	for _, e := range errs {
		if outer, _ := CutDefault(e.Field); outer == "schema.properties[x].default" {
			return e
		}
	}
	return nil
}

// repeatedIn is where a default has an item twice in a set or a map, "" where it has none. ValidateDefaults does not ask
// what listtype.ValidateListSetsAndMaps asks of each object.
func repeatedIn(around *schema.Structural) string {
	object := map[string]any{"x": runtime.DeepCopyJSONValue(around.Properties["x"].Default.Object)}
	defaulting.Default(object, around) // the keys of items
	var all []string
	for _, err := range listtype.ValidateListSetsAndMaps(nil, around, object) {
		all = append(all, strings.TrimPrefix(strings.TrimPrefix(err.Field, "x"), "."))
	}
	if len(all) == 0 {
		return ""
	}
	return slices.Min(all)
}
