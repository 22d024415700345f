package crds

import (
	"context"
	"regexp"
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

func inMap(s *crd.Schema) bool {
	return s.Within(func(up *crd.Schema) bool { return up.Via == "additionalProperties" })
}

func uncheckedDefaults(p *engine.Pass) {
	if p.CRD.Version != crd.V1 {
		return // v1beta1 rejects all defaults
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
	p.Reportf(s.At("default"), "the default of %s%s %s; API servers reject objects that get it, not the CRD; correct the default",
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
		return text.Sprintf("has fields that the schema does not declare")
	}
	return text.Sprintf("is rejected: %s", MetadataFault(err.Detail))
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
	all := Mapped(listtype.ValidateListSetsAndMaps(nil, around, object), func(err *field.Error) string {
		return strings.TrimPrefix(strings.TrimPrefix(err.Field, "x"), ".")
	})
	if len(all) == 0 {
		return ""
	}
	return slices.Min(all)
}

// A valueWording says in our words what kube-openapi's validation says about a value.
type valueWording struct {
	upstream func() *regexp.Regexp
	ours     string // with $1 for what upstream mentions
}

// valueWordings are tried in order. The texts are those of k8s.io/kube-openapi/pkg/validation/errors.
var valueWordings = []valueWording{
	{text.Pattern(`should match '`), "does not match the pattern of its schema"},
	{text.Pattern(`should be at least (\d+) chars long`), "is shorter than minLength: $1"},
	{text.Pattern(`should be at most (\d+) chars long`), "is longer than maxLength: $1"},
	{text.Pattern(`should be greater than or equal to (.+)`), "is below minimum: $1"},
	{text.Pattern(`should be greater than (.+)`), "is not above minimum: $1, which is exclusive"},
	{text.Pattern(`should be less than or equal to (.+)`), "is above maximum: $1"},
	{text.Pattern(`should be less than (.+)`), "is not below maximum: $1, which is exclusive"},
	{text.Pattern(`should be a multiple of (.+)`), "is not a multiple of $1 (multipleOf)"},
	{text.Pattern(`should have at least (\d+) items`), "has less than minItems: $1"},
	{text.Pattern(`should have at most (\d+) items`), "has more than maxItems: $1"},
	{text.Pattern(`should have at least (\d+) properties`), "has less than minProperties: $1"},
	{text.Pattern(`should have at most (\d+) properties`), "has more than maxProperties: $1"},
	{text.Pattern(`more than (\d+) byte`), "is longer than maxLength: $1"},    // field.TooLong
	{text.Pattern(`at most (\d+) item`), "has more entries than allowed: $1"}, // field.TooMany
	{text.Pattern(`shouldn't contain duplicates`), "repeats an item, in a list whose items must differ"},
	{text.Pattern(`\(oneOf\).*Found none`), "fits none of the alternatives of oneOf"},
	{text.Pattern(`\(oneOf\)`), "must fit exactly one of the alternatives of oneOf"},
	{text.Pattern(`\(anyOf\)`), "fits none of the alternatives of anyOf"},
	{text.Pattern(`\(allOf\)`), "does not fit all schemas of allOf"},
	{text.Pattern(`\(not\)`), "fits the schema below not, which it must not"},
	{text.Pattern(`^Checked value must be of type \w+ with format (\w+)`), "is out of the range of format: $1"},
	{text.Pattern(`^Checked value must be of type \w+ \(default format\)`), "is out of the range of 64-bit integers"},
	{text.Pattern(`forbidden`), "has a property that is forbidden there"},
	{text.Pattern(`must be of type ([\w\-\[\], ]+?)(?:,? because: .*|: .*)?$`), "is not a valid $1"},
}

var (
	typeFault       = text.Pattern(`must be of type ([\w\-\[\], ]+?)(?:: "(.*)")?$`)
	supportedValues = text.Pattern(`^supported values: (.*)$`)
)

// valueFault says what is wrong with a value, as kubeOpenAPIResultToFieldErrors reports it: "is a string, but must be
// integer".
func valueFault(err *field.Error) text.Text {
	detail := err.Detail
	switch err.Type {
	case field.ErrorTypeTypeInvalid:
		if m := typeFault().FindStringSubmatch(detail); m != nil && jsonTypes[m[2]] {
			return text.Sprintf("is of type %s, but must be of type %s", m[2], m[1])
		}
	case field.ErrorTypeNotSupported:
		if m := supportedValues().FindStringSubmatch(detail); m != nil {
			return text.Sprintf("is %s, which is not in enum: %s", shownValue(err.BadValue), text.Foreign(m[1]))
		}
	}
	for _, w := range valueWordings {
		if m := w.upstream().FindStringSubmatchIndex(detail); m != nil {
			return text.Foreign(string(w.upstream().ExpandString(nil, w.ours, detail, m)))
		}
	}
	return text.Sprintf("does not fit its schema: %s", text.Foreign(detail))
}

// jsonTypes are what values are called; an error about a format has the value itself in their place.
var jsonTypes = map[string]bool{"string": true, "integer": true, "number": true, "boolean": true, "array": true, "object": true, "null": true}

func shownValue(v any) text.Text {
	switch v := v.(type) {
	case string:
		return text.Quoted(v)
	case nil:
		return text.Value("null")
	case map[string]any:
		return text.Value("an object")
	case []any:
		return text.Value("a list")
	}
	return text.Value(v)
}

var (
	jsonFault   = text.Pattern(`json: cannot unmarshal (\w+) into Go struct field \w+\.(\S+) of type (\S+)`)
	regexHints  = text.Pattern(` ?\((?:e\.g\.|regex)[^()]*(?:\([^()]*\)[^()]*)*\)?.*`)
	leadingPath = text.Pattern(`^\[?(?:<nil>: )?(\S+): (?:Invalid value|Required value|Forbidden): (?:"[^"]*": |\w+: )?`)
)

// MetadataFault is what apimachinery says about metadata, without values and regular expressions.
func MetadataFault(detail string) text.Text {
	if m := jsonFault().FindStringSubmatch(detail); m != nil {
		return text.Sprintf("%s cannot be a %s", m[2], m[1])
	}
	detail = leadingPath().ReplaceAllString(detail, "$1: ")
	return text.Foreign(regexHints().ReplaceAllString(detail, ""))
}
