package rules

import (
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/repair"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

const (
	preserveKey    = "x-kubernetes-preserve-unknown-fields"
	intOrStringKey = "x-kubernetes-int-or-string"
	embeddedKey    = "x-kubernetes-embedded-resource"
)

// typeRules are about what kind of value a schema describes.
var typeRules = []*engine.Rule{
	{
		ID:       "schema-type-invalid",
		Summary:  "types that do not exist",
		Severity: lint.Error,
		Doc: `A type is one of ` + "`array`, `boolean`, `integer`, `number`, `object` and `string`" + `. The v1beta1 server let other words through
(but ` + "`null`" + `), and then refused every value of the field; v1 refuses the manifest.

**What to do**: write the type that the values have; the fix does where only one can be meant. A value that may be null has its type and ` + "`nullable: true`" + `. One that
may be anything has ` + "`x-kubernetes-preserve-unknown-fields: true`" + ` and no type.

**When to ignore it**: never; the manifest cannot be applied.

**Source**: specStandardValidatorV3.validate of k8s.io/apiextensions-apiserver.`,
		Run: enforced(func(p *engine.Pass, r engine.Refusal) {
			typ, _ := r.BadValue.(string)
			if typ == "null" {
				return // told by the error that forbids it, which comes along
			}
			s, _ := schemaOf(p, r)
			switch meant := repair.SuggestType(typ); {
			case r.Row == "E120":
				p.Refusef(r.At, "%s has type: null, which is not supported; write the type of its other values and nullable: true", fieldName(s))
			case meant != "":
				p.Refusef(r.At, "%s has the type %s, which does not exist; write type: %s", fieldName(s), quoted(typ), meant).
					Fix = respellingType(p, r, s, meant)
			default:
				f := p.Refusef(r.At, "%s has type %s; types are array, boolean, integer, number, object, string", fieldName(s), text.Misspelt(typ, typeNames))
				if near := text.Nearest(typ, typeNames); len(near) == 1 {
					f.Fix = respellingType(p, r, s, near[0])
				}
			}
		}),
	},
	{
		ID:       "schema-items-missing",
		Summary:  "arrays that do not describe their items",
		Severity: lint.Error,
		Doc: `A structural schema describes every value. An array without ` + "`items`" + ` does not say what is in it.

**What to do**: describe the items. To take anything, write ` + "`items: {x-kubernetes-preserve-unknown-fields: true}`" + `; that is what
the fix does.

**When to ignore it**: never; the manifest cannot be applied.

**Source**: validateStructuralInvariants of k8s.io/apiextensions-apiserver/pkg/apiserver/schema;
https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema.`,
		Run: enforced(func(p *engine.Pass, r engine.Refusal) {
			s, _ := holderOf(p, r)
			f := p.Refusef(s.Place, "%s is an array: describe its items, or write items: {%s: true}", fieldName(s), preserveKey)
			f.Fix = unsafe(repairing(p, "let the items be anything", copies(p, r, s.Path), (*repair.Single).MissingItems))
		}),
	},
	{
		ID:       "schema-root-type",
		Summary:  "roots of schemas that are not objects",
		Severity: lint.Error,
		Follows:  []string{"schema-type-invalid"},
		Doc: `A custom resource is always an object, and a structural schema says so.

**What to do**: write ` + "`type: object`" + ` at the root.

**When to ignore it**: never; the manifest cannot be applied.

**Source**: validateStructuralInvariants of k8s.io/apiextensions-apiserver/pkg/apiserver/schema.`,
		Run: enforced(func(p *engine.Pass, r engine.Refusal) {
			s, _ := schemaOf(p, r)
			object := func(s *crd.Schema) bool {
				if s.Type() == "object" {
					return false
				}
				repair.Set(s.Node, "type", repair.String("object"))
				return true
			}
			if r.Row == "E157" {
				p.Refuse(s.Place, "the root of the schema has no type; write type: object").
					Fix = editing("write type: object", true, copies(p, r, s.Path), object)
				return
			}
			p.Refusef(r.At, "the root of the schema has type %s, but a custom resource is an object; write type: object", quoted(s.Type())).
				Fix = editing("write type: object", false, copies(p, r, s.Path), object)
		}),
	},
	{
		ID:       "schema-type-missing",
		Summary:  "schemas without a type",
		Severity: lint.Error,
		Doc: `In a structural schema every field, map value and list item has a type, so that the server knows what to prune and what
to default. Types inside ` + "`allOf`, `anyOf`, `oneOf` and `not`" + ` do not count.

**What to do**: write the type. A field that is an integer or a string has ` + "`x-kubernetes-int-or-string: true`" + ` instead, one
that may be anything ` + "`x-kubernetes-preserve-unknown-fields: true`" + `. The fix writes the type that the other keywords imply
(` + "`properties`" + ` an object, ` + "`pattern`" + ` a string and so on), and keeps anything where they imply none.

**When to ignore it**: never; the manifest cannot be applied.

**Source**: validateStructuralInvariants of k8s.io/apiextensions-apiserver/pkg/apiserver/schema;
https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema.`,
		Run: enforced(func(p *engine.Pass, r engine.Refusal) {
			if s, _ := schemaOf(p, r); refusedAt(p, "schema-type-meta", r.Field) || repair.IsIntOrString(s.Node) {
				return // those rules tell it
			}
			missingType(p, r)
		}),
	},
	{
		ID:       "schema-type-meta",
		Summary:  "other types than string for apiVersion and kind, and than object for metadata",
		Severity: lint.Error,
		Doc: `The fields that every object has have the same types everywhere, at the root and in embedded resources.

**What to do**: write ` + "`type: string`" + ` for ` + "`apiVersion` and `kind`, and `type: object` for `metadata`" + `, or leave the three out: at the
root they are implied.

**When to ignore it**: never; the manifest cannot be applied.

**Source**: validateStructuralInvariants and validateStructuralMetadataInvariants of
k8s.io/apiextensions-apiserver/pkg/apiserver/schema.`,
		Run: enforced(func(p *engine.Pass, r engine.Refusal) {
			s, _ := schemaOf(p, r)
			want := "string"
			if r.Row == "E162" {
				want = "object"
			}
			f := p.Refusef(s.At("type"), "%s is always %s; write type: %s", fieldName(s), article(want), want)
			f.Fix = repairing(p, "write type: "+want, copies(p, r, s.Path), (*repair.Single).TypeMeta)
		}),
	},
	{
		ID:       "schema-int-or-string-missing",
		Summary:  "integers or strings that are not marked as such",
		Severity: lint.Error,
		Doc: `A value that is an integer or a string, such as a port by number or by name, has no single type. Structural schemas know
it by ` + "`x-kubernetes-int-or-string: true`" + `. Without the mark the API server only says that the type is missing, and that types
are not allowed inside ` + "`anyOf`" + `.

**What to do**: add ` + "`x-kubernetes-int-or-string: true`" + `. Beside it the server allows
` + "`anyOf: [{type: integer}, {type: string}]`" + `, in this order and not as ` + "`oneOf`" + `.

**When to ignore it**: never; the manifest cannot be applied. Of v1beta1 manifests only those are reported whose schema must be
structural; a conversion adds the mark.

**Source**: isIntOrStringAnyOfPattern of k8s.io/apiextensions-apiserver/pkg/apiserver/schema;
https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#intorstring.`,
		Run: intOrStringMissing,
	},
	{
		ID:       "schema-int-or-string-conflict",
		Summary:  "integers or strings that are marked as objects, too",
		Severity: lint.Error,
		Doc: `A value with ` + "`x-kubernetes-int-or-string: true`" + ` is a scalar: it has no fields to keep, and it is no resource.

**What to do**: remove ` + "`x-kubernetes-int-or-string`" + `, or the other mark.

**When to ignore it**: never; the manifest cannot be applied.

**Source**: validateExtensions of k8s.io/apiextensions-apiserver/pkg/apiserver/schema.`,
		Run: enforced(func(p *engine.Pass, r engine.Refusal) {
			s, keyword := holderOf(p, r)
			p.Refusef(s.KeyOf(keyword), "%s has both %s and %s; remove one", fieldName(s), intOrStringKey, keyword)
		}),
	},
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
		repair.Set(s.Node, "type", repair.String(meant))
		return true
	})
}

