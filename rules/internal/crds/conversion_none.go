package crds

import (
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// unconvertedRules are about versions that nothing converts: the API server changes the apiVersion and prunes.
var unconvertedRules = []*engine.Rule{
	Following([]string{"apply-version-field", "apply-version-field-new"}, Check(lint.Warning, "conversion-none-schema-differs",
		"fields that one version drops from another, because no webhook converts them", reportLosses)),
	Following([]string{"apply-version-field-new"}, Check(lint.Warning, "apply-version-field",
		"defaults of fields that another version lacks, and fields of other types there, because no webhook converts them", unappliable)),
}

// reportLosses compares the storage version with the others that are served. What the versions of a CRD lose belongs together: a
// webhook mends all of it.
func reportLosses(p *engine.Pass) {
	var found []*engine.Finding
	for _, pair := range Unconverted(p) {
		found = append(found, lostFields(p, pair[0], pair[1])...)
		if pair[1].Served {
			found = append(found, lostFields(p, pair[1], pair[0])...)
		}
	}
	engine.Together(found)
}

// Unconverted are the versions that are served, each with the storage version, where nothing converts between the two and
// the API server prunes.
func Unconverted(p *engine.Pass) [][2]crd.APIVersion {
	return slices.DeleteFunc(listedUnconverted(p), func(pair [2]crd.APIVersion) bool { return !pair[0].Served })
}

// listedUnconverted is Unconverted for all versions: objects were written at those that are not served any more, too.
func listedUnconverted(p *engine.Pass) (pairs [][2]crd.APIVersion) {
	c := ConversionOf(p.CRD)
	if p.Hub() == nil || c.strategy != "None" || !prunes(p) || c.At.Node == nil && p.Unfinished() {
		return nil
	}
	storage := StorageVersion(p.CRD)
	if storage == nil {
		return nil
	}
	for _, v := range p.CRD.Versions() {
		if v.Index != storage.Index {
			pairs = append(pairs, [2]crd.APIVersion{v, *storage})
		}
	}
	return pairs
}

// StorageVersion is the version that objects are stored in; nil for a CRD without one.
func StorageVersion(c *crd.CRD) *crd.APIVersion {
	for _, v := range slices.Backward(c.Versions()) {
		if v.Storage {
			return &v
		}
	}
	return nil
}

// lostFields reports the fields of one version that another one prunes. Those of a status that controllers write alone come back
// when they write it again.
func lostFields(p *engine.Pass, has, lacks crd.APIVersion) (all []*engine.Finding) {
	statusReturns := hasSubresource(has, "status") && hasSubresource(lacks, "status")
	named := map[string]string{} // fields of the other version alone, by their paths in lower case
	for _, field := range FieldsLost(lacks.Root(), has.Root()) {
		named[strings.ToLower(field.FieldPath())] = field.FieldPath()
	}
	for _, field := range FieldsLost(has.Root(), lacks.Root()) {
		if statusReturns && crd.Within(field.FieldPath(), "status") {
			continue
		}
		renamed := text.Text{}
		if name := named[strings.ToLower(field.FieldPath())]; name != "" {
			renamed = text.Sprintf(" and %s calls %s", text.Value(lacks.Name), text.Path(name))
		}
		f := p.Reportf(field.Place, "version %s has no %s, which %s has%s, and drops it; declare it, or use a conversion webhook",
			text.Value(lacks.Name), text.Path(field.FieldPath()), text.Value(has.Name), renamed)
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
	for _, e := range crd.Entries(has.Get("properties")) {
		if hasObjectMeta(has) && objectFields[e.Name] != nil {
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
