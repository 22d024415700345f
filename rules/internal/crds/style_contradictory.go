package crds

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/ordered"
	"github.com/crdlift/crdlift/internal/origin"
	"github.com/crdlift/crdlift/internal/repair"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/yaml11"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/words"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// contradictions reports what the keywords of one schema say against each other.
func contradictions(p *engine.Pass, s *crd.Schema) {
	typ := s.Type()
	if !slices.ContainsFunc(crd.Deref(s.Node).Content, func(n *yaml.Node) bool { return yaml11.IsMerge(n) || mayContradict(n.Value, typ) }) {
		return // nearly all: no key does
	}
	types := typesOf(s)
	bounds(p, s, types)
	if len(types) == 0 {
		return
	}
	neverApplied(p, s, types)
	enumTypes(p, s, types)
}

// mayContradict reports whether a keyword is a bound, or for other types than the one that is written beside it.
func mayContradict(keyword, typ string) bool {
	switch keyword {
	case "items", "properties", "required", "pattern":
		return !slices.Contains(crd.KeywordTypes[keyword], typ)
	}
	return keyword == "enum" || crd.KeywordTypes[keyword] != nil
}

// typesOf are the types that a value of a schema can have: that of the schema outside of junctors when it stands inside.
// There are none when nothing is known about them.
func typesOf(s *crd.Schema) []string {
	outer := s.Outer()
	typ := s.Type() // in a junctor, where it is not structural, it counts for the branch
	if typ == "" && outer != nil {
		typ = outer.Type()
	}
	switch {
	case typ == "" && outer != nil && outer.Flag(intOrStringKey):
		return []string{"integer", "string"}
	case IsType(typ):
		return []string{typ}
	}
	return nil
}

// isFor reports whether a keyword is looked at for values of some types; none is any.
func isFor(keyword string, types []string) bool {
	return len(types) == 0 || slices.ContainsFunc(types, func(t string) bool { return slices.Contains(crd.KeywordTypes[keyword], t) })
}

// boundOfItems are the bounds of a list, by those of a text or a mapping: where the items have theirs, the list's are meant.
var boundOfItems = map[string]string{
	"minLength": "minItems", "maxLength": "maxItems", "minProperties": "minItems", "maxProperties": "maxItems",
}

// neverApplied reports the keywords that are for other types.
func neverApplied(p *engine.Pass, s *crd.Schema, types []string) {
	if s.Parent == nil && types[0] != "object" {
		return // it is the type that is wrong: schema-root-type
	}
	for _, e := range s.Entries() {
		applies := crd.KeywordTypes[e.Name]
		if applies == nil || crd.IsNull(e.Value) || isFor(e.Name, types) {
			continue
		}
		if on, isBool := s.Bool(e.Name); isBool && !on || isEmptyCollection(e.Value) {
			continue // says nothing
		}
		hint := ignoredHint(s, e.Name, types[0], applies)
		f := p.Reportf(s.KeyOf(e.Name), "%s of %s is ignored: it is for %s, and the type is %s; %s",
			e.Name, words.FieldName(s), strings.Join(applies, " and "), strings.Join(types, " or "), hint)
		f.Remedy = []lint.Change{origin.ToRemove(s.Path, e.Name)}
		if hint == moveToItems {
			f.Remedy = toItems(s, e.Name)
		}
	}
}

// moveToItems is the advice for what is said of a list and meant for its items.
const moveToItems = "move it to the items"

func toItems(s *crd.Schema, keyword string) []lint.Change {
	return []lint.Change{origin.ToRemove(s.Path, keyword), origin.ToSet(crd.Join(s.Path, "items"), keyword, s.Get(keyword))}
}

// ignoredHint says what to do about a keyword that is for other types than that of the schema.
func ignoredHint(s *crd.Schema, keyword, typ string, applies []string) string {
	items := s.Items()
	switch {
	case typ != "array" || applies[0] != "object" && (items == nil || !slices.Contains(applies, items.Type())):
		return "remove it"
	case boundOfItems[keyword] != "" && items != nil && items.Get(keyword) != nil:
		return "write " + boundOfItems[keyword] + ", if the list is meant"
	}
	return moveToItems
}

// enumTypes reports values of an enum that no value of the type equals. Null is none for any type: servers pass over it
// when they compare. Of a nullable field, schema-nullable-enum says so.
func enumTypes(p *engine.Pass, s *crd.Schema, types []string) {
	enum := s.Get("enum")
	if enum == nil {
		return
	}
	if items := s.Items(); types[0] == "array" && items != nil && !slices.ContainsFunc(enum.Content, func(n *yaml.Node) bool {
		return repair.TypeOfValue(crd.Deref(n)) != items.Type()
	}) {
		p.Reportf(s.KeyOf("enum"), "the enum of %s lists values of its items, which an array never equals; %s", words.FieldName(s), moveToItems).
			Remedy = toItems(s, "enum")
		return
	}
	for _, at := range s.At("enum").Items() {
		typ := repair.TypeOfValue(crd.Deref(at.Node))
		switch {
		case typ == "null":
			nullInEnum(p, s, at, types)
			continue
		case slices.Contains(types, typ), typ == "integer" && types[0] == "number",
			typ == "number" && slices.Contains(types, "integer") && isWhole(at.Node):
			continue
		}
		hint := "correct the value or the type"
		if types[0] == "string" && at.Node.Kind == yaml.ScalarNode {
			hint = "quote it"
		}
		value := crd.Deref(at.Node).Value
		if value == "" {
			value = "a value"
		}
		p.Reportf(at, "%s in the enum of %s is %s, which %s never equals; %s", text.Value(value), words.FieldName(s), words.Article(typ), words.Article(strings.Join(types, " or ")), hint)
	}
}

