package complete

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/version"

	"github.com/crdlift/crdlift/internal/sample"
	"github.com/crdlift/crdlift/internal/skeleton"
	"github.com/crdlift/crdlift/internal/text"
)

// Written finds what is written at an offset, a key or a scalar, and where it is; nil for neither.
func (t *Text) Written(offset int) (n *skeleton.Node, start, end int) {
	for _, spot := range skeleton.Of(t.Source, offset).Spots(t.Source, offset) {
		switch {
		case spot.Written != nil && spot.Written.Colon:
			return spot.Written, spot.Start, spot.End
		case spot.Value && spot.Start < spot.End:
			return spot.In, spot.Start, spot.End
		}
	}
	return nil, 0, 0
}

// NoteAt says what the CRD says about the field that is written at an offset; nil where it says nothing.
func (t *Text) NoteAt(offset int) *Note {
	n, start, end := t.Written(offset)
	if n == nil {
		return nil
	}
	if patch := t.patch(n, offset); patch != nil {
		return patch.NoteAt(offset)
	}
	if note := t.noteOfCRD(n); note != "" {
		return &Note{start, end, note}
	}
	p := t.PlaceOf(n)
	if p == nil || len(p.schemas) == 0 && p.meta == nil && !p.isHead() {
		return nil
	}
	return &Note{start, end, p.note()}
}

// isHead reports whether a place has the apiVersion or the kind of an object.
func (p *Place) isHead() bool {
	return len(p.Steps) == 1 && (p.Steps[0].Key == "apiVersion" || p.Steps[0].Key == "kind")
}

// note is all that is to be said of a place, in Markdown.
func (p *Place) note() string {
	if p.isHead() {
		root := *p
		root.Steps, root.way, root.schemas = nil, nil, p.root()
		return root.note()
	}
	title := p.Version.GroupVersionKind().Kind
	if len(p.Steps) > 0 {
		title = p.Steps.String()
	}
	parts := []string{"**" + title + "** " + p.Line()}
	if d := p.description(); d != "" {
		parts = append(parts, d)
	}
	if len(p.Steps) == 0 && p.Version.Deprecation() != "" {
		parts = append(parts, p.Version.Deprecation())
	}
	var told []string
	for _, m := range p.mentions() {
		told = append(told, ruleText(m))
	}
	if len(told) > 0 {
		parts = append(parts, "- "+strings.Join(told, "\n- "))
	}
	if since := p.since(); since != "" {
		parts = append(parts, since)
	}
	return strings.Join(parts, "\n\n")
}

// mentions are the rules that look at the value, if a schema describes it.
func (p *Place) mentions() []sample.Mention {
	if p.meta != nil {
		return nil
	}
	return sample.Mentions(p.root(), p.way)
}

// immutable is a rule by which a value stays as it is.
var immutable = text.Pattern(`^\s*(self\s*==\s*oldSelf|oldSelf\s*==\s*self)\s*$`)

// ruleText is a rule in words: its message or else itself, and whether it is about changes.
func ruleText(m sample.Mention) string {
	if immutable().MatchString(m.Rule) {
		return strings.TrimSuffix("It cannot be changed once it is set: "+text.OneLine(m.Message), ": ") + of(m.At)
	}
	out := "`" + strings.ReplaceAll(text.OneLine(m.Rule), "`", "'") + "`"
	if m.Message != "" {
		out = text.OneLine(m.Message) + ": " + out
	}
	if strings.Contains(m.Rule, "oldSelf") {
		out = "On changes: " + out
	}
	return out + of(m.At)
}

// of says at which place a rule is.
func of(at sample.Path) string {
	if len(at) == 0 {
		return ""
	}
	return " (" + at.String() + ")"
}

// since says which versions of the API have the field, where not all do.
func (p *Place) since() string {
	var with, without []string
	for _, name := range p.Server.Versions() {
		root := sample.SchemasOf(p.Server.Version(name))
		for _, step := range p.way {
			root = root.Child(step)
		}
		if len(root) > 0 || p.meta != nil || len(p.way) == 0 {
			with = append(with, name)
		} else {
			without = append(without, name)
		}
	}
	if len(without) == 0 {
		return ""
	}
	slices.SortFunc(with, version.CompareKubeAwareVersionStrings)
	return "In " + strings.Join(with, ", ") + "; not in " + strings.Join(without, ", ") + "."
}

