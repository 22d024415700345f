package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/lint"
	"sigs.k8s.io/kustomize/kyaml/yaml"
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
				f := refuseStrict(p, u, fmt.Sprintf(
					"%s stands directly below %s, which has no such field; put openAPIV3Schema between them", u.Name(), crd.LastField(wrapper)))
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
		Meant:    misspelt,
		Run:      reportUnknown,
	}
)

// refuseStrict reports what a v1 server refuses when it decodes strictly, where it does; servers of v1beta1 did not.
func refuseStrict(p *engine.Pass, u crd.UnknownField, message string) *engine.Finding {
	at := crd.Place{Node: u.Key, Path: u.Place.Path}
	if p.CRD.Version == crd.V1 && !u.Lenient {
		return p.Refuse(at, message)
	}
	return p.Report(at, message)
}

type unknownKey struct{}

// unknownFields are the fields that the CRD's API version does not have, by the rule that reports them. Of a schema
// without its wrapper only the first keyword is.
func unknownFields(p *engine.Pass) map[string][]crd.UnknownField {
	return engine.Memo(p, unknownKey{}, func() map[string][]crd.UnknownField {
		byRule := map[string][]crd.UnknownField{}
		if p.CRD.Version != crd.V1 && p.CRD.Version != crd.V1beta1 {
			return byRule
		}
		misspelt, others := p.UnknownFields()
		byRule[unknownFieldID] = misspelt
		wrappers := map[*yaml.Node]bool{}
		for _, u := range others {
			rule := ruleOfUnknown(p.CRD, u)
			if rule == schemaWrapperID {
				if wrappers[u.Parent] {
					continue
				}
				wrappers[u.Parent] = true
			}
			byRule[rule] = append(byRule[rule], u)
		}
		return byRule
	})
}

// These are the IDs of rules that cannot be named in what their own Run calls.
const (
	schemaWrapperID = "schema-wrapper-missing"
	unknownFieldID  = "unknown-field"
)

func ruleOfUnknown(c *crd.CRD, u crd.UnknownField) string {
	switch {
	case c.Version == crd.V1 && findMove(toV1, u.Place.Path) != nil && !isVersions(u):
		return "v1beta1-field-in-v1"
	case c.Version == crd.V1beta1 && findMove(toV1beta1, u.Place.Path) != nil:
		return "v1-field-in-v1beta1"
	case inWrapper(u) && crd.IsSchemaField(u.Name()) && !crd.HasValue(u.Parent, "openAPIV3Schema"):
		return schemaWrapperID
	}
	return unknownFieldID
}

// isVersions reports whether a field is spec.versions without its last letter, or one of its entries: v1beta1's version is
// a name.
func isVersions(u crd.UnknownField) bool {
	n := crd.Deref(u.Place.Node)
	return u.Place.Path == "spec.version" && n != nil && n.Kind != yaml.ScalarNode && !crd.HasValue(u.Parent, "versions")
}

// misspelt is the path where an unknown field of a v1 manifest was meant to stand, where that is plain: the field has its
// name there, or one that is near and not written already. It is "" for others. Servers drop fields of v1beta1, and below
// items, without a word, and judge what is left.
func misspelt(c *crd.CRD, u crd.UnknownField) string {
	if c.Version != crd.V1 || u.Lenient || ruleOfUnknown(c, u) != unknownFieldID {
		return ""
	}
	if meant := plainlyMeant(u, u.Nearest()); u.Home.Path == "" && meant != "" {
		return u.Beside(meant)
	}
	return u.Home.Path
}

// plainlyMeant is the only one of the fields that an unknown one may have been meant to be; "" where there are several or
// it is written, too.
func plainlyMeant(u crd.UnknownField, near []string) string {
	if len(near) != 1 || crd.HasValue(u.Parent, near[0]) {
		return ""
	}
	return near[0]
}

var wrapperPath = regexp.MustCompile(`^spec\.(versions\[\d+\]\.schema|validation)\.[^.\[]+$`)

// inWrapper says whether a field stands where only openAPIV3Schema does.
func inWrapper(u crd.UnknownField) bool { return wrapperPath.MatchString(u.Place.Path) }

var anyIndex = regexp.MustCompile(`\[\d+\]`)

func findMove(moves []move, path string) *move {
	if !strings.HasPrefix(path, "spec.") || strings.Contains(path, "openAPIV3Schema") {
		return nil
	}
	path = anyIndex.ReplaceAllString(path, "[*]")
	if i := slices.IndexFunc(moves, func(m move) bool { return m.from == path }); i >= 0 {
		return &moves[i]
	}
	return nil
}

// misplaced reports what stands where the other API version has it.
func misplaced(p *engine.Pass, moves []move, version string) {
	for _, u := range unknownFields(p)[p.Rule().ID] {
		path, m := u.Place.Path, findMove(moves, u.Place.Path)
		name := u.Name()
		f := refuseStrict(p, u, fmt.Sprintf("%s has no field %q here; it belongs to %s", version, name, m.to))
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
		message := fmt.Sprintf("%s has no field %s here", p.CRD.Version, quoted(name))
		near := u.Nearest()
		switch {
		case len(near) > 0:
			message += "; did you mean " + strings.Join(near, " or ") + "?"
		case inWrapper(u) && crd.IsSchemaField(name):
			message = name + besideSchema
		case u.LooksLikeProperty():
			message = astray(p.CRD.Version, u, name, false)
		case u.InSchema() && foreignKeyword(name) != "":
			message = foreignKeyword(name)
		}
		f := refuseStrict(p, u, message)
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
		return fmt.Sprintf("schemas take no extension %s, only those of x-kubernetes-*; remove it", quoted(name))
	case instead == "":
		return fmt.Sprintf("schemas of CustomResourceDefinitions have no %s; remove it", name)
	}
	return fmt.Sprintf("schemas of CustomResourceDefinitions have no %s; remove it, %s", name, instead)
}
