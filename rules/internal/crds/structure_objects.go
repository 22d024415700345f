package crds

import (
	"reflect"
	"slices"
	"strings"

	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/repair"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/words"
)

// objectRules are about the root, its metadata, and resources inside of resources.
var objectRules = []*engine.Rule{
	refusal("schema-additional-properties-root", "additionalProperties at the root or on an embedded resource",
		func(p *engine.Pass, r engine.Refusal) {
			s, _ := holderOf(p, r)
			hint := "describe the fields with properties"
			if always, _ := crd.BoolAt(s.Node, "additionalProperties"); always {
				hint = "use " + PreserveKey
			}
			p.Refusef(s.KeyOf("additionalProperties"), "additionalProperties of %s would apply to apiVersion, kind and metadata; %s", words.FieldName(s), hint)
		}),
	refusal("schema-metadata-restricted", "descriptions of the root's metadata beyond name and generateName",
		func(p *engine.Pass, r engine.Refusal) {
			s, _ := schemaOf(p, r)
			var extra []string
			for _, e := range crd.Entries(s.Node) {
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
			f := p.Refusef(s.Place, "only name and generateName of metadata can be described; remove %s", text.Names(extra))
			f.Fix = repairingBy(p, repair.Policy{Pruned: prunes(p), Loosen: true}, "remove all but name and generateName",
				copies(p, r, s.Path), (*repair.Single).Metadata)
		}),
	refusal("schema-embedded-resource", "embedded resources that cannot be one", func(p *engine.Pass, r engine.Refusal) {
		s, _ := schemaOf(p, r)
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
	{
		ID:       "schema-root-forbidden-with-status",
		Follows:  []string{"schema-root-type"},
		Summary:  "keywords at the root that the status subresource does not allow",
		Severity: lint.Error,
		Run: enforced(func(p *engine.Pass, r engine.Refusal) {
			s, _ := schemaOf(p, r)
			if r.Row == apiserver.StatusRootType {
				p.Refuse(s.At("type"), "with the status subresource the root of the schema must be an object; write type: object")
				return
			}
			forbidden := forbiddenAtRoot(p, r, s)
			at := s.Place
			if len(forbidden) > 0 {
				at = s.KeyOf(forbidden[0])
			}
			p.Refusef(at, "with the status subresource the root may not have %s; write it below spec or in a CEL rule", text.Names(forbidden))
		}),
	},
	refusal("schema-build-failed", "schemas that no validator can be built for", func(p *engine.Pass, r engine.Refusal) {
		p.Refusef(r.At, "no validator can be built for this schema: %s", text.Foreign(strings.TrimPrefix(r.Detail, "error building validator: ")))
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
	for _, e := range crd.Entries(s.Node) {
		field, known := names[e.Name]
		value := crd.Deref(e.Value)
		off, isBool := crd.BoolAt(s.Node, e.Name)
		pointer := e.Name == "additionalProperties" || e.Name == PreserveKey
		if !known || slices.Contains(allowed, field) || crd.IsNull(value) || isBool && !off && !pointer {
			continue
		}
		forbidden = append(forbidden, e.Name)
	}
	return forbidden
}
