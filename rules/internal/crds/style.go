package crds

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/crdlift/crdlift/internal/compare"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/ordered"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/words"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// qualityRules are about what a schema says in vain.
var qualityRules = []*engine.Rule{
	patternUnanchored,
	Check(lint.Warning, "schema-format-unrecognized", "formats that the API server does not know and ignores", unrecognizedFormats),
	Check(lint.Warning, "schema-required-undeclared", "required fields that are not declared", requiredUndeclared),
	Check(lint.Error, "schema-status-required", "a required status next to the status subresource", func(p *engine.Pass) {
		for _, v := range p.CRD.Versions() {
			root := v.Root()
			if root == nil || !hasSubresource(v, "status") {
				continue
			}
			for _, at := range root.At("required").Items() {
				if crd.StringAt(at.Node) == "status" {
					p.Report(at, "status is required, but the status subresource drops it from new objects: none can be created; remove status from required").
						Fix = editing("do not require status", false, []string{root.Path}, func(s *crd.Schema) bool { return dropRequired(s, "status") })
				}
			}
		}
	}),
	Following([]string{"yaml-ambiguous-scalar", "schema-junctor-forbidden-field"},
		Check(lint.Warning, "schema-contradictory", "conditions that no value meets, or that never apply",
			func(p *engine.Pass) { eachSchema(p, func(s *crd.Schema) { contradictions(p, s) }) })),
	Check(lint.Warning, "schema-nullable-enum", "nullable fields with an enum, which rejects null", nullableEnums),
	Check(lint.Warning, "schema-enum-empty-or-duplicate", "an empty enum, or one that lists a value twice",
		func(p *engine.Pass) { eachSchema(p, func(s *crd.Schema) { enumValues(p, s) }) }),
}

// newest stands for the newest server: formats are only ever added.
var newest = version.MajorMinor(1, 999)

// unrecognizedFormats reports formats, of a version those of one type together.
func unrecognizedFormats(p *engine.Pass) {
	server := newest
	if v := p.Config.KubernetesVersion; v != (lint.KubernetesVersion{}) {
		server = version.MajorMinor(uint(v.Major), uint(v.Minor))
	}
	for _, root := range roots(p) {
		var ignored []formatUse
		for s := range root.All() {
			if u := (formatUse{s, s.Type(), s.Text("format")}); u.ignoredBy(server) && !ofNoType(p, s) && (!u.repeatsType() || asked(p)) {
				ignored = append(ignored, u)
			}
		}
		for _, uses := range ordered.Grouped(ignored, func(u formatUse) [2]string { return [2]string{u.typ, u.format} }) {
			engine.Together(Mapped(uses, func(u formatUse) *engine.Finding { return u.report(p) }))
		}
	}
}

type formatUse struct {
	schema      *crd.Schema
	typ, format string
}

func (u formatUse) ignoredBy(server *version.Version) bool {
	props := spec.SchemaProps{Type: []string{u.typ}, Format: u.format}
	return u.format != "" && len(validation.GetUnrecognizedFormats(&spec.Schema{SchemaProps: props}, server)) > 0
}

func (u formatUse) report(p *engine.Pass) *engine.Finding {
	on := ""
	if u.typ != "" {
		on = " on " + words.Article(u.typ)
	}
	f := p.Reportf(u.schema.At("format"), "the API server ignores format %s%s (%s); %s",
		text.Quoted(u.format), on, words.FieldName(u.schema), u.hint())
	if u.repeatsType() {
		f.AtMost(lint.Info)
	}
	return f
}

// repeatsType reports whether a format asks for no more than the type, or the minimum beside it: nobody relies on a check of
// it. OpenAPI has binary for any bytes; kube-rs writes uint32 and minimum: 0 for an unsigned integer.
func (u formatUse) repeatsType() bool {
	return u.format == u.typ || u.typ == "string" && u.format == "binary" || u.isUnsigned() && u.isBounded("minimum")
}

func (u formatUse) isUnsigned() bool {
	return u.typ == "integer" && strings.HasPrefix(u.format, "uint")
}

// isBounded reports whether a schema of an unsigned integer has a bound that is no negative number.
func (u formatUse) isBounded(keyword string) bool {
	bound, ok := numberAt(u.schema, keyword)
	return ok && bound >= 0
}

// largest are the maximums of unsigned integers. That of 64 bits is none: a larger number is no integer for the API server.
var largest = map[string]string{"uint8": "255", "uint16": "65535", "uint32": "4294967295"}

// formatMeant are formats that the API server knows, by what is written for them.
var formatMeant = map[string]string{
	"url": "uri", "ip": "ipv4", "ip-address": "ipv4", "dateTime": "date-time", "timestamp": "date-time", "base64": "byte", "binary": "byte",
}

// textFormats are formats of texts that the API server checks, but for those that only few know.
var textFormats = []string{
	"byte", "cidr", "date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "mac", "password", "uri", "uuid",
}