// nullInEnum reports a null that an enum lists. Inside of a junctor it is a way to say that a field must be left out.
func nullInEnum(p *engine.Pass, s *crd.Schema, at crd.Place, types []string) {
	if s.InJunctor() || s.Flag("nullable") {
		return
	}
	hint := "remove it"
	if types[0] == "string" {
		hint = "remove it, or quote it if the text is meant"
	}
	p.Reportf(at, "null in the enum of %s allows nothing: the enum rejects null even if nullable; %s", words.FieldName(s), hint)
}

func enumValues(p *engine.Pass, s *crd.Schema) {
	enum := s.Get("enum")
	if enum == nil || enum.Kind != yaml.SequenceNode {
		return
	}
	if len(enum.Content) == 0 {
		p.Reportf(s.At("enum"), "the enum of %s is empty and allows every value; list the values or remove it", words.FieldName(s))
		return
	}
	seen := map[string]bool{}
	var once []*yaml.Node
	var twice []*engine.Finding
	for _, at := range s.At("enum").Items() {
		raw, err := yaml11.ToJSON(crd.Deref(at.Node))
		if err != nil {
			return
		}
		if value := string(raw); seen[value] {
			twice = append(twice, p.Reportf(at, "%s is in the enum of %s twice; remove it, or correct it if another value was meant", text.Value(value), words.FieldName(s)))
		} else {
			seen[value] = true
			once = append(once, at.Node)
		}
	}
	for _, f := range twice {
		f.Remedy = []lint.Change{origin.ToSet(s.Path, "enum", &yaml.Node{Kind: yaml.SequenceNode, Content: once})}
	}
}

func numberAt(s *crd.Schema, keyword string) (float64, bool) {
	n := s.Get(keyword)
	if n == nil || n.Kind != yaml.ScalarNode {
		return 0, false
	}
	return numeric(n)
}

func numeric(n *yaml.Node) (float64, bool) {
	kind, v := yaml11.Resolve(n)
	if kind != yaml11.Int && kind != yaml11.Float {
		return 0, false
	}
	f, err := strconv.ParseFloat(fmt.Sprint(v), 64)
	return f, err == nil
}

// isWhole reports whether a number is an integer that is written with a fraction or an exponent.
func isWhole(n *yaml.Node) bool {
	f, ok := numeric(crd.Deref(n))
	return ok && f == float64(int64(f))
}

func valueAt(s *crd.Schema, keyword string) text.Text { return text.Value(s.Get(keyword).Value) }

// nullableEnums reports those of one name and enum together: a generator writes a type wherever it is used.
func nullableEnums(p *engine.Pass) {
	for _, root := range roots(p) {
		var all []*crd.Schema
		for s := range root.All() {
			if s.Flag("nullable") && !s.InJunctor() && len(crd.Items(s.Get("enum"))) > 0 {
				all = append(all, s)
			}
		}
		for _, same := range ordered.Grouped(all, func(s *crd.Schema) string {
			return s.Name + ": " + strings.Join(Mapped(crd.Items(s.Get("enum")), func(n *yaml.Node) string { return n.Value }), ", ")
		}) {
			engine.Together(Mapped(same, func(s *crd.Schema) *engine.Finding { return nullableWithEnum(p, s) }))
		}
	}
}

// nullableWithEnum reports a schema that says of null that it is valid, and that it is not. The validator of kube-openapi
// looks at an enum whatever the value is, and compares no value with a null that the enum lists: see
// basicCommonValidator.Validate.
func nullableWithEnum(p *engine.Pass, s *crd.Schema) *engine.Finding {
	enum := crd.Items(s.Get("enum"))
	if !dropsNull(p, s) || !slices.ContainsFunc(enum, func(n *yaml.Node) bool { return !crd.IsNull(n) }) {
		return p.Reportf(s.KeyOf("nullable"), "%s is nullable, but its enum rejects null even if listed; replace the enum with a validation rule", words.FieldName(s))
	}
	f := p.Reportf(s.KeyOf("nullable"), "%s is nullable, but its enum rejects null even if listed; remove nullable, so null counts as absent", words.FieldName(s))
	f.Fix = editing("remove nullable", false, []string{s.Path}, func(s *crd.Schema) bool {
		enum := crd.Deref(s.Get("enum"))
		enum.Content = slices.DeleteFunc(enum.Content, crd.IsNull)
		return len(layout.Remove(s.Node, "nullable")) > 0
	})
	return f
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
