package crds

import (
	"cmp"
	"strings"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/repair"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/words"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// typeRules are about what kind of value a schema describes.
var typeRules = []*engine.Rule{
	refusal("schema-type-invalid", "types that do not exist", func(p *engine.Pass, r engine.Refusal) {
		typ, _ := r.BadValue.(string)
		if typ == "null" {
			return // told by the error that forbids it, which comes along
		}
		s, _ := p.CRD.LocateSchema(r.Field)
		switch meant := repair.SuggestType(typ); {
		case r.Row == apiserver.TypeNull:
			p.Refusef(r.At, "%s has type: null, which is not supported; write the type of its other values and nullable: true", words.FieldName(s))
		case meant != "":
			p.Refusef(r.At, "%s has the type %s, which does not exist; write type: %s", words.FieldName(s), text.Quoted(typ), meant).
				Fix = respellingType(p, r, s, meant)
		default:
			hint := strings.TrimPrefix(text.Misspelt(typ, typeNames), text.Quoted(typ).Brief())
			f := p.Refusef(r.At, "%s has the unknown type %s%s; write array, boolean, integer, number, object or string", words.FieldName(s), text.Quoted(typ), hint)
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
	Following([]string{"schema-type-invalid"}, inSchema("schema-root-type", "roots of schemas that are not objects",
		func(p *engine.Pass, r engine.Refusal, s *crd.Schema) {
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
		})),
	refusal("schema-type-missing", "schemas without a type", func(p *engine.Pass, r engine.Refusal) {
		if s, _ := p.CRD.LocateSchema(r.Field); refusedAt(p, "schema-type-meta", r.Field) || repair.IsIntOrString(s.Node) {
			return // those rules tell it
		}
		missingType(p, r)
	}),
	inSchema("schema-type-meta", "other types than string for apiVersion and kind, and than object for metadata",
		func(p *engine.Pass, r engine.Refusal, s *crd.Schema) {
			want := "string"
			if r.Row == apiserver.MetadataNotObject {
				want = "object"
			}
			f := p.Refusef(s.At("type"), "%s is always %s; write type: %s", words.FieldName(s), words.Article(want), want)
			f.Fix = repairing(p, "write type: "+want, copies(p, r, s.Path), (*repair.Single).TypeMeta)
		}),
	Check(lint.Error, "schema-int-or-string-missing", "integers or strings that are not marked as such", intOrStringMissing),
	refusal("schema-int-or-string-conflict", "integers or strings that are marked as objects, too", func(p *engine.Pass, r engine.Refusal) {
		s, keyword := holderOf(p, r)
		p.Refusef(s.KeyOf(keyword), "%s has both %s and %s; remove the latter, unless the field is an object", words.FieldName(s), intOrStringKey, keyword)
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
	s, _ := p.CRD.LocateSchema(r.Field)
	name := words.FieldName(s)
	if s.Via == "items" && s.Parent != nil {
		name = text.Sprintf("an item of %s", words.FieldName(s.Parent))
	}
	paths := copies(p, r, s.Path)
	junctor, typ := "", ""
	if single := repair.At(p.CRD, s.Path, repair.Policy{}); single != nil {
		if junctor, typ = single.Shared(); typ == "" {
			typ = single.Implied()
		}
	}
	var f *engine.Finding
	switch {
	case junctor != "":
		f = p.Refusef(s.Place, "%s has no type, but its %s accepts only %s; write type: %s", name, junctor, words.Article(typ), typ)
	case typ != "":
		f = p.Refusef(s.Place, "%s has no type, but its keywords are for %s; write type: %s", name, words.Article(typ), typ)
	default:
		f = p.Refusef(s.Place, "%s has no type; write one, or keep anything with %s: true", name, PreserveKey)
	}
	title := "write type: " + typ
	if typ == "" {
		title = "keep any value"
	}
	f.Fix = unsafe(repairing(p, title, paths, (*repair.Single).MissingType))
}

// intOrStringMissing says what the server means: it only says that types are missing.
func intOrStringMissing(p *engine.Pass) {
	for _, r := range p.RefusalsOf("schema-type-missing") {
		if s, _ := p.CRD.LocateSchema(r.Field); repair.IsIntOrString(s.Node) && !refusedAt(p, "schema-type-meta", r.Field) {
			p.Refusef(s.Place, "%s is an integer or a string; mark it with %s: true", words.FieldName(s), intOrStringKey).
				Fix = repairing(p, "write "+intOrStringKey+": true", copies(p, r, s.Path), (*repair.Single).IntOrString)
		}
	}
}

// junctorRules are about schemas inside allOf, anyOf, oneOf and not.
var junctorRules = []*engine.Rule{
	refusal("schema-junctor-forbidden-field", "types, descriptions, defaults and marks inside allOf, anyOf, oneOf and not",
		func(p *engine.Pass, r engine.Refusal) {
			s, keyword := holderOf(p, r)
			junctor, outer := junctorOf(s)
			if r.Row == apiserver.JunctorType && s.Parent == outer && (repair.IsIntOrString(outer.Node) || intOrNoType(p, outer)) {
				return // schema-int-or-string-missing tells it, or schema-type-invalid
			}
			f := p.Refusef(s.KeyOf(keyword), "%s is not allowed inside %s (%s); %s", keyword, junctor, words.FieldName(s),
				cmp.Or(junctorHints[keyword], "move it to the field itself"))
			f.Fix = junctorFix(p, s.Path, keyword, copies(p, r, outer.Path), outer)
		}),
	refusal("schema-junctor-incomplete", "fields that are described only inside allOf, anyOf, oneOf or not",
		func(p *engine.Pass, r engine.Refusal) {
			if alike(p, r) > 1 {
				return // another branch speaks of it, too
			}
			if strings.HasSuffix(r.Field, ".properties[metadata]") && len(p.RefusalsOf("schema-junctor-metadata")) > 0 {
				return
			}
			incomplete(p, r)
		}),
	inSchema("schema-junctor-metadata", "a field metadata inside allOf, anyOf, oneOf or not", func(p *engine.Pass, r engine.Refusal, s *crd.Schema) {
		junctor, _ := junctorOf(s)
		p.Refusef(s.Place, "%s is not allowed inside %s; remove it, and restrict metadata.name at the root or in a CEL rule", words.FieldName(s), junctor)
	}),
}

// intOrNoType reports whether a schema is told to be an integer or a string, by alternatives of which one has a type that
// does not exist: beside the mark, types are allowed in those alone that it stands for.
func intOrNoType(p *engine.Pass, s *crd.Schema) bool {
	if s.Get("anyOf") == nil || !s.Flag(intOrStringKey) {
		return false
	}
	for branch := range s.All() {
		if branch.Parent == s && branch.Via == "anyOf" && ofNoType(p, branch) {
			return true
		}
	}
	return false
}

// junctorOf is the outermost junctor around a schema, and the schema that has it: the one outside of all.
func junctorOf(s *crd.Schema) (junctor string, outer *crd.Schema) {
	outer = s
	for ; s != nil && s.Parent != nil; s = s.Parent {
		if s.InJunctor() && !s.Parent.InJunctor() {
			junctor, outer = s.Via, s.Parent
		}
	}
	return junctor, outer
}

// junctorHints say what to do with a keyword inside of a junctor; others are moved out where the field is declared.
var junctorHints = map[string]string{
	"description": "remove it or move it to the field itself", "title": "remove it or move it to the field itself",
	"default": "it has no effect here, move it to the field itself",
	"type":    outsideHint, "nullable": outsideHint, "additionalProperties": outsideHint,
	"x-kubernetes-validations": "move the rule to the field itself",
}

const outsideHint = "declare it on the field itself"

// junctorFix repairs the junctors of the schema outside, if that takes the keyword out: safely where the result accepts
// what was accepted, else by accepting more.
func junctorFix(p *engine.Pass, path, keyword string, paths []string, outer *crd.Schema) *engine.Fix {
	for _, wanted := range []repair.Policy{{Pruned: prunes(p), KeepUnknown: true}, {Pruned: prunes(p), KeepUnknown: true, Loosen: true}} {
		tried := tryJunctors(p, outer.Path, wanted)
		if tried.schema == nil {
			return nil
		}
		class := tried.class
		left := crd.Get(tried.schema, append(crd.Steps(strings.TrimPrefix(strings.TrimPrefix(path, outer.Path), ".")), keyword)...)
		if class == "" || left != nil {
			continue
		}
		title := "remove keywords that have no effect"
		if class == policy.Changes {
			title = "accept more values: drop conditions that a structural schema cannot express"
		}
		return repaired(title, class, paths, wanted, (*repair.Single).Junctors)
	}
	return nil
}

// A junctorTrial is a copy of a schema whose junctors were repaired; without a schema there is none at the path.
type junctorTrial struct {
	schema *yaml.Node
	class  policy.Class
}

// tryJunctors makes the repair once for all the findings inside a schema, which may be thousands.
func tryJunctors(p *engine.Pass, path string, policy repair.Policy) junctorTrial {
	type key struct {
		path   string
		policy repair.Policy
	}
	return engine.Memo(p, key{path, policy}, func() junctorTrial {
		single := repair.At(p.CRD, path, policy)
		if single == nil {
			return junctorTrial{}
		}
		single = single.Copy()
		class := single.Junctors()
		return junctorTrial{single.Node(), class}
	})
}

// definedIn reads where upstream found the description inside.
var definedIn = text.Pattern(`^because it is defined in (.*)$`)

// incomplete reports what only a junctor describes, at the junctor.
func incomplete(p *engine.Pass, r engine.Refusal) {
	outer, rest := p.CRD.LocateSchema(r.Field)
	name, property := outer.FieldPath()+"[*]", ""
	if len(rest) > 1 {
		property = rest[1]
		name = crd.Join(outer.FieldPath(), property)
	}
	at, junctor := r.At, "a junctor"
	if m := definedIn().FindStringSubmatch(r.Detail); m != nil {
		if inside, rest := p.CRD.LocateSchema(m[1]); inside != nil && len(rest) == 0 {
			at = inside.Place
			junctor, _ = junctorOf(inside)
		}
	}
	keyword := "properties"
	if property == "" {
		keyword = "items"
	}
	f := p.Refusef(at, "%s is described inside %s only; declare it in the %s of %s as well", text.Path(name), junctor, keyword, words.FieldName(outer))
	f.Fix = unsafe(repairing(p, "declare it outside as well, of any type", copies(p, r, outer.Path), func(s *repair.Single) policy.Class {
		return s.Declare(property)
	}))
}
