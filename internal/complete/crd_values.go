package complete

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/skeleton"
	"github.com/crdlift/crdlift/internal/text"
)

// isExample reports whether the part is a value of the kind that its schema is of.
func (p *part) isExample() bool {
	return p.in.isSchema() && (p.node.Key == "default" || p.node.Key == "example")
}

// formats are those that servers check, by types. A text may have those of any.
var formats = map[string][]string{
	"integer": {"int32", "int64"},
	"number":  {"float", "double"},
	"string": {"date-time", "date", "duration", "byte", "uri", "hostname", "ipv4", "ipv6", "cidr", "mac", "email", "uuid", "uuid3", "uuid4",
		"uuid5", "password", "isbn", "isbn10", "isbn13", "creditcard", "ssn", "hexcolor", "rgbcolor", "bsonobjectid",
		"k8s-short-name", "k8s-long-name"},
}

// values are those that may be written for the part. Of the items of a list, each is there once.
func (p *part) values() []value {
	if p.in.is() != "array" {
		return p.in.valuesOf(p.node.Key, p)
	}
	return slices.DeleteFunc(p.in.in.valuesOf(p.in.node.Key, p), func(v value) bool { return p.isBeside(v.value) })
}

// isBeside reports whether another item of the list that the part is in says something, itself or at a path.
func (p *part) isBeside(what any, path ...string) bool {
	return slices.ContainsFunc(children(p.in.node), func(other *skeleton.Node) bool { return other != p.node && said(other, path...) == what })
}

// valuesOf are the values of a field of the part.
func (p *part) valuesOf(name string, of *part) []value {
	switch p.name() + "." + name {
	case "JSONSchemaProps.type":
		return words(p.types()...)
	case "JSONSchemaProps.format":
		return words(formats[said(p.outer(), "type")]...)
	case "JSONSchemaProps." + listType:
		return words(p.listTypes()...)
	case "JSONSchemaProps.required":
		return words(keysOf(p.outer().Child("properties"))...)
	case "JSONSchemaProps." + listMapKeys:
		properties := p.node.At("items", "properties")
		return words(slices.DeleteFunc(keysOf(properties), func(key string) bool {
			return slices.Contains([]string{"", "array", "object"}, said(properties.Child(key), "type"))
		})...)
	case "JSONSchemaProps.default", "JSONSchemaProps.example":
		return p.examples()
	case "ObjectMeta.name":
		return known(said(p.in.node, "spec", "names", "plural"), ".", said(p.in.node, "spec", "group"))
	case "CustomResourceDefinitionSpec.group":
		_, group, _ := strings.Cut(said(p.in.node, "metadata", "name"), ".")
		return known(group)
	case "CustomResourceDefinitionNames.plural":
		plural, _, _ := strings.Cut(said(p.in.in.node, "metadata", "name"), ".")
		return known(plural)
	case "CustomResourceDefinitionNames.singular":
		return known(strings.ToLower(said(p.node, "kind")))
	case "CustomResourceDefinitionNames.listKind":
		return known(said(p.node, "kind"), "List")
	case "CustomResourceDefinitionVersion.storage":
		return []value{{!p.isBeside("true", name), "one version is"}}
	case "CustomResourceDefinitionVersion.name", "SelectableField.jsonPath": // each is there once
		return slices.DeleteFunc(of.usual(), func(v value) bool { return p.isBeside(v.value, name) })
	}
	return of.usual()
}

// usual are the values that the table of fields names, and those of any boolean.
func (p *part) usual() (all []value) {
	f := p.field()
	if p.node.Key == "" {
		f = p.in.field()
	}
	if f == nil {
		return nil
	}
	if len(f.values) > 0 && strings.HasPrefix(f.values[0], ".") {
		return p.paths(f)
	}
	texts := f.values
	if len(texts) == 0 && p.is() == "boolean" {
		texts = []string{"true", "false"}
	}
	for _, t := range texts {
		switch {
		case t == "{}":
			all = append(all, value{map[string]any{}, ""})
		case p.is() == "boolean":
			all = append(all, value{t == "true", ""})
		case p.is() == "integer":
			all = append(all, value{json.Number(t), ""})
		case p.is() == "string" || p.isHead():
			all = append(all, value{t, ""})
		}
	}
	return all
}

// words are values that are texts.
func words(texts ...string) (all []value) {
	for _, t := range texts {
		all = append(all, value{t, ""})
	}
	return all
}

