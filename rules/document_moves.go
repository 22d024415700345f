package rules

import (
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/layout"
)

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

// intoVersions moves a top-level field into every version.
func intoVersions(f layout.Field) func(*crd.CRD, string) bool {
	return func(c *crd.CRD, _ string) bool { return layout.IntoVersions(crd.Get(c.Node, "spec"), f) }
}

// intoWebhook moves a field of spec.conversion below spec.conversion.webhook.
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
