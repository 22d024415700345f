package crds

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/ordered"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Every field that the API version does not have is reported by one of these rules: where it is the other version's
// spelling, where a schema lacks its wrapper, and else.
var (
	v1beta1FieldInV1 = Check(lint.Error, "v1beta1-field-in-v1", "fields of v1beta1 in a v1 manifest",
		func(p *engine.Pass) { misplaced(p, toV1, "v1") })

	v1FieldInV1beta1 = Following([]string{"printer-column-required"},
		Check(lint.Error, "v1-field-in-v1beta1", "fields of v1 in a v1beta1 manifest", func(p *engine.Pass) { misplaced(p, toV1beta1, "v1beta1") }))

	schemaWrapperMissing = Check(lint.Error, schemaWrapperID, "schemas without openAPIV3Schema around them", func(p *engine.Pass) {
		for _, u := range unknownFields(p)[p.Rule().ID] {
			wrapper := strings.TrimSuffix(u.Place.Path, "."+u.Name())
			f := refuseStrictf(p, u, crd.WrapperMissing, u.Name(), crd.LastField(wrapper))
			f.Fix = &engine.Fix{Title: "put openAPIV3Schema around the schema", Reveals: true, Apply: func(c *crd.CRD) bool {
				at, complete := c.Resolve(crd.Steps(wrapper))
				return complete && layout.WrapSchema(crd.Deref(at.Node))
			}}
		}
	})

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
		f := refuseStrictf(p, u, "%s has no field %q here; move it to %s", version, name, m.to)
		if strings.EqualFold(name, m.to) {
			f.Message = fmt.Sprintf("%s spells %s as %s; rename it", version, name, m.to)
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
			message = text.Quoted(name).String() + besideSchema
		case u.LooksLikeProperty():
			message = astray(p.CRD.Version, u, []string{name})
		case u.InSchema() && foreignKeyword(name) != "":
			message = foreignKeyword(name)
		default:
			message += "; remove it"
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
		return fmt.Sprintf("schemas accept no extension %s, only those of x-kubernetes-*; remove it", text.Quoted(name))
	case instead == "":
		return fmt.Sprintf("schemas of CustomResourceDefinitions have no %s; remove it", name)
	}
	return fmt.Sprintf("schemas of CustomResourceDefinitions have no %s; remove it, %s", name, instead)
}

// besideSchema follows the name of a keyword.
const besideSchema = " is next to openAPIV3Schema, where it is not a field; indent it under openAPIV3Schema"

// misplacedTogether are the fields of one mapping that belong to one other, by the path of the first: the indentation of
// several lines is one mistake.
func misplacedTogether(unknown []crd.UnknownField) map[string][]crd.UnknownField {
	together := map[string][]crd.UnknownField{}
	for _, fields := range ordered.Grouped(unknown, func(u crd.UnknownField) [2]string { return [2]string{u.Beside(""), u.Home.Holder()} }) {
		fields = slices.DeleteFunc(fields, func(u crd.UnknownField) bool { return u.Home.Path == "" })
		if len(fields) > 0 {
			together[fields[0].Place.Path] = fields
		}
	}
	return together
}

// reportAstray reports fields that the API has, but in another mapping.
func reportAstray(p *engine.Pass, fields []crd.UnknownField) {
	var names, from, to []string
	for _, u := range fields {
		names = append(names, u.Name())
		from = append(from, u.Place.Path)
		to = append(to, u.Home.Path)
	}
	first, listed := fields[0], text.And(names)
	f := refuseStrictf(p, first, "%s", astray(p.CRD.Version, first, names))
	if p.CRD.Version == crd.V1beta1 {
		f.AtMost(lint.Warning)
	}
	f.Fix = moving(fmt.Sprintf("move %s to %s", listed, homeName(first.Home)), from, to)
}

func astray(v crd.Version, u crd.UnknownField, all []string) string {
	names := text.And(Mapped(all, strconv.Quote))
	areNot, field, they := "is not a keyword", "field "+names, "it"
	if len(all) > 1 {
		areNot, field, they = "are not keywords", "fields "+names, "them"
	}
	switch {
	case u.Home.Up == 3:
		return fmt.Sprintf("%s is listed under properties, whose keys are fields of the resource; move it to %s", names, homeName(u.Home))
	case u.LooksLikeProperty() && u.Home.Up == 0:
		return fmt.Sprintf("%s %s of a schema; if a field of the resource is meant, indent it under properties", names, areNot)
	case inWrapper(u) && crd.IsSchemaField(u.Name()):
		return names + besideSchema
	}
	how := levels[u.Home.Up]
	if strings.HasSuffix(u.Home.Path, "]") {
		how = ", as an entry"
	}
	return fmt.Sprintf("%s has no %s here; move %s to %s%s", v, field, they, homeName(u.Home), how)
}

// levels say how far away a home is.
var levels = map[int]string{1: ", one level up", 2: ", two levels up", -1: ", one level down"}

// homeName names the mapping or list that fields belong to.
func homeName(h crd.Home) string {
	switch holder := h.Holder(); {
	case holder == "":
		return "the top level"
	case strings.HasSuffix(holder, ".properties"):
		return "properties"
	default:
		return holder
	}
}