// known is a value of parts that are all known.
func known(parts ...string) []value {
	if slices.Contains(parts, "") {
		return nil
	}
	return words(strings.Join(parts, ""))
}

// types are those that a schema may be of.
func (p *part) types() []string {
	depth, whole := p.inMetadata()
	around := p.in.schema()
	switch {
	case p.isRoot(), depth == 0, said(p.node, embedded) == "true", p.via() == "items" && said(around.node, listType) == "map":
		return []string{"object"}
	case whole, p.isTyped():
		return []string{"string"}
	case p.inJunctor() && said(p.outer(), intOrString) == "true":
		return []string{map[bool]string{true: "integer", false: "string"}[p.in.node.Children[0] == p.node]}
	case p.inJunctor():
		return nil
	}
	return []string{"string", "object", "array", "integer", "boolean", "number"}
}

// listTypes are those that a list may be of: the server wants items of maps to be objects, and those of sets to be whole.
func (p *part) listTypes() []string {
	switch {
	case p.via() == "items" && said(p.in.schema().node, listType) == "set", said(p.node, "items", "nullable") == "true":
		return []string{"atomic"}
	case p.node.Child(listMapKeys) != nil:
		return []string{"map"}
	}
	switch said(p.node, "items", "type") {
	case "":
		return []string{"atomic", "set", "map"}
	case "object":
		return []string{"map", "atomic"}
	case "array":
		return []string{"atomic"}
	}
	return []string{"set", "atomic"}
}

// examples are the values that a schema lists, or those of any boolean.
func (p *part) examples() (all []value) {
	for _, c := range children(p.node.Child("enum")) {
		if all = append(all, value{c.Text, "of the enum"}); said(p.node, "type") != "string" {
			all[len(all)-1].value = json.Number(c.Text)
		}
	}
	if said(p.node, "type") == "boolean" {
		return []value{{false, ""}, {true, ""}}
	}
	return all
}

// plainName is a name that a path may have behind a dot.
var plainName = text.Pattern(`^[A-Za-z_][A-Za-z0-9_]*$`)

// maxPaths bounds how many fields of a schema paths are looked for.
const maxPaths = 2000

// eachPath visits the fields of a schema that are in no list and no map, those nearest to its root first.
func eachPath(root *skeleton.Node, visit func(path string, schema *skeleton.Node)) {
	type place struct {
		path   string
		schema *skeleton.Node
	}
	queue := []place{{"", root}}
	for i := 0; i < len(queue) && i < maxPaths; i++ {
		at := queue[i]
		if i > 0 {
			visit(at.path, at.schema)
		}
		for _, c := range children(at.schema.Child("properties")) {
			if c.Colon && plainName().MatchString(c.Key) {
				queue = append(queue, place{at.path + "." + c.Key, c})
			}
		}
	}
}

// paths are those that a field may have, those to fields of the type of a column first.
func (p *part) paths(f *crdField) (all []value) {
	as := said(p.in.node, "type")
	eachPath(p.described(), func(path string, schema *skeleton.Node) {
		is := said(schema, "type")
		if said(schema, intOrString) == "true" {
			is = "integer or string"
		}
		leads := slices.ContainsFunc(f.values, func(in string) bool { return strings.HasPrefix(path, in) })
		if !leads || !slices.Contains(f.types, is) || strings.HasPrefix(path, ".metadata.") {
			return
		}
		if strings.HasPrefix(said(schema, "format"), "date") {
			is += ", date"
		}
		all = append(all, value{path, is})
	})
	if p.in.name() == "CustomResourceColumnDefinition" {
		all = append(all, value{".metadata.creationTimestamp", "string, date"})
	}
	slices.SortStableFunc(all, func(a, b value) int {
		return cmp.Compare(min(strings.Index(b.from, as), 0), min(strings.Index(a.from, as), 0))
	})
	return all
}

// described is the schema that paths of the part are about: that of its version, of all versions, or, for a rule, the one that has it.
func (p *part) described() *skeleton.Node {
	if p.in.name() == "ValidationRule" {
		return p.schema().node
	}
	const root = "openAPIV3Schema"
	for ; p != nil; p = p.in {
		if schema := cmp.Or(p.node.At("schema", root), p.node.At("validation", root)); schema != nil {
			return schema
		}
		for _, v := range children(p.node.Child("versions")) {
			if schema := v.At("schema", root); schema != nil {
				return schema
			}
		}
	}
	return nil
}
