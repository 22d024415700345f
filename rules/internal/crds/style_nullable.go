package crds

import (
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/words"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

var nullableEnum = &engine.Rule{
	ID:       "schema-nullable-enum",
	Summary:  "nullable fields with an enum, which refuses null",
	Severity: lint.Warning,
	Run: func(p *engine.Pass) {
		eachSchema(p, hasEnum, func(s scannedSchema) { nullableWithEnum(p, s.Schema) })
	},
}

// nullableWithEnum reports a schema that says of null that it is valid, and that it is not. The validator of kube-openapi
// looks at an enum whatever the value is, and compares no value with a null that the enum lists: see
// basicCommonValidator.Validate.
func nullableWithEnum(p *engine.Pass, s *crd.Schema) {
	enum := crd.Items(s.Get("enum"))
	if s.InJunctor() || !s.Flag("nullable") || len(enum) == 0 {
		return
	}
	if !dropsNull(p, s) || !slices.ContainsFunc(enum, func(n *yaml.Node) bool { return !crd.IsNull(n) }) {
		p.Reportf(s.KeyOf("nullable"), "%s is nullable, but its enum refuses null, even if it lists it; write a validation rule in place of the enum", words.FieldName(s))
		return
	}
	p.Reportf(s.KeyOf("nullable"), "%s is nullable, but its enum refuses null, even if it lists it; remove nullable, and null counts as absent", words.FieldName(s)).
		Fix = editing("remove nullable", false, []string{s.Path}, func(s *crd.Schema) bool {
		enum := crd.Deref(s.Get("enum"))
		enum.Content = slices.DeleteFunc(enum.Content, crd.IsNull)
		return len(layout.Remove(s.Node, "nullable")) > 0
	})
}

// dropsNull reports whether the API server drops a null from a valid object if the schema is not nullable: see
// PruneNonNullableNullsWithoutDefaults of apiextensions-apiserver.
func dropsNull(p *engine.Pass, s *crd.Schema) bool {
	switch {
	case !prunes(p):
		return false
	case s.Via == "properties":
		return s.Get("default") != nil || !s.Parent.Required(s.Name)
	}
	return s.Via == "additionalProperties"
}
