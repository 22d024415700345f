package repair

import (
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/yaml11"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// implied is the type that a node's keywords speak about, "" when they speak about none or several. Values of other
// types are accepted by a node without a type.
func (n node) implied() string {
	found := map[string]bool{}
	for key, typ := range map[string]string{
		"properties": "object", "required": "object", "additionalProperties": "object", "minProperties": "object",
		"maxProperties": "object", "items": "array", "minItems": "array", "maxItems": "array", "uniqueItems": "array",
		"pattern": "string", "minLength": "string", "maxLength": "string",
		"minimum": "number", "maximum": "number", "multipleOf": "number",
	} {
		if n.has(key) {
			found[typ] = true
		}
	}
	switch n.text("format") {
	case "int32", "int64":
		found["integer"] = true
	case "float", "double":
		found["number"] = true
	case "date-time", "date", "byte", "uri", "hostname", "ipv4", "ipv6", "cidr", "uuid", "email", "password":
		found["string"] = true
	}
	if values := n.get("enum"); values != nil {
		for _, v := range values.Content {
			found[TypeOfValue(crd.Deref(v))] = true
		}
	}
	if found["integer"] && found["number"] {
		delete(found, "number")
		if n.text("format") == "" {
			return "number"
		}
	}
	if len(found) != 1 {
		return ""
	}
	for typ := range found {
		return typ
	}
	return ""
}

// TypeOfValue is the schema type of a value as the server reads it; "null" for null, which has none.
func TypeOfValue(v *yaml.Node) string {
	switch v.Kind {
	case yaml.MappingNode:
		return "object"
	case yaml.SequenceNode:
		return "array"
	}
	kind, _ := yaml11.Resolve(v)
	switch kind {
	case yaml11.Bool:
		return "boolean"
	case yaml11.Int:
		return "integer"
	case yaml11.Float:
		return "number"
	case yaml11.String:
		return "string"
	}
	return "null"
}

// validTypes are those a schema may name.
var validTypes = []string{"array", "boolean", "integer", "number", "object", "string"}

// genericArray is the type of an array with that of its items, as programming languages write it.
var genericArray = text.Pattern(`^(array|list)[\[<(].+[\])>]$`)

// SuggestType guesses the type that was meant by an unknown one.
func SuggestType(typ string) string {
	switch strings.ToLower(typ) {
	case "int", "int32", "int64", "uint", "long":
		return "integer"
	case "float", "float64", "double", "decimal":
		return "number"
	case "bool":
		return "boolean"
	case "str", "text", "date", "date-time", "datetime", "time", "duration", "enum", "ip", "uri":
		return "string"
	case "map", "struct", "dict", "hash":
		return "object"
	case "list", "slice", "tuple":
		return "array"
	}
	switch lower := strings.ToLower(typ); {
	case slices.Contains(validTypes, lower):
		return lower
	case strings.HasPrefix(lower, "[]"), strings.HasSuffix(lower, "[]"), genericArray().MatchString(lower):
		return "array"
	case strings.HasPrefix(lower, "map["), strings.HasPrefix(lower, "map<"):
		return "object"
	}
	return ""
}

// SuggestStrategy guesses which conversion strategy was meant by another word: the API's design documents called
// Webhook external, and None nop.
func SuggestStrategy(strategy string) string {
	switch strings.ToLower(strategy) {
	case "external", "webhook", "webhooks":
		return "Webhook"
	case "nop", "none", "no-op", "noop":
		return "None"
	}
	return ""
}

// A typeSet is a set of kinds of values.
type typeSet uint8

const (
	arrays typeSet = 1 << iota
	booleans
	fractions // numbers that are not integers
	integers
	objects
	texts
	everything typeSet = 1<<iota - 1
)

// typeSets are the values of each type.
var typeSets = map[string]typeSet{
	"array": arrays, "boolean": booleans, "integer": integers, "number": integers | fractions, "object": objects, "string": texts,
}

// single is the type whose values these are; "" when there is none.
func (set typeSet) single() string {
	for _, typ := range validTypes {
		if typeSets[typ] == set {
			return typ
		}
	}
	return ""
}

// within reports whether all are of one type.
func (set typeSet) within(typ string) bool { return set&^typeSets[typ] == 0 }

// branchesOf are the schemas in a junctor of a schema: those of allOf, anyOf and oneOf.
func branchesOf(n *yaml.Node, key string) []*yaml.Node {
	j := crd.Get(n, key)
	if j == nil || j.Kind != yaml.SequenceNode {
		return nil
	}
	return j.Content
}

// accepts returns the kinds of values that a schema accepts, according to the types in it and in its junctors. Null,
// which has no type, is not considered.
func accepts(n *yaml.Node) typeSet {
	taken := everything
	if values := crd.Items(crd.Get(n, "enum")); len(values) > 0 && !slices.ContainsFunc(values, func(v *yaml.Node) bool { return !crd.IsNull(crd.Deref(v)) }) {
		return 0 // nothing but null: how kube-rs writes that a field may be left out
	}
	if typ, known := typeSets[crd.StringAt(n, "type")]; known {
		taken = typ
	}
	for _, key := range junctorKeys {
		taken &= junctorAccepts(n, key)
	}
	return taken
}

// junctorAccepts is accepts for one junctor of a schema alone.
func junctorAccepts(n *yaml.Node, key string) typeSet {
	branches := branchesOf(n, key)
	taken := everything
	switch {
	case key == "not":
		if not := crd.Get(n, key); len(crd.Entries(not)) == 1 { // with other keywords, it rejects some values of the type only
			return everything &^ typeSets[crd.StringAt(not, "type")]
		}
		return everything
	case len(branches) == 0:
		return everything
	case key != "allOf":
		taken = 0
	}
	for _, b := range branches {
		if key == "allOf" {
			taken &= accepts(b)
		} else {
			taken |= accepts(b)
		}
	}
	return taken
}

// alternatives are the kinds of values that the branches of a schema's junctors name: by a type, or by keywords of one.
func alternatives(n *yaml.Node) typeSet {
	var named typeSet
	for _, key := range []string{"allOf", "anyOf", "oneOf"} {
		for _, b := range branchesOf(n, key) {
			named |= names(b)
		}
	}
	return named
}

// names are the kinds of values that a branch and those in it name. The keywords of numbers are those of integers, too.
func names(b *yaml.Node) typeSet {
	typ := crd.StringAt(b, "type")
	if typ == "" {
		typ = node{Place: crd.Place{Node: crd.Deref(b)}}.implied()
		if typ == "number" {
			typ = "integer"
		}
	}
	return typeSets[typ] | alternatives(b)
}

// undecided reports whether a schema without a type is about values of several types: its own keywords of one, and an
// alternative of another, or all of a type that it rejects.
func (r *repairer) undecided(n node) bool {
	typ := n.implied()
	named := alternatives(n.Node) | r.named[n.Node]
	if typ == "" {
		return !slices.ContainsFunc(validTypes, named.within)
	}
	return !named.within(typ) || accepts(n.Node)&typeSets[typ] == 0
}
