package crds

import (
	"encoding/json"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/ordered"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/yaml11"
)

// manifestNotNormal leaves to other rules the places of which they say more.
var manifestNotNormal = ofManifest(Following(
	[]string{"preserve-unknown-fields-redundant", "empty-stanza", "schema-enum-empty-or-duplicate", "server-field-stub", "metadata-server-fields"},
	convention("manifest-not-normal", "fields that API servers return in another form", func(p *engine.Pass) {
		if p.CRD.InCluster() || p.Generated() {
			return
		}
		for _, same := range ordered.Grouped(Mapped(p.CRD.Discrepancies(), discrepancyOf), func(d discrepancy) text.Text { return d.message() }) {
			engine.Together(Mapped(same, func(d discrepancy) *engine.Finding {
				f := p.Reportf(d.Key, "%s", d.message())
				f.Fix = d.fix()
				return f
			}))
		}
	})))

// A discrepancy is one of the manifest, in words.
type discrepancy struct {
	crd.Discrepancy
	field, written, returned string // the values in JSON; returned is "" where the server leaves out the field
}

func discrepancyOf(d crd.Discrepancy) discrepancy {
	said := discrepancy{Discrepancy: d, field: crd.LastField(d.Key.Path)}
	if written, err := yaml11.ToJSON(d.Value); err == nil {
		said.written = string(written)
	}
	if returned, err := json.Marshal(d.Returned); err == nil && d.Returned != nil {
		said.returned = string(returned)
	}
	return said
}

func (d discrepancy) message() text.Text {
	if d.returned == "" {
		return text.Sprintf("the API server does not return %s: %s, so Argo CD always shows a difference; remove it", d.field, text.Value(d.written))
	}
	return text.Sprintf("the API server returns %s: %s, so Argo CD always shows a difference; write that", d.field, text.Value(d.returned))
}

// fix writes what the server returns, which decodes to the same. For a CRD that was created through v1beta1, preserveUnknownFields
// is true in the cluster: apply keeps that unless the manifest says otherwise.
func (d discrepancy) fix() *engine.Fix {
	path := d.Key.Path
	if d.returned == "" {
		return removeAt("remove "+d.field, path != "spec.preserveUnknownFields", path)
	}
	return &engine.Fix{Title: "write " + d.field + " as the API server returns it", Safe: true, Apply: func(c *crd.CRD) bool {
		m, key := entryAt(c, path)
		if m == nil {
			return false
		}
		return len(layout.Set(m, key, layout.Node(d.Returned))) > 0
	}}
}
