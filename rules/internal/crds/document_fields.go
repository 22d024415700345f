package crds

import (
	"regexp"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// refuseStrictf reports what a v1 server refuses when it decodes strictly, where it does; servers of v1beta1 did not.
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
// items, without a word, and judge what is left.
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

var wrapperPath = regexp.MustCompile(`^spec\.(versions\[\d+\]\.schema|validation)\.[^.\[]+$`)

// inWrapper reports whether a field stands where only openAPIV3Schema does.
func inWrapper(u crd.UnknownField) bool { return wrapperPath.MatchString(u.Place.Path) }

var anyIndex = regexp.MustCompile(`\[\d+\]`)

func findMove(moves []fieldMove, path string) *fieldMove {
	if !strings.HasPrefix(path, "spec.") || strings.Contains(path, "openAPIV3Schema") {
		return nil
	}
	path = anyIndex.ReplaceAllString(path, "[*]")
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
