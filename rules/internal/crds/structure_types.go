package crds

import (
	"strings"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/repair"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/words"
)

// typeRules are about what kind of value a schema describes.
var typeRules = []*engine.Rule{
	refusal("schema-type-invalid", "types that do not exist", func(p *engine.Pass, r engine.Refusal) {
		typ, _ := r.BadValue.(string)
		if typ == "null" {
			return // told by the error that forbids it, which comes along
		}
		s, _ := schemaOf(p, r)
		switch meant := repair.SuggestType(typ); {
		case r.Row == apiserver.TypeNull:
			p.Refusef(r.At, "%s has type: null, which is not supported; write the type of its other values and nullable: true", words.FieldName(s))
		case meant != "":
			p.Refusef(r.At, "%s has the type %s, which does not exist; write type: %s", words.FieldName(s), text.Quoted(typ), meant).
				Fix = respellingType(p, r, s, meant)
		default:
			hint := strings.TrimPrefix(text.Misspelt(typ, typeNames), text.Quoted(typ).Brief())
			f := p.Refusef(r.At, "%s has type %s%s; types are array, boolean, integer, number, object, string", words.FieldName(s), text.Quoted(typ), hint)
			if near := text.Nearest(typ, typeNames); len(near) == 1 {
				f.Fix = respellingType(p, r, s, near[0])
			}
		}
	}),
	refusal("schema-items-missing", "arrays that do not describe their items", func(p *engine.Pass, r engine.Refusal) {
		s, _ := holderOf(p, r)
		f := p.Refusef(s.Place, "%s is an array: describe its items, or write items: {%s: true}", words.FieldName(s), PreserveKey)
		f.Fix = unsafe(repairing(p, "let the items be anything", copies(p, r, s.Path), (*repair.Single).MissingItems))
	}),
	{
		ID:       "schema-root-type",
		Summary:  "roots of schemas that are not objects",
		Severity: lint.Error,
		Follows:  []string{"schema-type-invalid"},
		Run: enforced(func(p *engine.Pass, r engine.Refusal) {
			s, _ := schemaOf(p, r)
			object := func(s *crd.Schema) bool {
				if s.Type() == "object" {
					return false
				}
				layout.Set(s.Node, "type", layout.String("object"))
				return true
			}
			if r.Row == apiserver.RootTypeMissing {
				p.Refuse(s.Place, "the root of the schema has no type; write type: object").
					Fix = editing("write type: object", true, copies(p, r, s.Path), object)
				return
			}
			p.Refusef(r.At, "the root of the schema has type %s, but a custom resource is an object; write type: object", text.Quoted(s.Type())).
				Fix = editing("write type: object", false, copies(p, r, s.Path), object)
		}),
	},
	refusal("schema-type-missing", "schemas without a type", func(p *engine.Pass, r engine.Refusal) {
		if s, _ := schemaOf(p, r); refusedAt(p, "schema-type-meta", r.Field) || repair.IsIntOrString(s.Node) {
			return // those rules tell it
		}
		missingType(p, r)
	}),
	refusal("schema-type-meta", "other types than string for apiVersion and kind, and than object for metadata",
		func(p *engine.Pass, r engine.Refusal) {
			s, _ := schemaOf(p, r)
			want := "string"
			if r.Row == apiserver.MetadataNotObject {
				want = "object"
			}
			f := p.Refusef(s.At("type"), "%s is always %s; write type: %s", words.FieldName(s), words.Article(want), want)
			f.Fix = repairing(p, "write type: "+want, copies(p, r, s.Path), (*repair.Single).TypeMeta)
		}),
	{
		ID:       "schema-int-or-string-missing",
		Summary:  "integers or strings that are not marked as such",
		Severity: lint.Error,
		Run:      intOrStringMissing,
	},
	refusal("schema-int-or-string-conflict", "integers or strings that are marked as objects, too", func(p *engine.Pass, r engine.Refusal) {
		s, keyword := holderOf(p, r)
		p.Refusef(s.KeyOf(keyword), "%s has both %s and %s; remove one", words.FieldName(s), intOrStringKey, keyword)
	}),
}

// respellingType is a fix of a type that does not exist: a safe one where only the letter case is wrong.
func respellingType(p *engine.Pass, r engine.Refusal, s *crd.Schema, meant string) *engine.Fix {
	if fix := respellingKeyword(p, r, s, "type", meant); fix != nil || !r.Complete {
		return fix
	}
	return editing("set type to "+meant, false, copies(p, r, s.Path), func(s *crd.Schema) bool {
		if s.Type() == meant {
			return false
		}
		layout.Set(s.Node, "type", layout.String(meant))
		return true
	})
}

// missingType reports a schema without type, with the type that would do.
func missingType(p *engine.Pass, r engine.Refusal) {
	s, _ := schemaOf(p, r)
	name := words.FieldName(s)
	if s.Via == "items" && s.Parent != nil {
		name = text.Sprintf("an item of %s", words.FieldName(s.Parent))
	}
	paths := copies(p, r, s.Path)
	implied := ""
	if single := repair.At(p.CRD, s.Path, repair.Policy{}); single != nil {
		implied = single.Implied()
	}
	var f *engine.Finding
	if implied != "" {
		f = p.Refusef(s.Place, "%s has no type; its keywords are those of %s: write type: %s", name, words.Article(implied), implied)
	} else {
		f = p.Refusef(s.Place, "%s has no type; write one, or keep anything with %s: true", name, PreserveKey)
	}
	title := "write type: " + implied
	if implied == "" {
		title = "keep whatever it is"
	}
	f.Fix = unsafe(repairing(p, title, paths, (*repair.Single).MissingType))
}

// intOrStringMissing says what the server means: it only says that types are missing.
func intOrStringMissing(p *engine.Pass) {
	for _, r := range p.RefusalsOf("schema-type-missing") {
		if s, _ := schemaOf(p, r); repair.IsIntOrString(s.Node) && !refusedAt(p, "schema-type-meta", r.Field) {
			p.Refusef(s.Place, "%s is an integer or a string, which %s: true has to say", words.FieldName(s), intOrStringKey).
				Fix = repairing(p, "write "+intOrStringKey+": true", copies(p, r, s.Path), (*repair.Single).IntOrString)
		}
	}
}