// hint says what to do about a format that the API server ignores.
func (u formatUse) hint() string {
	typ, format := u.typ, u.format
	meant := formatMeant[format]
	if near := text.Nearest(format, textFormats); meant == "" && typ == "string" && len(near) == 1 {
		return text.DidYouMean(near[0])
	}
	switch {
	case format == "int-or-string" && typ == "":
		return "replace it with " + intOrStringKey + ": true"
	case format == "int-or-string":
		return "replace type and format with " + intOrStringKey + ": true"
	case typ == "array" && meant != "":
		return "write " + meant + " next to the type of the items"
	case typ == "array":
		return "remove it or move it to the items"
	case typ == "object" || typ == "boolean":
		return "remove it"
	case u.isUnsigned() && u.isBounded("minimum"):
		return "remove it"
	case u.isUnsigned() && largest[format] != "" && !u.isBounded("maximum"):
		return "write minimum: 0 and maximum: " + largest[format]
	case u.isUnsigned():
		return "write minimum: 0"
	case strings.HasPrefix(format, "int") || strings.HasPrefix(format, "uint") || format == "float" || format == "double":
		return "use it for integers and numbers only"
	case typ != "integer" && typ != "number" && meant != "":
		return "write " + meant + ", which is checked"
	case typ == format:
		return "remove it"
	}
	return "remove it or write a pattern"
}

// requiredUndeclared looks where pruning drops what is not declared.
func requiredUndeclared(p *engine.Pass) {
	if !prunes(p) {
		return
	}
	eachSchema(p, func(s *crd.Schema) {
		list := s.Get("required")
		if list == nil || !slices.Equal(typesOf(s), []string{"object"}) || keepsAny(s) {
			return
		}
		for _, at := range s.At("required").Items() {
			name := crd.StringAt(at.Node)
			if name == "" || declaresField(s, name) {
				continue
			}
			p.Reportf(at, "required of %s names %s, which is not declared and is dropped; correct the name or declare it", words.FieldName(s), text.Quoted(name))
		}
	})
}

// sameValue lists the schemas that describe the same value as one: those around its junctors, and the one outside.
func sameValue(s *crd.Schema) []*crd.Schema {
	all := []*crd.Schema{s}
	for up := s; up.Parent != nil && (up.Via == "allOf" || up.Via == "anyOf" || up.Via == "oneOf" || up.Via == "not"); up = up.Parent {
		all = append(all, up.Parent)
	}
	if outer := s.Outer(); outer != nil {
		all = append(all, outer)
	}
	return all
}

// keepsAny reports whether undeclared fields of the value may stay, or whether it is not known what is declared.
func keepsAny(s *crd.Schema) bool {
	if s.Outer() == nil {
		return true
	}
	for _, same := range sameValue(s) {
		if same.KeepsUnknown() || same.Flag(EmbeddedKey) || same.Get("additionalProperties") != nil {
			return true
		}
	}
	// whatever is in the metadata of an object is not the schema's business
	return s.Outer().Within(func(up *crd.Schema) bool {
		return up.Name == "metadata" && up.Parent != nil && (up.Parent.Parent == nil || up.Parent.Flag(EmbeddedKey))
	})
}

// declaresField reports whether a field is declared by one of the schemas of the value.
func declaresField(s *crd.Schema, name string) bool {
	for _, same := range sameValue(s) {
		if same.Property(name) != nil {
			return true
		}
	}
	return s.Outer().Parent == nil && (name == "apiVersion" || name == "kind" || name == "metadata")
}

var (
	oneClass  = text.Pattern(`^\[[^\]]+\][+*]?$`)
	manyKinds = text.Pattern(`(?i)(image|path|ur[il])$`) // text.Names of fields that hold more than words
)

// bounded reports whether a keyword bounds the values of a schema as a pattern does.
func bounded(e crd.Entry) bool {
	return e.Name == "enum" || e.Name == "format" || crd.IsJunctor(e.Name)
}

var patternUnanchored = Check(lint.Warning, "pattern-unanchored", "patterns that describe a whole value, but match a part of one", func(p *engine.Pass) {
	eachSchema(p, func(s *crd.Schema) {
		pattern := s.Text("pattern")
		ofText := s.Type() == "string" || s.Flag(intOrStringKey)
		if pattern == "" || !ofText || s.InJunctor() || slices.ContainsFunc(s.Entries(), bounded) {
			return
		}
		if oneClass().MatchString(pattern) && manyKinds().MatchString(s.Name) {
			return // an anchor would reject what users write: the class has not all that such a value holds
		}
		witness, mixed := compare.Unanchored(pattern)
		if most, ok := numberAt(s, "maxLength"); witness == "" || ok && float64(utf8.RuneCountInString(witness)) > most {
			return
		}
		anchored := compare.Anchored(pattern)
		remedy := "anchor it as ^(...)$"
		switch {
		case mixed:
			remedy = "^ and $ bind closer than |, so put the alternatives in brackets: ^(...)$"
		case anchored == "^"+pattern:
			remedy = "begin it with ^"
		case anchored == "^"+pattern+"$":
			remedy = "anchor it as ^...$"
		case anchored == "^("+pattern+")+$":
			remedy = "anchor it as ^(...)+$, which accepts durations of several units such as 1h30m"
		}
		f := p.Reportf(s.At("pattern"), "the pattern of %s is not anchored and so accepts %s; %s", words.FieldName(s), text.Quoted(witness), remedy)
		f.Remedy = []lint.Change{{Path: s.Path, Keyword: "pattern", Value: anchored}}
		f.Fix = editing("write "+anchored, false, []string{s.Path}, func(s *crd.Schema) bool {
			if s.Text("pattern") == anchored {
				return false
			}
			layout.Set(s.Node, "pattern", layout.String(anchored))
			return true
		})
	})
})
