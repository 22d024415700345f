package crds

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/repair"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/words"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// keywordRules are about keywords that no schema of a CustomResourceDefinition may have, or not with that value.
var keywordRules = []*engine.Rule{
	refusalOrCrash("schema-unsupported-keyword", "JSON Schema keywords that CustomResourceDefinitions do not support",
		func(p *engine.Pass, r engine.Refusal) {
			if r.Row == apiserver.SchemaUnsupported || crd.LastField(r.Field) == "openAPIV3Schema" {
				unbuildableKeyword(p, r)
				return
			}
			s, keyword := holderOf(p, r)
			unsupportedKeyword(p, r, s, keyword)
		}),
	inSchema("schema-unique-items", "uniqueItems: true", func(p *engine.Pass, r engine.Refusal, s *crd.Schema) {
		scalars := s.Items() != nil && slices.Contains([]string{"string", "integer", "number", "boolean"}, s.Items().Type())
		if !scalars {
			p.Refusef(r.At, "%s has uniqueItems: true, which is not supported; remove it, or make this a list map", words.FieldName(s))
			return
		}
		f := p.Refusef(r.At, "%s has uniqueItems: true, which is not supported; replace it with x-kubernetes-list-type: set", words.FieldName(s))
		if s.Get("x-kubernetes-list-type") == nil && s.Type() == "array" && !s.InJunctor() {
			f.Fix = editing("replace uniqueItems by x-kubernetes-list-type: set", false, copies(p, r, s.Path), func(s *crd.Schema) bool {
				if len(layout.Rename(s.Node, "uniqueItems", "x-kubernetes-list-type")) == 0 {
					return false
				}
				layout.Set(s.Node, "x-kubernetes-list-type", layout.String("set"))
				return true
			})
		}
	}),
	refusalOrCrash("schema-items-array", "items that is a list of schemas", func(p *engine.Pass, r engine.Refusal) {
		s, _ := holderOf(p, r)
		p.Refusef(s.KeyOf("items"), "%s has a list of schemas for its items; write one schema that fits every item", words.FieldName(s))
	}),
	refusal("schema-properties-and-additional-properties", "schemas with both properties and additionalProperties",
		func(p *engine.Pass, r engine.Refusal) {
			s, _ := holderOf(p, r)
			if allowed, ok := s.Bool("additionalProperties"); ok && !allowed {
				p.Refusef(s.KeyOf("additionalProperties"), "%s has properties and additionalProperties: false; remove the latter, unknown fields are pruned anyway", words.FieldName(s))
				return
			}
			p.Refusef(s.KeyOf("additionalProperties"), "%s has properties and additionalProperties; declare its fields or describe a map, not both", words.FieldName(s))
		}),
	inSchema("schema-nullable-root", "nullable: true at the root", func(p *engine.Pass, r engine.Refusal, s *crd.Schema) {
		p.Refuse(s.KeyOf("nullable"), "the root is nullable, but a custom resource is never null; remove nullable").
			Fix = removing("nullable", true, copies(p, r, s.Path))
	}),
	refusalOrCrash("schema-preserve-unknown-false", "x-kubernetes-preserve-unknown-fields: false", func(p *engine.Pass, r engine.Refusal) {
		s, keyword := holderOf(p, r)
		p.Refusef(s.KeyOf(keyword), "%s has %s: false, which is not allowed; remove it", words.FieldName(s), keyword).
			Fix = removing(keyword, true, copies(p, r, s.Path))
	}),
	inSchema("schema-pattern-invalid", "patterns that are not RE2 expressions", func(p *engine.Pass, r engine.Refusal, s *crd.Schema) {
		_, why, found := strings.Cut(r.Detail, "error parsing regexp: ")
		if !found {
			why = r.Detail
		}
		p.Refusef(r.At, "the pattern of %s is not RE2 (\"%s\"); rewrite it%s", words.FieldName(s), text.Foreign(why), without(why))
	}),
}

var (
	lookAround    = text.Pattern("`\\(\\?<?[=!]")               // begins a group that RE2 does not have, as Go's error quotes it
	backReference = text.Pattern("escape sequence: `\\\\[1-9]") // as Go's error quotes it
)

// without names what a pattern has to do without, "" where Go's error about it does not tell.
func without(why string) string {
	switch {
	case lookAround().MatchString(why):
		return " without look-around"
	case backReference().MatchString(why):
		return " without back-references"
	}
	return ""
}

// unsupportedKeyword reports one of them. Without its schema, which stands in a `dependencies`, say, it is at the place
// that the server gives.
func unsupportedKeyword(p *engine.Pass, r engine.Refusal, s *crd.Schema, keyword string) {
	message := fmt.Sprintf("%s of %s is not supported; %s", text.Quoted(keyword), words.FieldName(s), unsupportedHints[keyword])
	if s == nil {
		p.Refuse(r.At, message)
		return
	}
	f := p.Refuse(s.KeyOf(keyword), message)
	if keyword == "$schema" {
		f.Fix = removing(keyword, true, copies(p, r, s.Path))
	}
}

// unbuildableKeyword reports what no structural schema can be made of, where the server names the keyword but not the
// place.
func unbuildableKeyword(p *engine.Pass, r engine.Refusal) {
	for _, v := range p.CRD.Versions() {
		eachUnbuildable(v.Root(), func(s *crd.Schema, keyword, _ string) {
			if strings.Contains(r.Detail, "'"+strings.TrimPrefix(keyword, "$")+"'") {
				unsupportedKeyword(p, r, s, keyword)
			}
		})
	}
}

