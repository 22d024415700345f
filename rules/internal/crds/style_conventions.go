package crds

import (
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/words"
)

// conventionRules are about what the API conventions of Kubernetes ask of a schema.
var conventionRules = []*engine.Rule{
	convention("schema-description-missing", "fields without a description", func(p *engine.Pass) {
		eachTogether(p, func(s *crd.Schema) bool {
			return (s.Via == "properties" || s.Parent == nil) && s.Get("description") == nil && !s.InJunctor() && !inMetadata(s)
		}, "%s has no description, so kubectl explain shows none; write one")
	}),
	convention("schema-field-name-convention", "fields whose names are not lowerCamelCase", func(p *engine.Pass) {
		eachTogether(p, func(s *crd.Schema) bool {
			return s.Via == "properties" && !s.InJunctor() && !camelCase().MatchString(s.Name) && !inForeignSchema(s)
		}, "%s is not lowerCamelCase, the convention for fields; rename it before the first release")
	}),
	convention("schema-float", "floating-point numbers", func(p *engine.Pass) {
		eachTogether(p, func(s *crd.Schema) bool { return s.Type() == "number" && !s.InJunctor() },
			"%s is a floating-point number, which clients may round differently; prefer an integer or a quantity")
	}),
	convention("schema-boolean", "booleans", func(p *engine.Pass) {
		eachTogether(p, func(s *crd.Schema) bool { return s.Type() == "boolean" && !s.InJunctor() },
			"%s is a boolean, so a third choice later would need another field; prefer a string enum")
	}),
	convention("schema-map-of-objects", "maps of objects", func(p *engine.Pass) {
		eachTogether(p, func(s *crd.Schema) bool {
			values := s.AdditionalProperties()
			return values != nil && values.Type() == "object" && !s.InJunctor()
		}, "%s is a map of objects, whose keys the schema cannot describe; prefer a list of named objects")
	}),
	convention("schema-extra-top-level-fields", "fields next to spec and status", func(p *engine.Pass) {
		for _, root := range roots(p) {
			if root.Property("spec") == nil && root.Property("status") == nil {
				continue
			}
			var all []*engine.Finding
			for _, e := range crd.Entries(root.Get("properties")) {
				if !slices.Contains([]string{"apiVersion", "kind", "metadata", "spec", "status"}, e.Name) {
					all = append(all, p.Reportf(root.Property(e.Name).Place, "move %s below spec or status; tools expect nothing else at the root", text.Value(e.Name)))
				}
			}
			engine.Together(all)
		}
	}),
	Check(lint.Info, "scaffold-leftover", "descriptions that kubebuilder's scaffold left behind", leftovers),
}

var camelCase = text.Pattern(`^[a-z][a-zA-Z0-9]*$`)

// inMetadata reports whether a schema is, or is inside of, apiVersion, kind or metadata of the root or of an embedded
// resource.
func inMetadata(s *crd.Schema) bool {
	return s.Within(func(up *crd.Schema) bool {
		return slices.Contains([]string{"apiVersion", "kind", "metadata"}, up.Name) && (up.Parent.Parent == nil || up.Parent.Flag(EmbeddedKey))
	})
}

// inForeignSchema reports whether a schema is inside of an embedded resource or of a map.
func inForeignSchema(s *crd.Schema) bool {
	return s.Parent.Within(func(up *crd.Schema) bool { return up.Flag(EmbeddedKey) || up.Via == "additionalProperties" })
}

// ofScaffold are sentences that nobody but the scaffold writes.
var ofScaffold = text.Pattern(`(?i)INSERT ADDITIONAL (SPEC|STATUS) FIELDS?|Important: Run "(make|operator-sdk)[^"]*"|\bfoo is an example field of \w+`)

func leftovers(p *engine.Pass) {
	where := ""
	if g, ok := p.CRD.Generator(p.Document().Header()); ok {
		where = ", " + g.Advice()
	}
	together(p, func(s *crd.Schema) *engine.Finding {
		description := s.Text("description")
		lower := strings.ToLower(description) // descriptions are most of the text of a CRD, and the expression is slow
		if !slices.ContainsFunc([]string{"additional", "important:", "foo"}, func(word string) bool { return strings.Contains(lower, word) }) {
			return nil
		}
		scaffold := ofScaffold().FindString(strings.Join(strings.Fields(description), " "))
		if scaffold == "" {
			return nil
		}
		return p.Reportf(s.At("description"), "%s has the text of a scaffold (%s); write what the field is for%s",
			words.FieldName(s), text.Quoted(scaffold), where)
	})
}
