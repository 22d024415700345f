package crds

import (
	"fmt"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// Every field that the API version does not have is reported by one of these rules: where it is the other version's
// spelling, where a schema lacks its wrapper, and else.
var (
	v1beta1FieldInV1 = &engine.Rule{
		ID:       "v1beta1-field-in-v1",
		Summary:  "fields of v1beta1 in a v1 manifest",
		Severity: lint.Error,
		Run:      func(p *engine.Pass) { misplaced(p, toV1, "v1") },
	}

	v1FieldInV1beta1 = &engine.Rule{
		ID:       "v1-field-in-v1beta1",
		Follows:  []string{"printer-column-required"},
		Summary:  "fields of v1 in a v1beta1 manifest",
		Severity: lint.Error,
		Run:      func(p *engine.Pass) { misplaced(p, toV1beta1, "v1beta1") },
	}

	schemaWrapperMissing = &engine.Rule{
		ID:       "schema-wrapper-missing",
		Summary:  "schemas without openAPIV3Schema around them",
		Severity: lint.Error,
		Run: func(p *engine.Pass) {
			for _, u := range unknownFields(p)[p.Rule().ID] {
				wrapper := strings.TrimSuffix(u.Place.Path, "."+u.Name())
				f := refuseStrictf(p, u, crd.WrapperMissing, u.Name(), crd.LastField(wrapper))
				f.Fix = &engine.Fix{Title: "put openAPIV3Schema around the schema", Reveals: true, Apply: func(c *crd.CRD) bool {
					at, complete := c.Resolve(crd.Steps(wrapper))
					return complete && layout.WrapSchema(crd.Deref(at.Node))
				}}
			}
		},
	}

	unknownField = &engine.Rule{
		ID:       "unknown-field",
		Summary:  "fields that the API does not have",
		Severity: lint.Error,
		Meant:    Misspelt,
		Run:      reportUnknown,
	}
)

// misplaced reports what stands where the other API version has it.
func misplaced(p *engine.Pass, moves []fieldMove, version string) {
	for _, u := range unknownFields(p)[p.Rule().ID] {
		path, m := u.Place.Path, findMove(moves, u.Place.Path)
		name := u.Name()
		f := refuseStrictf(p, u, "%s has no field %q here; it belongs to %s", version, name, m.to)
		if strings.EqualFold(name, m.to) {
			f.Message = fmt.Sprintf("%s writes %s as %s", version, name, m.to)
		}
		f.Fix = &engine.Fix{Title: "move " + name + " to where " + version + " has it", Reveals: true, Apply: func(c *crd.CRD) bool {
			return m.apply(c, path)
		}}
	}
}

func reportUnknown(p *engine.Pass) {
	unknown := unknownFields(p)[p.Rule().ID]
	together := misplacedTogether(unknown)
	for _, u := range unknown {
		path, name := u.Place.Path, u.Name()
		if u.Home.Path != "" {
			if fields := together[path]; len(fields) > 0 {
				reportAstray(p, fields)
			}
			continue
		}
		message := fmt.Sprintf("%s has no field %s here", p.CRD.Version, text.Quoted(name))
		near := u.Nearest()
		switch {
		case len(near) > 0:
			message += "; " + text.DidYouMean(near...)
		case inWrapper(u) && crd.IsSchemaField(name):
			message = name + besideSchema
		case u.LooksLikeProperty():
			message = astray(p.CRD.Version, u, name, false)
		case u.InSchema() && foreignKeyword(name) != "":
			message = foreignKeyword(name)
		}
		f := refuseStrictf(p, u, "%s", message)
		if p.CRD.Version == crd.V1beta1 {
			f.AtMost(lint.Warning)
		}
		if meant := plainlyMeant(u, near); meant != "" {
			f.Fix = &engine.Fix{Title: "rename " + name + " to " + meant, Reveals: true, Apply: func(c *crd.CRD) bool {
				return respell(meant)(c, path)
			}}
		}
	}
}

// foreignKeyword says what to do about a keyword that Kubernetes does not have; "" when it is none.
func foreignKeyword(name string) string {
	instead, known := crd.ForeignKeyword(name)
	switch {
	case !known && !strings.HasPrefix(name, "x-"):
		return ""
	case !known:
		return fmt.Sprintf("schemas take no extension %s, only those of x-kubernetes-*; remove it", text.Quoted(name))
	case instead == "":
		return fmt.Sprintf("schemas of CustomResourceDefinitions have no %s; remove it", name)
	}
	return fmt.Sprintf("schemas of CustomResourceDefinitions have no %s; remove it, %s", name, instead)
}
