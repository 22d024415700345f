package crd

import (
	"cmp"
	"errors"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/yaml11"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A WrongType is a value that the API server cannot decode into its field.
type WrongType struct {
	Place Place
	Want  string // the type of the field: "a string", "a list"; Base64 for text that should be in base64
	Got   string // the value: "a list", "the boolean true"; for Unsayable the error
	// Belongs is the right path for a value that is misplaced among the properties: beside them, or in the version; ""
	// for others, and where that is not clear.
	Belongs string
	Keyword Keyword // the subject of a schema's keyword among the properties
}

const (
	// Base64 is wanted where bytes are written as text.
	Base64 = "base64 text"
	// Unsayable values have no JSON whatever the field: `.inf`, or a list as a key.
	Unsayable = "JSON"
)

// WrongTypes lists the values of a CRD for which Decode fails, in the order of the text. It looks at types only: it is
// empty for a CRD that decodes, and for one that Decode rejects for something else, such as its depth. A value without
// JSON is reported alone.
func (c *CRD) WrongTypes() []WrongType {
	var unsayable *yaml11.Error
	if _, err := yaml11.ToJSON(c.Node); errors.As(err, &unsayable) {
		return []WrongType{{Place: c.placeOf(unsayable.Node), Want: Unsayable, Got: unsayable.Msg}}
	}
	var wrong wrongTypes
	c.visit(&wrong, c.Version == V1beta1)
	for i := range wrong {
		w := &wrong[i]
		w.Belongs, w.Keyword = c.outOfProperties(*w)
	}
	return wrong
}

// A Keyword is the subject of a keyword that is misplaced among the properties, where each name is a field's.
type Keyword int

const (
	NoKeyword Keyword = iota // the value is none such
	OfObject                 // it is about the object that has the properties
	OfField                  // it is about one of the fields, since it says nothing of an object
)

// ofObjects are the keywords that say something of an object that has fields.
var ofObjects = []string{
	"required", "description", "title", "nullable", "minProperties", "maxProperties", "x-kubernetes-validations",
	"x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource", "x-kubernetes-map-type",
}

// outOfProperties returns the right path for a keyword, or a field of the version, that is misplaced among the
// properties; "" where the value cannot be that of the keyword, cannot be moved, or belongs to an unknown field.
func (c *CRD) outOfProperties(w WrongType) (string, Keyword) {
	name := LastField(w.Place.Path)
	holder, among := strings.CutSuffix(w.Place.Path, ".properties["+name+"]")
	if n := Deref(w.Place.Node); n == nil || !among {
		return "", NoKeyword
	}
	is := OfObject
	f := shapeFor[v1.JSONSchemaProps]().fields[name]
	if version, atRoot := strings.CutSuffix(holder, ".schema.openAPIV3Schema"); f == nil && atRoot {
		holder, is = version, NoKeyword
		f = shapeFor[v1.CustomResourceDefinitionVersion]().fields[name]
	}
	if f == nil || !f.shape.fits(w.Place.Node) {
		return "", NoKeyword
	}
	if is == OfObject && !slices.Contains(ofObjects, name) && (name != "type" || Deref(w.Place.Node).Value != "object") && c.hasFields(holder) {
		return "", OfField
	}
	if path := Join(holder, name); c.canMove(w.Place.Path, path) {
		return path, is
	}
	return "", is
}

// hasFields reports whether some property of the schema at a path is a schema. Else its properties are a level too many.
func (c *CRD) hasFields(path string) bool {
	at, _ := c.Resolve(Steps(Join(path, "properties")))
	return slices.ContainsFunc(Entries(at.Node), func(e Entry) bool { return Deref(e.Value).Kind == yaml.MappingNode })
}

// IsRequiredFlag reports whether a value says of a field that it is required, as if the API had that next to its type.
func (w WrongType) IsRequiredFlag() bool {
	return w.Want == "a list" && strings.HasPrefix(w.Got, "the boolean") && strings.HasSuffix(w.Place.Path, ".required")
}

// fits reports whether a value can be decoded with a shape, whatever its content. For a scalar it runs the decoder,
// which has special cases for nulls, large numbers and whole floats.
func (s *shape) fits(n *yaml.Node) bool {
	n = Deref(n)
	if n == nil {
		return true
	}
	if n.Kind == yaml.ScalarNode {
		raw, err := yaml11.ToJSON(n)
		return err == nil && kjson.UnmarshalCaseSensitivePreserveInts(raw, reflect.New(s.typ).Interface()) == nil
	}
	branch, _ := s.branch(n.Kind)
	return branch.takes(n.Kind)
}

type wrongTypes []WrongType

func (w *wrongTypes) entry(*spot, Entry, *field) {}

func (w *wrongTypes) value(at *spot, n *yaml.Node) bool {
	if at.field.fits(n) {
		return true
	}
	found := WrongType{Place: at.place(), Want: wanted(at.shape.typ), Got: Describe(n)}
	if kind, _ := yaml11.Resolve(at.node); kind == yaml11.String && found.Want == Base64 {
		found.Got = "text that is not base64"
	} else if found.Want == Base64 {
		found.Want = "a string"
	}
	*w = append(*w, found)
	return false
}

// wanted names the kind of value that a type is decoded from.
func wanted(t reflect.Type) string {
	switch {
	case t.Name() == "Time":
		return "a time such as 2020-01-31T08:00:00Z"
	case strings.HasSuffix(t.Name(), "OrBool"):
		return "a schema or a boolean"
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		return Base64
	}
	return cmp.Or(wantedKinds[t.Kind()], "a mapping")
}

var wantedKinds = map[reflect.Kind]string{
	reflect.String: "a string", reflect.Bool: "true or false", reflect.Slice: "a list", reflect.Int32: "a whole number of 32 bits",
	reflect.Int: "a whole number of 64 bits", reflect.Int64: "a whole number of 64 bits",
	reflect.Float32: "a number", reflect.Float64: "a number",
}

// Describe describes a value as the API server sees it: "a mapping", "the boolean true".
func Describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	}
	switch kind, v := yaml11.Resolve(n); kind {
	case yaml11.Bool:
		return "the boolean " + strconv.FormatBool(v.(bool))
	case yaml11.Int, yaml11.Float:
		return "a number"
	case yaml11.Null:
		return "null"
	}
	return "a string"
}

