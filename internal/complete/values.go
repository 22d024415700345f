package complete

import (
	"encoding/json"
	"fmt"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/sample"
	"github.com/crdlift/crdlift/internal/yaml11"
)

// A value is one that may be written at a place, and why it is offered.
type value struct {
	value any
	from  string
}

// values are the values that the CRD names for a place: what it lists, its default, its example, and what its rules compare it with.
// What the server would reject there is left out.
func (p *Place) values() (all []value) {
	add := func(v any, from string) {
		if v != nil && !slices.ContainsFunc(all, func(known value) bool { return write(known.value, true) == write(v, true) }) {
			all = append(all, value{v, from})
		}
	}
	if p.isHead() {
		apiVersion, kind := p.Version.GroupVersionKind().ToAPIVersionAndKind()
		return []value{{map[string]any{"apiVersion": apiVersion, "kind": kind}[p.Steps[0].Key], ""}}
	}
	if p.is() == "boolean" {
		add(true, "")
		add(false, "")
	}
	for _, s := range p.schemas {
		p.list(s, add)
	}
	for _, m := range p.mentions() {
		for _, literal := range m.Literals {
			if isOf(literal, p.is()) {
				add(literal, "of a rule")
			}
		}
	}
	for i := range all {
		if s := p.main(); s != nil && s.Default != nil && write(*s.Default, true) == write(all[i].value, true) {
			all[i].from = "default"
		}
	}
	if p.meta != nil {
		return all // no schema rejects any
	}
	g := sample.New(p.Server, p.Version.Name, 1)
	return slices.DeleteFunc(all, func(v value) bool { return !isScalar(v.value) || p.refuses(g, v.value) })
}

// list adds the values that a schema and the branches of its junctors name.
func (p *Place) list(s *apiextensions.JSONSchemaProps, add func(v any, from string)) {
	for _, v := range s.Enum {
		add(any(v), "")
	}
	for _, v := range []*apiextensions.JSON{s.Default, s.Example} {
		if v != nil {
			add(any(*v), map[bool]string{true: "default", false: "example"}[v == s.Default])
		}
	}
	for _, branches := range [][]apiextensions.JSONSchemaProps{s.AllOf, s.AnyOf, s.OneOf} {
		for i := range branches {
			p.list(&branches[i], add)
		}
	}
}

// root is what the CRD says about the object.
func (p *Place) root() sample.Schemas { return sample.SchemasOf(p.Version) }

// refuses reports whether the server rejects an object for a value at the place, whatever is around it.
func (p *Place) refuses(g *sample.Generator, v any) bool {
	object := g.Forced(p.way, v)
	at := sample.Concrete(p.way)
	return slices.ContainsFunc(p.Version.Admit(object).Causes, func(c request.Cause) bool { return c.Path.Compare(at) == 0 })
}

func isScalar(v any) bool {
	switch v.(type) {
	case map[string]any, []any:
		return false
	}
	return true
}

// isOf reports whether a literal of a rule is of a type.
func isOf(literal any, kind string) bool {
	_, isText := literal.(string)
	return isText && kind == "string" || !isText && (kind == "integer" || kind == "number") || kind == "integer or string"
}

// write is a value as a manifest has it.
func write(v any, asJSON bool) string {
	if s, is := v.(string); is && !asJSON {
		if yaml11.PlainSafe(s) {
			return s
		}
		return yaml11.Quote(s)
	}
	out, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(out)
}
