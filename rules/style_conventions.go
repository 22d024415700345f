package rules

import (
	"regexp"
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// conventionRules are about what the API conventions of Kubernetes ask of a schema.
var conventionRules = []*engine.Rule{
	{
		ID:       "schema-description-missing",
		Summary:  "fields without a description",
		Severity: lint.Info,
		Preset:   lint.Strict,
		Doc: `Descriptions are what ` + "`kubectl explain`" + `, editors and generated documents show. One finding counts the fields of a version
that have none. The root's apiVersion, kind and metadata, list items and map values need none.

**What to do**: describe what the field means, which values it takes, its unit and what happens when it is absent.

**When to ignore it**: where the descriptions are left out to keep a large CustomResourceDefinition below the size that
` + "`kubectl apply`" + ` can store in an annotation.

**Source**: https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api_changes.md ("document the
field").`,
		Run: func(p *engine.Pass) {
			eachTogether(p, func(s walked) bool {
				return (s.Via == "properties" || s.Parent == nil) && s.Get("description") == nil && !s.InJunctor() && !inMetadata(s.Schema)
			}, "%s has no description, so kubectl explain has nothing to say")
		},
	},
	{
		ID:       "schema-field-name-convention",
		Summary:  "fields whose names are not lowerCamelCase",
		Severity: lint.Info,
		Preset:   lint.Strict,
		Doc: `Fields of Kubernetes objects are named in lowerCamelCase: letters and digits, beginning with a small letter. Others look
foreign, and names with a dash or a dot cannot be written in a JSON path without quotes. Inside embedded resources and
maps, names are somebody else's.

**What to do**: name new fields by the convention. Renaming a field of a stored resource needs a new version and a conversion.

**When to ignore it**: where the names are those of another system whose configuration the resource carries.

**Source**: https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api-conventions.md#naming-conventions.`,
		Run: func(p *engine.Pass) {
			eachTogether(p, func(s walked) bool {
				return s.Via == "properties" && !s.InJunctor() && !camelCase.MatchString(s.Name) && !foreign(s.Schema)
			}, "%s is not lowerCamelCase, the convention for fields")
		},
	},
	{
		ID:       "schema-float",
		Summary:  "floating-point numbers",
		Severity: lint.Info,
		Preset:   lint.All,
		Doc: `Floating-point numbers change when they go through JSON and back in different languages, and cannot be compared for
equality. The API conventions ask to avoid them, and never to have them in spec.

**What to do**: use an integer with a smaller unit (` + "`timeoutMilliseconds`" + `), or a quantity in a string.

**When to ignore it**: where the value is a measurement that nobody compares. The rule is off by default.

**Source**: https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api-conventions.md#primitive-types;
NoFloats of https://github.com/openshift/crd-schema-checker.`,
		Run: func(p *engine.Pass) {
			eachTogether(p, func(s walked) bool { return s.typ == "number" && !s.InJunctor() },
				"%s is a floating-point number; prefer an integer or a quantity")
		},
	},
	{
		ID:       "schema-boolean",
		Summary:  "booleans",
		Severity: lint.Info,
		Preset:   lint.All,
		Doc: `What begins as a choice of two often gets a third. A boolean cannot be extended; a string with an enum can, and its values
have names.

**What to do**: think about a string with an enum (` + "`policy: Retain`" + ` instead of ` + "`delete: false`" + `).

**When to ignore it**: where there will never be a third choice. The rule is off by default.

**Source**: https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api-conventions.md#primitive-types;
NoBools of https://github.com/openshift/crd-schema-checker.`,
		Run: func(p *engine.Pass) {
			eachTogether(p, func(s walked) bool { return s.typ == "boolean" && !s.InJunctor() },
				"%s is a boolean; a string enum can be extended")
		},
	},
	{
		ID:       "schema-map-of-objects",
		Summary:  "maps of objects",
		Severity: lint.Info,
		Preset:   lint.All,
		Doc: `The API conventions prefer lists of named objects to maps of objects: the key of a map has no name, no description and no
validation of its own.

**What to do**: write a list with ` + "`x-kubernetes-list-type: map` and `x-kubernetes-list-map-keys: [name]`" + `.

**When to ignore it**: where the keys are not names of the values, such as the pods of a status. The rule is off by default.

**Source**: https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api-conventions.md#lists-of-named-subobjects-preferred-over-maps;
NoMaps of https://github.com/openshift/crd-schema-checker.`,
		Run: func(p *engine.Pass) {
			eachTogether(p, func(s walked) bool {
				values := s.AdditionalProperties()
				return values != nil && values.Type() == "object" && !s.InJunctor()
			}, "%s is a map of objects; a list of named objects is the convention")
		},
	},
	{
		ID:       "schema-extra-top-level-fields",
		Summary:  "fields beside spec and status",
		Severity: lint.Info,
		Preset:   lint.Strict,
		Doc: `An object of Kubernetes has apiVersion, kind, metadata, spec and status. Tools look for the desired state in spec and for the
observed one in status, and the generation of an object counts changes outside of metadata and status.

**What to do**: move the fields below ` + "`spec` or `status`" + `.

**When to ignore it**: where the resource is data rather than desired state, as a ConfigMap is.

**Source**: https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api-conventions.md#spec-and-status.`,
		Run: func(p *engine.Pass) {
			for _, r := range roots(p) {
				root := r.root
				if root.Property("spec") == nil && root.Property("status") == nil {
					continue
				}
				var all []*engine.Finding
				for _, e := range crd.Entries(root.Get("properties")) {
					if !slices.Contains([]string{"apiVersion", "kind", "metadata", "spec", "status"}, e.Name) {
						all = append(all, p.Reportf(root.Property(e.Name).Place, "the root has %s beside spec and status, which is where tools look", text.Value(e.Name)))
					}
				}
				engine.Together(all)
			}
		},
	},
}

var camelCase = regexp.MustCompile(`^[a-z][a-zA-Z0-9]*$`)

// inMetadata says whether a schema is, or is inside of, apiVersion, kind or metadata of the root or of an embedded
// resource.
func inMetadata(s *crd.Schema) bool {
	for ; s.Parent != nil; s = s.Parent {
		if (s.Parent.Parent == nil || s.Parent.Flag(embeddedKey)) && slices.Contains([]string{"apiVersion", "kind", "metadata"}, s.Name) {
			return true
		}
	}
	return false
}

// foreign says whether a schema is inside of an embedded resource or of a map.
func foreign(s *crd.Schema) bool {
	for s = s.Parent; s != nil; s = s.Parent {
		if s.Flag(embeddedKey) || s.Via == "additionalProperties" {
			return true
		}
	}
	return false
}
