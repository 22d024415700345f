package rules

import (
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/lint"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

var emptyRules = []*engine.Rule{
	{
		ID:       "empty-top-level-columns",
		Summary:  "v1beta1 manifests whose empty top-level columns would replace those of the versions",
		Severity: lint.Error,
		Run:      emptyColumns,
	},
	{
		ID:       "empty-stanza",
		Summary:  "schemas, subresources and lists of columns that hold nothing",
		Severity: lint.Info,
		Preset:   lint.Strict,
		Run:      emptyStanzas,
	},
}

// wipingColumns reports whether empty columns at the top level replace those of a version.
func wipingColumns(c *crd.CRD) bool {
	return c.Version == crd.V1beta1 && isEmptyCollection(crd.Get(c.Node, "spec", "additionalPrinterColumns")) &&
		slices.ContainsFunc(crd.Items(crd.Get(c.Node, "spec", "versions")), func(v *yaml.Node) bool {
			return len(crd.Items(crd.Get(v, "additionalPrinterColumns"))) > 0
		})
}

func emptyColumns(p *engine.Pass) {
	if !wipingColumns(p.CRD) {
		unconvertible(p, nil) // other fields that stand in both places
		return
	}
	at := writtenAt(p.CRD, "spec").KeyOf("additionalPrinterColumns")
	p.Report(at, "this empty list replaces the columns of the versions when the CRD is converted; remove it").
		Fix = removeAt("remove the empty "+at.Path, false, at.Path)
}

// emptyStanzas reports what is empty where the API has it and where that has no other effect.
func emptyStanzas(p *engine.Pass) {
	if p.Generated() || p.CRD.InCluster() {
		return
	}
	look := func(at crd.Place, fields ...string) {
		for _, field := range fields {
			if k, v := crd.Lookup(at.Node, field); k != nil && isEmptyCollection(v) {
				empty := at.KeyOf(field)
				p.Reportf(empty, "%s is empty and has no effect; remove it", field).Fix = removeAt("remove the empty "+field, true, empty.Path)
			}
		}
	}
	if p.CRD.Version == crd.V1beta1 {
		fields := []string{"validation", "subresources", "additionalPrinterColumns"}
		if wipingColumns(p.CRD) {
			fields = fields[:2]
		}
		look(writtenAt(p.CRD, "spec"), fields...)
	}
	for _, v := range writtenAt(p.CRD, "spec", "versions").Items() {
		fields := []string{"subresources", "additionalPrinterColumns", "selectableFields"}
		if p.CRD.Version == crd.V1beta1 {
			fields = append(fields[:2:2], "schema") // in v1, schema-required tells
		}
		look(v, fields...)
	}
}
