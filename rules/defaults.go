package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// enforcedDefaults are about defaults that the API server refuses.
var enforcedDefaults = []*engine.Rule{
	{
		ID:       "default-in-v1beta1",
		Summary:  "defaults in v1beta1 manifests",
		Severity: lint.Error,
		Run: func(p *engine.Pass) {
			if all := p.Refusals(); len(all) > 0 {
				first := slices.MinFunc(all, func(a, b engine.Refusal) int { return byLine(a.At, b.At) })
				message := "v1beta1 cannot create a CRD with defaults; convert it to apiextensions.k8s.io/v1"
				if n := len(all); n > 1 {
					message = fmt.Sprintf("v1beta1 cannot create a CRD with defaults, and this has %d; convert it to apiextensions.k8s.io/v1", n)
				}
				p.Refuse(first.At, message)
			}
			unconvertible(p, nil)
		},
	},
	{
		ID:       "default-requires-pruning",
		Summary:  "defaults in CRDs that keep unknown fields",
		Severity: lint.Error,
		Run: enforced(func(p *engine.Pass, r engine.Refusal) {
			f := p.Refuse(r.At, "the schema has defaults, which need pruning; remove preserveUnknownFields: true")
			f.Fix = &engine.Fix{Title: "remove preserveUnknownFields, so that unknown fields are pruned", Reveals: true, Apply: func(c *crd.CRD) bool {
				return len(layout.Remove(crd.Get(c.Node, "spec"), "preserveUnknownFields")) > 0
			}}
		}),
	},
	{
		ID:       "default-invalid",
		Summary:  "defaults that their own schema refuses",
		Severity: lint.Error,
		Run:      perDefault(invalidDefault),
	},
	{
		ID:       "default-unknown-fields",
		Summary:  "defaults with fields that the schema does not have",
		Severity: lint.Error,
		Run:      perDefault(unknownInDefault),
	},
	{
		ID:       "default-in-metadata",
		Summary:  "defaults of metadata, apiVersion and kind that cannot be",
		Severity: lint.Error,
		Run:      perDefault(defaultInMetadata),
	},
	{
		ID:       "default-violates-cel",
		Summary:  "defaults that an x-kubernetes-validations rule refuses",
		Severity: lint.Error,
		Run:      perDefault(defaultBreaksRule),
	},
}

// byLine orders places as they stand in the file.
func byLine(a, b crd.Place) int {
	if a.Node == nil || b.Node == nil {
		return 0
	}
	if a.Node.Line != b.Node.Line {
		return a.Node.Line - b.Node.Line
	}
	return a.Node.Column - b.Node.Column
}

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
	return text.Sprintf("the default of %s", short(d.Schema.FieldPath()))
}

// perDefault is enforced for errors about the values of defaults: those about one default are told together.
func perDefault(explain func(*engine.Pass, givenDefault)) func(*engine.Pass) {
	return func(p *engine.Pass) {
		index := map[string]int{}
		var all []givenDefault
		for _, r := range p.Refusals() {
			path, _ := cutDefault(r.Field)
			i, known := index[path]
			if !known {
				i = len(all)
				index[path] = i
				all = append(all, defaultAt(p, path))
			}
			all[i].Errors = append(all[i].Errors, r)
		}
		for _, d := range all {
			explain(p, d)
		}
		unconvertible(p, func(p *engine.Pass, r engine.Refusal) {
			path, _ := cutDefault(r.Field)
			if d := defaultAt(p, path); d.Schema != nil {
				d.Errors = []engine.Refusal{r}
				explain(p, d)
			}
		})
	}
}

// defaultAt is the default that a path of the API server leads to; without a schema when there is none.
func defaultAt(p *engine.Pass, path string) givenDefault {
	s, _ := p.CRD.LocateSchema(path)
	return givenDefault{At: p.CRD.Locate(path), Schema: s}
}

// cutDefault divides the path of an error into that of the default it is about, and the way inside of the default.
func cutDefault(path string) (outer, inner string) {
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

// more says how many errors about the same default are not told.
func more(n int) string {
	if n == 0 {
		return ""
	}
	return " (and " + text.Count(n, "more error") + ")"
}

// inside is a way into a default in a message.
func inside(inner string) text.Text {
	if inner == "" {
		return text.Text{}
	}
	return text.Sprintf(" at %s", short(inner))
}