// refusalOrCrash is rejection for the rules about what no structural schema can be made of. Beside selectableFields, upstream's
// validation then panics (validateCustomResourceDefinitionVersion goes on without a schema) and a server answers
// 500, which says nothing to anybody. Explain is called as if the keyword had been rejected.
func refusalOrCrash(id, summary string, explain func(*engine.Pass, engine.Refusal)) *engine.Rule {
	return Check(lint.Error, id, summary, func(p *engine.Pass) {
		enforced(explain)(p)
		for _, r := range unbuildable(p)[p.Rule().ID] {
			explain(p, r)
		}
	})
}

// objectRules are about the root, its metadata, and resources inside of resources.
var objectRules = []*engine.Rule{
	refusal("schema-additional-properties-root", "additionalProperties at the root or on an embedded resource",
		func(p *engine.Pass, r engine.Refusal) {
			s, _ := holderOf(p, r)
			hint := "describe the fields with properties"
			if always, _ := s.Bool("additionalProperties"); always {
				hint = "write " + PreserveKey + ": true instead"
			}
			p.Refusef(s.KeyOf("additionalProperties"), "additionalProperties of %s would apply to apiVersion, kind and metadata; %s", words.FieldName(s), hint)
		}),
	inSchema("schema-metadata-restricted", "schemas of the root's metadata that constrain more than name and generateName",
		func(p *engine.Pass, r engine.Refusal, s *crd.Schema) {
			var extra []string
			for _, e := range s.Entries() {
				switch e.Name {
				case "type":
				case "properties":
					for _, property := range crd.Entries(e.Value) {
						if property.Name != "name" && property.Name != "generateName" {
							extra = append(extra, property.Name)
						}
					}
					if len(crd.Entries(e.Value)) == 0 {
						extra = append(extra, "properties")
					}
				default:
					extra = append(extra, e.Name)
				}
			}
			f := p.Refusef(s.Place, "the schema of metadata may constrain name and generateName only; remove %s", text.Names(extra))
			f.Fix = repairingBy(p, repair.Policy{Pruned: prunes(p), Loosen: true}, "remove all but name and generateName",
				copies(p, r, s.Path), (*repair.Single).Metadata)
		}),
	inSchema("schema-embedded-resource", "embedded resources that cannot be one", func(p *engine.Pass, r engine.Refusal, s *crd.Schema) {
		switch {
		case r.Row == apiserver.EmbeddedOfOtherType && ofNoType(p, s):
		case r.Row == apiserver.EmbeddedInMetadata:
			p.Refusef(s.KeyOf(EmbeddedKey), "%s is inside of metadata, where no resource can be embedded; remove %s", words.FieldName(s), EmbeddedKey)
		case r.Row == apiserver.EmbeddedOfOtherType:
			p.Refusef(s.At("type"), "%s is an embedded resource, which is an object; write type: object", words.FieldName(s))
		default:
			p.Refusef(s.KeyOf(EmbeddedKey), "%s is an embedded resource without fields; declare them or write %s: true", words.FieldName(s), PreserveKey)
		}
	}),
	Following([]string{"schema-root-type"}, inSchema("schema-root-forbidden-with-status",
		"keywords at the root that the status subresource does not allow",
		func(p *engine.Pass, r engine.Refusal, s *crd.Schema) {
			if r.Row == apiserver.StatusRootType {
				p.Refuse(s.At("type"), "with the status subresource the root of the schema must be an object; write type: object")
				return
			}
			forbidden := forbiddenAtRoot(p, r, s)
			at := s.Place
			if len(forbidden) > 0 {
				at = s.KeyOf(forbidden[0])
			}
			p.Refusef(at, "with the status subresource, the root may not have %s; move %s below spec, or write a CEL rule", text.Or(forbidden), text.Verb(len(forbidden), "it", "them"))
		})),
	refusal("schema-build-failed", "schemas that no validator can be built for", func(p *engine.Pass, r engine.Refusal) {
		p.Refusef(r.At, "the API server cannot build a validator for this schema (%s); correct it", text.Foreign(strings.TrimPrefix(r.Detail, "error building validator: ")))
	}),
}

// forbiddenAtRoot lists the keywords of the root that are not among those that the server's error names as allowed, as
// Go fields.
func forbiddenAtRoot(p *engine.Pass, r engine.Refusal, s *crd.Schema) []string {
	_, list, _ := strings.Cut(r.Detail, "[")
	list, _, _ = strings.Cut(list, "]")
	allowed := strings.Fields(list)
	names := map[string]string{} // by JSON name
	for f := range reflect.TypeFor[v1.JSONSchemaProps]().Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		names[name] = f.Name
	}
	var forbidden []string
	for _, e := range s.Entries() {
		field, known := names[e.Name]
		value := crd.Deref(e.Value)
		off, isBool := s.Bool(e.Name)
		pointer := e.Name == "additionalProperties" || e.Name == PreserveKey
		if !known || slices.Contains(allowed, field) || crd.IsNull(value) || isBool && !off && !pointer {
			continue
		}
		forbidden = append(forbidden, e.Name)
	}
	return forbidden
}
