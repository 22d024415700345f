package crds

import (
	"regexp"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// A givenDefault is one default with the API server's errors about it.
type givenDefault struct {
	At     crd.Place   // its value
	Schema *crd.Schema // the schema that it belongs to
	Errors []engine.Refusal
}

// of names the default in a message: "the default of spec.replicas".
func (d givenDefault) of() text.Text {
	if d.Schema == nil || d.Schema.FieldPath() == "" {
		return text.Sprintf("the default")
	}
	return text.Sprintf("the default of %s", text.Path(d.Schema.FieldPath()))
}

// placed are the errors about a default, with those that name the way inside of it in their text only moved there.
func (d givenDefault) placed(p *engine.Pass) []engine.Refusal {
	all := slices.Clone(d.Errors)
	for i, r := range all {
		m := checkedValue.FindStringSubmatch(r.Detail)
		if m == nil || m[1] == "" {
			continue
		}
		err := *r.Error
		err.Field += "." + m[1]
		all[i].Error = &err
		if at, complete := p.CRD.Resolve(append(crd.Steps(d.At.Path), crd.Steps(m[1])...)); complete {
			all[i].At = at
		}
	}
	return all
}

// repeatsType reports whether an error says of a number that its type cannot hold it, where another one says that it is
// not of the type: 1.5 is no integer, and out of the range of integers.
func (d givenDefault) repeatsType(r engine.Refusal) bool {
	return checkedValue.MatchString(r.Detail) && slices.ContainsFunc(d.Errors, func(other engine.Refusal) bool {
		_, inner := CutDefault(r.Field)
		_, its := CutDefault(other.Field)
		return other.Type == field.ErrorTypeTypeInvalid && its == inner
	})
}

// followsFromType reports whether an error says that a value is not of a type that does not exist, or not of the format
// beside one: without a type that it goes with, a format refuses every value.
func (d givenDefault) followsFromType(p *engine.Pass, r engine.Refusal) bool {
	m := typeFault.FindStringSubmatch(r.Detail)
	if r.Type != field.ErrorTypeTypeInvalid || m == nil || d.Schema == nil {
		return false
	}
	for s := range d.Schema.All() {
		if ofNoType(p, s) && (s.Type() == m[1] || crd.StringAt(s.Node, "format") == m[1]) {
			return true
		}
	}
	return false
}

// aboutDefault is refusal for errors about the values of defaults: those about one default are told together.
func aboutDefault(id, summary string, explain func(*engine.Pass, givenDefault)) *engine.Rule {
	return &engine.Rule{ID: id, Summary: summary, Severity: lint.Error, Run: func(p *engine.Pass) {
		for _, errors := range Grouped(p.Refusals(), defaultPath) {
			explain(p, defaultOf(p, errors...))
		}
		unconvertible(p, func(p *engine.Pass, r engine.Refusal) {
			if d := defaultOf(p, r); d.Schema != nil {
				explain(p, d)
			}
		})
	}}
}

// defaultPath is the API server's path of the default that an error is about.
func defaultPath(r engine.Refusal) string {
	path, _ := CutDefault(r.Field)
	return path
}

// defaultOf is the default that errors are about; without a schema when there is none.
func defaultOf(p *engine.Pass, errors ...engine.Refusal) givenDefault {
	path := defaultPath(errors[0])
	s, _ := p.CRD.LocateSchema(path)
	return givenDefault{p.CRD.Locate(path), s, errors}
}

// CutDefault divides the path of an error into that of the default it is about, and the way inside of the default.
func CutDefault(path string) (outer, inner string) {
	const keyword = ".default"
	depth := 0
	for i := range len(path) {
		switch path[i] {
		case '[':
			depth++
		case ']':
			depth--
		case '.':
			end := i + len(keyword)
			if depth == 0 && strings.HasPrefix(path[i:], keyword) && (end == len(path) || path[end] == '.' || path[end] == '[') {
				return path[:end], strings.TrimPrefix(path[end:], ".")
			}
		}
	}
	return path, ""
}

// checkedValue is what upstream says of a number that its type or format cannot hold.
var checkedValue = regexp.MustCompile(`^Checked value must be of type \w+ (?:with format \w+|\(default format\)) in (.*)$`)
