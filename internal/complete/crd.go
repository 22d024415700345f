package complete

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/skeleton"
)

// A part is a value in a CRD, whether it is written or not.
type part struct {
	node *skeleton.Node
	of   reflect.Type // that a server reads it as; nil where it reads anything
	in   *part        // nil for the CRD
}

// crdTypes are the types of CRDs by their apiVersions.
var crdTypes = map[string]reflect.Type{
	crd.Group + "/" + string(crd.V1):      reflect.TypeFor[v1.CustomResourceDefinition](),
	crd.Group + "/" + string(crd.V1beta1): reflect.TypeFor[v1beta1.CustomResourceDefinition](),
}

// partOf is the part of the innermost CRD around a node; nil where there is none.
func partOf(n *skeleton.Node) *part {
	if n == nil {
		return nil
	}
	if of := crdTypes[said(n, "apiVersion")]; of != nil && said(n, "kind") == crd.Kind {
		return &part{node: n, of: of}
	}
	in := partOf(n.Parent)
	if in == nil {
		return nil
	}
	return in.below(n)
}

// said is the text of a member; "" where there is none.
func said(n *skeleton.Node, path ...string) string {
	if n = n.At(path...); n != nil && n.Kind == skeleton.Scalar {
		return n.Text
	}
	return ""
}

// lists reports whether a list has a text.
func lists(n *skeleton.Node, text string) bool {
	return slices.ContainsFunc(children(n), func(item *skeleton.Node) bool { return item.Text == text })
}

// children are the members or items of a node; none of nil.
func children(n *skeleton.Node) []*skeleton.Node {
	if n == nil {
		return nil
	}
	return n.Children
}

// below is the part of a node in another one's.
func (p *part) below(n *skeleton.Node) *part {
	q := &part{node: n, in: p}
	switch t := p.of; {
	case t == nil:
	case t.Kind() == reflect.Struct:
		q.of = request.FieldsOf(t)[n.Key]
	case t.Kind() == reflect.Map || t.Kind() == reflect.Slice && n.Key == "":
		q.of = t.Elem()
	}
	if q.of != nil && q.of.Kind() == reflect.Pointer {
		q.of = q.of.Elem()
	}
	if q.of == nil || q.of.Kind() != reflect.Struct {
		return q
	}
	if schema, found := q.of.FieldByName("Schema"); found && strings.HasPrefix(q.of.Name(), "JSONSchemaPropsOr") {
		q.of = schema.Type.Elem() // or a list or a boolean, which hold nothing to complete
	}
	if q.of.Name() == "JSON" {
		q.of = nil
	}
	return q
}

// under is a part that is not written yet: a member, or with "" an item.
func (p *part) under(name string) *part   { return p.below(&skeleton.Node{Parent: p.node, Key: name}) }
func (p *part) member(name string) target { return p.under(name) }
func (p *part) item() target              { return p.under("") }

// isHead reports whether the part is the apiVersion or the kind of the CRD.
func (p *part) isHead() bool { return p.of == nil && p.in.name() == crd.Kind }

// required are the names of the fields that the part has to have.
func (p *part) required() (names []string) {
	for _, f := range p.fields() {
		if f.is("required") {
			names = append(names, f.name)
		}
	}
	return names
}

// is is the type of the part in the words of schemas; "" where any will do.
func (p *part) is() string {
	if p == nil || p.of == nil {
		return ""
	}
	switch {
	case p.name() == "CustomResourceSubresourceStatus": // {}
		return ""
	case p.of == reflect.TypeFor[[]byte]():
		return "string"
	}
	return cmp.Or(kinds[p.of.Kind()], "string")
}

// kinds are the types of values by what Go reads them as, but for texts.
var kinds = map[reflect.Kind]string{
	reflect.Struct: "object", reflect.Map: "object", reflect.Slice: "array", reflect.Bool: "boolean",
	reflect.Int32: "integer", reflect.Int64: "integer", reflect.Float64: "number",
}

// name is that of the Go type whose fields the part has; "" for none.
func (p *part) name() string {
	if p == nil || p.of == nil || p.of.Kind() != reflect.Struct {
		return ""
	}
	return p.of.Name()
}

// field is that of the API that has the part for its value; nil for an item, or a member that anybody may name.
func (p *part) field() *crdField {
	for _, f := range fieldsOf()[p.in.name()] {
		if f.name == p.node.Key {
			return f
		}
	}
	return nil
}

// fields are those that may be written in the part, the likeliest first.
func (p *part) fields() (all []*crdField) {
	if p.name() == "" {
		return nil
	}
	exist := request.FieldsOf(p.of)
	for _, f := range fieldsOf()[p.name()] {
		if _, found := exist[f.name]; (found || p.in == nil) && p.takes(f) {
			all = append(all, f)
		}
	}
	return all
}

