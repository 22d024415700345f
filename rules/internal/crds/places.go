package crds

import (
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/repair"
	"github.com/crdlift/crdlift/lint"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// writtenAt is the place below some steps; its Node is nil where nothing is written, or null.
func writtenAt(c *crd.CRD, steps ...string) crd.Place {
	if at, complete := c.Resolve(steps); complete && !crd.IsNull(at.Node) {
		return at
	}
	return crd.Place{}
}

// eachField visits the keys of those of some fields of a mapping that something holds for.
func eachField(at crd.Place, fields []string, holds func(*yaml.Node) bool, visit func(key crd.Place, field string)) {
	for _, field := range fields {
		if k, v := crd.Lookup(at.Node, field); k != nil && holds(v) {
			visit(at.KeyOf(field), field)
		}
	}
}

func byPosition(a, b crd.Place) int {
	if a.Node == nil || b.Node == nil {
		return 0
	}
	if a.Node.Line != b.Node.Line {
		return a.Node.Line - b.Node.Line
	}
	return a.Node.Column - b.Node.Column
}

// relatedKey is another key of the document that a finding speaks about.
func relatedKey(p *engine.Pass, key *yaml.Node, message string) lint.Related {
	line, column := p.Document().Begin(key)
	end := column + utf8.RuneCountInString(key.Value)
	return lint.Related{Pos: lint.Position{File: p.File().Path, Line: line, Column: column, EndLine: line, EndColumn: end}, Message: message}
}

// flagOfVersion is the place of a flag of a version, or of its name when the flag is not written.
func flagOfVersion(v crd.APIVersion, flag string) crd.Place {
	if k, _ := crd.Lookup(v.At.Node, flag); k != nil {
		return v.At.KeyOf(flag)
	}
	return v.At.At("name")
}

// Mapped are the results of a function for each of some values.
func Mapped[V, T any](all []V, to func(V) T) []T {
	made := make([]T, len(all))
	for i, v := range all {
		made[i] = to(v)
	}
	return made
}

func isEmptyCollection(n *yaml.Node) bool {
	n = crd.Deref(n)
	return n != nil && n.Kind != yaml.ScalarNode && len(n.Content) == 0
}

// A pathStep is one step of a path into a custom resource: to a member of an object, or to the elements of a list.
type pathStep struct {
	member   string
	elements bool
	several  bool // elements of which there may be more than one
}

// A destination is where a path into custom resources leads, as far as a version's schema tells.
type destination struct {
	outcome knowledge
	typ     string // of the value: "string", "object", ...; "" when it can be of several
	format  string
	stop    string // the path of the first part that is not there, as messages have it
}

type knowledge int

const (
	leadsAnywhere knowledge = iota // anything may be there, or nothing
	leadsToField                   // the schema describes it
	leadsNowhere                   // nothing is ever there
)

// distinctVersions are the versions of a CRD without those for which v1beta1 says at the top level what it says for
// another one.
func distinctVersions(c *crd.CRD) []crd.APIVersion {
	seen := map[[3]string]bool{}
	return slices.DeleteFunc(c.Versions(), func(v crd.APIVersion) bool {
		parts := [3]string{v.Schema.Path, v.Subresources.Path, v.Columns.Path}
		again := seen[parts] && parts != [3]string{}
		seen[parts] = true
		return again
	})
}

// objectFields are the types of the fields that all objects have.
var objectFields = map[string]reflect.Type{
	"apiVersion": reflect.TypeFor[string](), "kind": reflect.TypeFor[string](), "metadata": reflect.TypeFor[metav1.ObjectMeta](),
}

// follow says where a path leads in the custom resources of a version.
func follow(p *engine.Pass, v crd.APIVersion, path []pathStep) destination {
	s, at := v.Root(), ""
	if s == nil {
		return destination{}
	}
	for i, next := range path {
		at += next.String()
		if t := objectFields[next.member]; t != nil && hasObjectMeta(s) {
			return followType(t, path[i+1:], at)
		}
		below, open := descend(s, next)
		switch {
		case below != nil:
			s = below
		case open || !prunes(p) && !closed(s, next):
			return destination{}
		default:
			return nowhere(at)
		}
	}
	found := destination{outcome: leadsToField, typ: s.Type(), format: s.Text("format")}
	if found.typ != repair.SuggestType(found.typ) {
		found.typ = "" // there is no such type
	}
	return found
}

func (s pathStep) String() string {
	switch {
	case s.elements:
		return "[*]"
	case strings.ContainsAny(s.member, ".[]"):
		return "['" + s.member + "']"
	}
	return "." + s.member
}

// descend goes one step down a schema. Open is true where the schema says nothing about what is there, and pruning
// leaves it.
func descend(s *crd.Schema, next pathStep) (below *crd.Schema, open bool) {
	if next.elements {
		return s.Items(), s.Type() == "" && s.Items() == nil || s.Type() == "array" || s.KeepsUnknown()
	}
	if p := s.Property(next.member); p != nil {
		return p, false
	}
	if more := s.AdditionalProperties(); more != nil {
		return more, false
	}
	anything, _ := s.Bool("additionalProperties")
	return nil, anything || s.KeepsUnknown()
}

// closed reports whether a value of the schema's type cannot have what a step leads to.
func closed(s *crd.Schema, next pathStep) bool {
	switch s.Type() {
	case "":
		return s.Flag("x-kubernetes-int-or-string")
	case "object":
		return next.elements
	case "array":
		return !next.elements
	}
	return true
}

// followType says where a path leads in a Go type of the API machinery, such as ObjectMeta.
func followType(t reflect.Type, path []pathStep, at string) destination {
	for _, next := range path {
		at += next.String()
		var below reflect.Type
		switch kind := t.Kind(); {
		case t == reflect.TypeFor[metav1.FieldsV1]():
			return destination{}
		case kind == reflect.Slice && next.elements, kind == reflect.Map && !next.elements:
			below = t.Elem()
		case kind == reflect.Struct && !next.elements && t != reflect.TypeFor[metav1.Time]():
			below, _ = crd.FieldType(t, next.member)
		}
		if below == nil {
			return nowhere(at)
		}
		if t = below; t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
	}
	if t == reflect.TypeFor[metav1.Time]() {
		return destination{outcome: leadsToField, typ: "string", format: "date-time"}
	}
	typ := map[reflect.Kind]string{
		reflect.String: "string", reflect.Bool: "boolean", reflect.Int64: "integer", reflect.Int32: "integer",
		reflect.Map: "object", reflect.Struct: "object", reflect.Slice: "array",
	}[t.Kind()]
	return destination{outcome: leadsToField, typ: typ}
}

// nowhere is where a path leads of which a part is not there.
func nowhere(at string) destination {
	return destination{outcome: leadsNowhere, stop: strings.TrimPrefix(at, ".")}
}