// description is that of the value, in Markdown.
func (p *Place) description() string {
	switch s := p.main(); {
	case s != nil && s.Description != "":
		return strings.TrimSpace(s.Description)
	case p.meta != nil && len(p.Steps) > 1:
		return metav1.ObjectMeta{}.SwaggerDoc()[p.Steps[len(p.Steps)-1].Key]
	}
	return ""
}

// Line says on one line of which type the value is, and what bounds it.
func (p *Place) Line() string {
	parts := []string{p.is()}
	if parts[0] == "" {
		parts[0] = "any"
	}
	if s := p.main(); s != nil {
		parts = append(typeOf(s, parts[0]), bounds(s)...)
	}
	if n := len(p.Steps); n > 0 && !p.Steps[n-1].IsIndex() {
		parent := *p
		if parent.up(); parent.isRequired(p.Steps[n-1].Key) {
			parts = append(parts, "required")
		}
	}
	if s := p.main(); p.hasDefault() {
		parts = append(parts, "default "+write(*s.Default, true))
	}
	return strings.Join(parts, ", ")
}

// up leads to what the place is in.
func (p *Place) up() {
	whole := &Place{Definition: p.Definition, Version: p.Version, Server: p.Server, schemas: p.root()}
	for _, step := range p.Steps[:len(p.Steps)-1] {
		whole = whole.below(step)
	}
	*p = *whole
}

func typeOf(s *apiextensions.JSONSchemaProps, is string) []string {
	switch {
	case s.Type == "array" && s.Items != nil && s.Items.Schema != nil && s.Items.Schema.Type != "":
		is = "array of " + s.Items.Schema.Type
	case s.Type == "object" && s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil && s.AdditionalProperties.Schema.Type != "":
		is = "map of " + s.AdditionalProperties.Schema.Type
	}
	parts := []string{is}
	if s.Format != "" {
		parts[0] += " (" + s.Format + ")"
	}
	if s.Nullable {
		parts = append(parts, "nullable")
	}
	return parts
}

// bounds are what a value has to keep to.
func bounds(s *apiextensions.JSONSchemaProps) (parts []string) {
	number := func(f *float64) any {
		if f == nil {
			return nil
		}
		return strconv.FormatFloat(*f, 'f', -1, 64)
	}
	count := func(n *int64) any {
		if n == nil {
			return nil
		}
		return *n
	}
	between := func(least, most any, what string) {
		if last := cmp.Or(most, least); last == int64(1) {
			what = strings.TrimSuffix(what, "s")
		}
		switch {
		case least != nil && least == most:
			parts = append(parts, fmt.Sprintf("%v%s", least, what))
		case least != nil && most != nil:
			parts = append(parts, fmt.Sprintf("%v to %v%s", least, most, what))
		case least != nil:
			parts = append(parts, fmt.Sprintf("at least %v%s", least, what))
		case most != nil:
			parts = append(parts, fmt.Sprintf("at most %v%s", most, what))
		}
	}
	if len(s.Enum) > 0 && len(s.Enum) <= 12 {
		var values []string
		for _, v := range s.Enum {
			values = append(values, write(v, true))
		}
		parts = append(parts, "one of "+strings.Join(values, ", "))
	}
	between(number(s.Minimum), number(s.Maximum), exclusive(s))
	between(count(s.MinLength), count(s.MaxLength), " characters")
	between(count(s.MinItems), count(s.MaxItems), " items")
	between(count(s.MinProperties), count(s.MaxProperties), " members")
	if s.MultipleOf != nil {
		parts = append(parts, fmt.Sprintf("a multiple of %v", number(s.MultipleOf)))
	}
	if s.Pattern != "" {
		parts = append(parts, "matches `"+strings.ReplaceAll(s.Pattern, "`", "'")+"`")
	}
	if s.XListType != nil {
		as := "list of type " + *s.XListType
		if len(s.XListMapKeys) > 0 {
			as += " by " + strings.Join(s.XListMapKeys, ", ")
		}
		parts = append(parts, as)
	}
	return parts
}

func exclusive(s *apiextensions.JSONSchemaProps) string {
	switch {
	case s.ExclusiveMinimum && s.ExclusiveMaximum:
		return ", both excluded"
	case s.ExclusiveMinimum && s.Minimum != nil:
		return ", the least excluded"
	case s.ExclusiveMaximum && s.Maximum != nil:
		return ", the most excluded"
	}
	return ""
}
