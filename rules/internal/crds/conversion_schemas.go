package crds

import (
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/api/equality"
)

var conversionNeed = []*engine.Rule{
	Check(lint.Warning, "conversion-none-schema-differs", "versions that lose fields to each other, since nothing converts them",
		reportLosses),
	inAll(Check(lint.Warning, "conversion-webhook-single-version", "conversion webhooks of CRDs with one version", func(p *engine.Pass) {
		c := ConversionOf(p.CRD)
		versions := p.CRD.Versions()
		if c.strategy != "Webhook" || len(versions) != 1 {
			return
		}
		if old := p.Old(); old != nil && len(old.CRD.Versions()) > 1 {
			return // objects of the version that was removed may still be stored
		}
		p.Reportf(c.At.KeyOf("strategy"), "the webhook is never called: %s is the only version; strategy None does the same", text.Quoted(versions[0].Name))
	})),
	convention("conversion-webhook-identical-schemas", "conversion webhooks between versions with equal schemas", func(p *engine.Pass) {
		c := ConversionOf(p.CRD)
		hub := p.Hub()
		if c.strategy == "Webhook" && hub != nil && len(hub.Spec.Versions) > 1 && SameSchemas(hub) {
			p.Report(c.At.KeyOf("strategy"), "all versions have the same fields; strategy None converts them without a webhook")
		}
	}),
}

// reportLosses compares the storage version with the others that are served. What two versions lose to each other belongs
// together.
func reportLosses(p *engine.Pass) {
	for _, pair := range Unconverted(p) {
		found := lostFields(p, pair[0], pair[1])
		if pair[1].Served {
			found = append(found, lostFields(p, pair[1], pair[0])...)
		}
		engine.Together(found)
	}
}

// Unconverted are the versions that are served, each with the storage version, where nothing converts between the two and
// the API server prunes.
func Unconverted(p *engine.Pass) (pairs [][2]crd.APIVersion) {
	c := ConversionOf(p.CRD)
	if p.Hub() == nil || c.strategy != "None" || !prunes(p) || c.At.Node == nil && p.Unfinished() {
		return nil
	}
	storage := StorageVersion(p.CRD)
	if storage == nil {
		return nil
	}
	for _, v := range p.CRD.Versions() {
		if v.Index != storage.Index && v.Served {
			pairs = append(pairs, [2]crd.APIVersion{v, *storage})
		}
	}
	return pairs
}

// StorageVersion is the version that objects are stored in; nil when there is none.
func StorageVersion(c *crd.CRD) *crd.APIVersion {
	for _, v := range slices.Backward(c.Versions()) {
		if v.Storage {
			return &v
		}
	}
	return nil
}

// lostFields reports the fields of one version that another one prunes.
func lostFields(p *engine.Pass, has, lacks crd.APIVersion) (all []*engine.Finding) {
	for _, field := range FieldsLost(has.Root(), lacks.Root()) {
		f := p.Reportf(field.Place, "version %s has no %s, which %s has; without a conversion webhook it is pruned away",
			text.Value(lacks.Name), text.Path(field.FieldPath()), text.Value(has.Name))
		f.Versions = []string{lacks.Name, has.Name}
		f.PatchedBy = &NoWebhook
		all = append(all, f)
	}
	return all
}

// NoWebhook is what is missing where something is wrong only while nothing converts between versions.
var NoWebhook = crd.Lack{Converts: true}

// FieldsLost are the fields that one schema declares and another one does not keep. What the other one may keep counts as
// kept.
func FieldsLost(has, other *crd.Schema) (lost []*crd.Schema) {
	if has == nil || other == nil || has.Node == other.Node { // versions share a schema
		return nil
	}
	root := has.Parent == nil
	for _, e := range crd.Entries(has.Get("properties")) {
		if (root || has.Flag("x-kubernetes-embedded-resource")) && (e.Name == "metadata" || e.Name == "apiVersion" || e.Name == "kind") {
			continue
		}
		field := has.Property(e.Name)
		below, open := descend(other, pathStep{member: e.Name})
		switch {
		case below != nil:
			lost = append(lost, FieldsLost(field, below)...)
		case !open && other.Type() == "object":
			lost = append(lost, field)
		}
	}
	return slices.Concat(lost, FieldsLost(has.Items(), other.Items()), FieldsLost(has.AdditionalProperties(), other.AdditionalProperties()))
}

// SameSchemas reports whether all versions have schemas, and equal ones but for what is only said to people.
func SameSchemas(hub *apiextensions.CustomResourceDefinition) bool {
	var first *apiextensions.JSONSchemaProps
	for i := range hub.Spec.Versions {
		schema := heldSchema(hub, i)
		if schema == nil {
			return false
		}
		schema = schema.DeepCopy()
		silence(schema)
		if first == nil {
			first = schema
		} else if !equality.Semantic.DeepEqual(first, schema) {
			return false
		}
	}
	return true
}

// silence takes from a schema what says nothing to the API server.
func silence(s *apiextensions.JSONSchemaProps) {
	if s == nil {
		return
	}
	s.Description, s.Title, s.Example, s.ExternalDocs = "", "", nil, nil
	for name, p := range s.Properties {
		silence(&p)
		s.Properties[name] = p
	}
	for _, list := range [][]apiextensions.JSONSchemaProps{s.AllOf, s.AnyOf, s.OneOf} {
		for i := range list {
			silence(&list[i])
		}
	}
	silence(s.Not)
	if s.Items != nil {
		silence(s.Items.Schema)
	}
	if s.AdditionalProperties != nil {
		silence(s.AdditionalProperties.Schema)
	}
}