// takes reports whether the server takes a field in the part.
func (p *part) takes(f *crdField) bool {
	beta := strings.HasSuffix(p.of.PkgPath(), "/v1beta1")
	switch {
	case f.is("never"), f.is("v1") && beta, f.is("v1beta1") && !beta:
		return false
	case slices.ContainsFunc(excluded[f.name], func(name string) bool { return p.node.Child(name) != nil }):
		return false
	case p.isSchema():
		return p.takesKeyword(f)
	}
	switch p.name() {
	case "CustomResourceDefinitionSpec": // all versions have it in common, or each its own
		return !slices.ContainsFunc(children(p.node.Child("versions")), func(v *skeleton.Node) bool {
			return v.Child(f.name) != nil || v.Child("schema") != nil && f.name == "validation"
		})
	case "CustomResourceDefinitionVersion":
		return f.name != "deprecationWarning" || said(p.node, "deprecated") == "true"
	case "CustomResourceConversion":
		return f.name == "strategy" || said(p.node, "strategy") == "Webhook"
	}
	return true
}

func (p *part) isSchema() bool { return p.name() == "JSONSchemaProps" }

// schema is the innermost schema that a part is in, or is; nil for none.
func (p *part) schema() *part {
	for p != nil && !p.isSchema() {
		p = p.in
	}
	return p
}

// via is the keyword by which a schema is in another one, or openAPIV3Schema.
func (p *part) via() string {
	if p.in.of.Kind() == reflect.Struct {
		return p.node.Key
	}
	return p.in.node.Key
}

func (p *part) isRoot() bool { return p.via() == "openAPIV3Schema" }

// inJunctor reports whether a schema only restricts what one outside of allOf, anyOf, oneOf and not says about the value.
func (p *part) inJunctor() bool {
	return !p.isRoot() && (crd.IsJunctor(p.via()) || p.in.schema().inJunctor())
}

// outer is the schema of the same value outside of allOf, anyOf, oneOf and not; nil where there is none.
func (p *part) outer() *skeleton.Node {
	if !p.inJunctor() {
		return p.node
	}
	around := p.in.schema().outer()
	switch via := p.via(); via {
	case "properties":
		return around.At(via, p.node.Key)
	case "items", "additionalProperties":
		return around.Child(via)
	}
	return around
}

// inMetadata is how far a schema is in that of an object's metadata, 0 for that itself, -1 for elsewhere; and whether it is that of the
// whole object.
func (p *part) inMetadata() (depth int, whole bool) {
	for ; !p.isRoot(); p, depth = p.in.schema(), depth+1 {
		around := p.in.schema()
		if p.via() == "properties" && p.node.Key == "metadata" && (around.isRoot() || said(around.node, embedded) == "true") {
			return depth, around.isRoot()
		}
	}
	return -1, false
}

// Keywords of schemas.
const (
	embedded    = "x-kubernetes-embedded-resource"
	intOrString = "x-kubernetes-int-or-string"
	keepsAll    = "x-kubernetes-preserve-unknown-fields"
	listType    = "x-kubernetes-list-type"
	listMapKeys = "x-kubernetes-list-map-keys"
)

// excluded are the fields that may not be beside one.
var excluded = map[string][]string{
	"url":                  {"service"},
	"service":              {"url"},
	"type":                 {intOrString},
	"properties":           {"additionalProperties"},
	"additionalProperties": {"properties", embedded},
	intOrString:            {"type", keepsAll, embedded},
	keepsAll:               {intOrString},
	embedded:               {intOrString, "additionalProperties"},
}

// takesKeyword reports whether the server takes a keyword in a schema, as ValidateCustomResourceDefinitionOpenAPISchema and
// ValidateStructural have it, and whether it is of any use there.
func (p *part) takesKeyword(f *crdField) bool {
	outer := p.outer()
	isEither, is := said(outer, intOrString) == "true", said(outer, "type")
	depth, whole := p.inMetadata()
	switch {
	case isEither && p.inJunctor() && (f.name == "type" || p.node.Child("type") != nil): // isIntOrStringAnyOfPattern wants nothing else
		return f.name == "type" && p.in.node.Key == "anyOf" && p.in.node.Kind == skeleton.Sequence && len(children(p.node)) == 0
	case f.is("below") && p.isRoot(),
		f.is("outer") && p.inJunctor(),
		f.name == listMapKeys && said(p.node, listType) != "map",
		p.inJunctor() && (f.name == "properties" || f.name == "items") && outer.Child(f.name) == nil,
		whole && depth == 0 && f.name != "type" && f.name != "properties",
		f.name == "nullable" && p.isKept(),
		f.name == "default" && (p.isTyped() || depth >= 0),
		f.name == embedded && depth >= 0:
		return false
	case isEither && slices.Contains(f.types, "integer"), len(f.types) == 0:
		return true
	case isEither:
		is = "string"
	}
	return is == "" || slices.Contains(f.types, is)
}

// isTyped reports whether the value is the apiVersion or the kind of the whole object.
func (p *part) isTyped() bool {
	return (p.node.Key == "apiVersion" || p.node.Key == "kind") && p.via() == "properties" && p.in.schema().isRoot()
}

// isKept reports whether a list needs the value to tell its items apart: it is an item of a set or a map, or a key of such a one.
func (p *part) isKept() bool {
	around := p.in.schema()
	if p.via() == "items" {
		return slices.Contains([]string{"set", "map"}, said(around.node, listType))
	}
	return p.via() == "properties" && around.via() == "items" && lists(around.in.node.Child(listMapKeys), p.node.Key)
}