// missingType reports a schema without type, with the type that would do.
func missingType(p *engine.Pass, r engine.Refusal) {
	s, _ := schemaOf(p, r)
	name := fieldName(s)
	if s.Via == "items" && s.Parent != nil {
		name = text.Sprintf("an item of %s", fieldName(s.Parent))
	}
	paths := copies(p, r, s.Path)
	implied := ""
	if single := repair.At(p.CRD, s.Path, repair.Policy{}); single != nil {
		implied = single.Implied()
	}
	var f *engine.Finding
	if implied != "" {
		f = p.Refusef(s.Place, "%s has no type; its keywords are those of %s: write type: %s", name, article(implied), implied)
	} else {
		f = p.Refusef(s.Place, "%s has no type; write one, or keep anything with %s: true", name, preserveKey)
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
			p.Refusef(s.Place, "%s is an integer or a string, which %s: true has to say", fieldName(s), intOrStringKey).
				Fix = writing(repairing(p, "write "+intOrStringKey+": true", copies(p, r, s.Path), (*repair.Single).IntOrString), intOrStringKey)
		}
	}
}

// unsafe marks a fix as one that has to be asked for.
func unsafe(f *engine.Fix) *engine.Fix {
	if f != nil {
		f.Safe = false
	}
	return f
}

// article puts the indefinite article in front of a type.
func article(typ string) string {
	if strings.ContainsRune("aeiou", rune(typ[0])) {
		return "an " + typ
	}
	return "a " + typ
}