// refuseStrictf reports what a v1 server rejects when it decodes strictly, where it does; servers of v1beta1 did not.
func refuseStrictf(p *engine.Pass, u crd.UnknownField, format string, args ...any) *engine.Finding {
	at := crd.Place{Node: u.Key, Path: u.Place.Path}
	if p.CRD.Version == crd.V1 && !u.Lenient {
		return p.Refusef(at, format, args...)
	}
	return p.Reportf(at, format, args...)
}

// unknownFields are the fields that the CRD's API version does not have, by the rule that reports them. Of a schema
// without its wrapper only the first keyword is.
func unknownFields(p *engine.Pass) map[string][]crd.UnknownField {
	type key struct{}
	return engine.Memo(p, key{}, func() map[string][]crd.UnknownField {
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

// Misspelt is the path where an unknown field of a v1 manifest was meant to stand, where that is plain: the field has its
// name there, or one that is near and not written already. It is "" for others. Servers drop fields of v1beta1, and below
// items, without a word, and validate what is left.
func Misspelt(c *crd.CRD, u crd.UnknownField) string {
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

var wrapperPath = text.Pattern(`^spec\.(versions\[\d+\]\.schema|validation)\.[^.\[]+$`)

// inWrapper reports whether a field stands where only openAPIV3Schema does.
func inWrapper(u crd.UnknownField) bool { return wrapperPath().MatchString(u.Place.Path) }

var anyIndex = text.Pattern(`\[\d+\]`)

func findMove(moves []fieldMove, path string) *fieldMove {
	if !strings.HasPrefix(path, "spec.") || strings.Contains(path, "openAPIV3Schema") {
		return nil
	}
	path = anyIndex().ReplaceAllString(path, "[*]")
	if i := slices.IndexFunc(moves, func(m fieldMove) bool { return m.from == path }); i >= 0 {
		return &moves[i]
	}
	return nil
}

// A fieldMove takes a field from where one API version has it to where the other has it. Apply reports whether it did; it
// does nothing where both places are taken.
type fieldMove struct {
	from  string // path with [*] for every index
	to    string // where it belongs, for messages
	apply func(c *crd.CRD, path string) bool
}

// toV1 are the fields that v1beta1 has in another place, toV1beta1 those that v1 has.
var (
	toV1 = []fieldMove{
		{"spec.version", "spec.versions, as the name of an entry", versionToList},
		{"spec.validation", "versions[*].schema", intoVersions(layout.Schema)},
		{"spec.subresources", "versions[*].subresources", intoVersions(layout.Subresources)},
		{"spec.additionalPrinterColumns", "versions[*].additionalPrinterColumns", intoVersions(layout.Columns)},
		{"spec.selectableFields", "versions[*].selectableFields", intoVersions(layout.SelectableFields)},
		{"spec.versions[*].additionalPrinterColumns[*].JSONPath", "jsonPath", respell("jsonPath")},
		{"spec.conversion.webhookClientConfig", "webhook.clientConfig", intoWebhook(layout.ClientConfig)},
		{"spec.conversion.conversionReviewVersions", "webhook.conversionReviewVersions", intoWebhook(layout.ReviewVersions)},
	}
	toV1beta1 = []fieldMove{
		{"spec.additionalPrinterColumns[*].jsonPath", "JSONPath", respell("JSONPath")},
		{"spec.versions[*].additionalPrinterColumns[*].jsonPath", "JSONPath", respell("JSONPath")},
		{"spec.conversion.webhook", "webhookClientConfig and conversionReviewVersions of spec.conversion", outOfWebhook},
	}
)

// versionToList makes spec.version the only entry of spec.versions, or removes it where there are entries.
func versionToList(c *crd.CRD, _ string) bool {
	spec := crd.Get(c.Node, "spec")
	if len(crd.Items(crd.Get(spec, "versions"))) > 0 {
		k, _ := layout.Take(spec, "version")
		return k != nil
	}
	return len(layout.VersionToList(spec)) > 0
}

func intoVersions(f layout.Field) func(*crd.CRD, string) bool {
	return func(c *crd.CRD, _ string) bool { return layout.IntoVersions(crd.Get(c.Node, "spec"), f) }
}

func intoWebhook(f layout.Field) func(*crd.CRD, string) bool {
	return func(c *crd.CRD, _ string) bool { return layout.IntoWebhook(crd.Get(c.Node, "spec", "conversion"), f) }
}

// outOfWebhook moves what stands below spec.conversion.webhook one level up.
func outOfWebhook(c *crd.CRD, _ string) bool {
	return len(layout.OutOfWebhook(crd.Get(c.Node, "spec", "conversion"))) > 0
}

// respell gives a field that is where it belongs its other name.
func respell(to string) func(*crd.CRD, string) bool {
	return func(c *crd.CRD, path string) bool {
		m, name := entryAt(c, path)
		if crd.HasValue(m, to) {
			return false
		}
		layout.Remove(m, to)
		return len(layout.Rename(m, name, to)) > 0
	}
}