// placeOf finds a node, key or value, in the text of the CRD. The path is that of its mapping for a key that cannot be
// one.
func (c *CRD) placeOf(wanted *yaml.Node) Place {
	for v := range Walk(c.Node) {
		switch wanted {
		case v.Node:
			return Place{wanted, v.Path()}
		case v.Key:
			return Place{wanted, v.above.Path()}
		}
	}
	return Place{Node: wanted}
}

// Message says why the API server cannot decode a value.
func (w WrongType) Message() text.Text {
	if w.Want == Unsayable {
		return text.Sprintf("the API server cannot read this as JSON: %s", text.Foreign(w.Got))
	}
	field := text.Value(fieldWithIndex(w.Place.Path))
	quoted := text.Quoted(field)
	switch {
	case w.Belongs != "" && w.Keyword == NoKeyword:
		return text.Sprintf("%s is listed under properties, whose keys are fields of the resource; move it to %s",
			quoted, text.Value(strings.TrimSuffix(w.Belongs, "."+LastField(w.Belongs))))
	case w.Keyword != NoKeyword:
		return text.Sprintf("%s is listed under properties, whose keys are field names; %s", quoted, whereTo(w))
	}
	return text.Sprintf("%s must be %s, but this is %s%s", field, w.Want, w.Got, remedy(w))
}

// whereTo advises where to move a keyword from among the properties.
func whereTo(w WrongType) text.Text {
	switch {
	case w.Belongs != "":
		return text.Sprintf("move it one level up, next to properties")
	case w.Keyword == OfField:
		return text.Sprintf("indent it under the field that it describes")
	}
	return text.Sprintf("merge it with the one that is already next to properties")
}

// remedy advises what to write instead of a value of the wrong type, where that is clear.
func remedy(w WrongType) text.Text {
	switch steps := Steps(w.Place.Path); {
	case w.IsRequiredFlag() && w.Got == "the boolean true" && steps[max(len(steps)-3, 0)] == "properties":
		return text.Sprintf("; list %s in required of the schema around it, next to properties", text.Value(steps[len(steps)-2]))
	case w.IsRequiredFlag():
		return text.Sprintf("; it lists the fields that an object needs: remove it")
	case w.Place.Path == "spec.versions" && w.Got == "a mapping":
		return text.Sprintf("; write each version as an entry that begins with - name:")
	}
	return quoting(w)
}

// quoting returns what quotes, or a tag that makes text of a word, have to do with a value of the wrong type.
func quoting(w WrongType) text.Text {
	n := Deref(w.Place.Node)
	if n == nil || n.Kind != yaml.ScalarNode {
		return text.Text{}
	}
	quotes := n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0
	tag := n.Style&yaml.TaggedStyle != 0 && n.Tag == yaml.NodeTagString
	kind, _ := yaml11.Resolve(&yaml.Node{Kind: yaml.ScalarNode, Value: n.Value})
	fits := w.Want == "true or false" && kind == yaml11.Bool ||
		strings.Contains(w.Want, "number") && (kind == yaml11.Int || kind == yaml11.Float)
	switch {
	case w.Want == "a string":
		return text.Sprintf("; quote it: %s", text.Quoted(n.Value))
	case quotes && fits:
		return text.Sprintf("; remove the quotes")
	case tag && fits:
		return text.Sprintf("; remove the tag, which makes a string of it")
	}
	return text.Text{}
}

// fieldWithIndex is the last field of a path with the indexes after it: "shortNames[0]".
func fieldWithIndex(path string) string {
	if path == "" {
		return "the CustomResourceDefinition"
	}
	field := LastField(path)
	if at := strings.LastIndex(path, field); at >= 0 && !strings.HasSuffix(path, field+"]") {
		return path[at:]
	}
	return field
}
