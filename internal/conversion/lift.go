package conversion

import (
	"fmt"
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/limit"
	"github.com/crdlift/crdlift/internal/yaml11"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// lift gives the CRD the layout of v1, which testdata/convert/README.md lists, and the defaults of v1beta1 that v1 does not
// have.
func (j *job) lift() {
	root := j.work.Node
	spec := crd.Get(root, "spec")
	j.lifted = map[string]string{}

	if j.input.Version != crd.V1 {
		j.setVersion(crd.V1)
	}
	j.liftVersions(spec)
	versions := crd.Get(spec, "versions")
	if j.tooLarge(spec, versions) {
		return
	}
	for _, f := range layout.PerVersion {
		j.liftField(spec, versions, f)
	}
	j.renameJSONPath(versions)
	j.liftWebhook(crd.Get(spec, "conversion"))
	j.preserveUnknownFields(spec)
	if crd.StringAt(spec, "scope") == "" && j.input.Version == crd.V1beta1 {
		touched := layout.Set(spec, "scope", layout.String("Namespaced"))
		j.did("default-written-out", "spec", "scope: Namespaced was written out; it is the default of v1beta1, and v1 has no default", spec).touch(touched...)
	}
	j.dropServerFields(root)
}

func (j *job) setVersion(v crd.Version) {
	version := crd.Get(j.work.Node, "apiVersion")
	j.did("api-version-changed", "apiVersion", fmt.Sprintf("apiVersion is now %s/%s", crd.Group, v), version).touch(version)
	version.Value = crd.Group + "/" + string(v)
	j.work.Version = v
}

// liftVersions turns `version` into `versions`.
func (j *job) liftVersions(spec *yaml.Node) {
	k, _ := crd.Lookup(spec, "version")
	if k == nil {
		return
	}
	name := crd.StringAt(spec, "version")
	if versions := crd.Get(spec, "versions"); versions != nil && versions.Kind == yaml.SequenceNode && len(versions.Content) > 0 || name == "" {
		j.remove(spec, "version", "spec", "version-field-removed", "spec.version was removed in v1; spec.versions already has the same information")
		return
	}
	j.noteShadowed(spec, "version", "spec")
	j.did("version-became-versions", "spec.version", "version became the only entry of versions, served and stored", k).
		touch(layout.VersionToList(spec)...)
}

// tooLarge reports a CRD of so many versions that their copies of what they share, as JSON, are more than a server takes.
// They would also be more than is worth making.
func (j *job) tooLarge(spec, versions *yaml.Node) bool {
	if versions == nil || len(versions.Content) < 2 {
		return false
	}
	size := 0
	var at crd.Place // of the largest
	largest := 0
	for _, f := range layout.PerVersion {
		k, v := crd.Lookup(spec, f.V1beta1)
		if k == nil {
			continue
		}
		raw, err := yaml11.ToJSON(v)
		if err != nil {
			continue // which the server cannot read, either
		}
		size += len(raw)
		if len(raw) > largest {
			largest, at = len(raw), crd.Place{Node: k, Path: "spec." + f.V1beta1}
		}
	}
	if total := size * len(versions.Content); total > limit.Request {
		j.report("manifest-too-large", at, fmt.Sprintf(
			"v1 has no top-level %s: with a copy in each of %d versions the manifest would have %d MB, and API servers accept requests of up to 3 MB; remove versions that nobody uses",
			crd.LastField(at.Path), len(versions.Content), (total+1<<20-1)>>20))
		return true
	}
	return false
}

// liftField moves a top-level field into every version. The first version gets the entry itself, with its comments; the
// others get copies.
func (j *job) liftField(spec, versions *yaml.Node, f layout.Field) {
	k, v := crd.Lookup(spec, f.V1beta1)
	if k == nil {
		return
	}
	path := "spec." + f.V1beta1
	if crd.IsNull(v) || len(crd.Items(versions)) == 0 {
		j.remove(spec, f.V1beta1, "spec", "empty-field-removed", f.V1beta1+" is gone from v1")
		return
	}
	if f.InSome(versions) {
		if j.input.Version == crd.V1 {
			j.both(k, path, f.V1+" of the versions")
			return
		}
		message := "this replaces the versions' own " + f.V1 + " when the CRD is converted; keep one of the two"
		if f.V1 == "additionalPrinterColumns" {
			message = EmptyColumns
		}
		j.report("empty-top-level-columns", crd.Place{Node: k, Path: path}, message)
		return
	}
	j.noteShadowed(spec, f.V1beta1, "spec")
	n := j.did("moved-into-versions", path, "moved into every version, as "+f.V1, k).touch(layout.Separators(spec)...)
	if f.V1beta1 != f.V1 {
		n.touch(k)
	}
	for i, item := range versions.Content {
		n.touch(layout.Separators(crd.Deref(item))...)
		j.lifted[crd.Item("spec.versions", i)+"."+f.V1] = path
	}
	layout.IntoVersions(spec, f)
}

// renameJSONPath renames the only field of a printer column whose name changed.
func (j *job) renameJSONPath(versions *yaml.Node) {
	if versions == nil {
		return
	}
	for i, item := range versions.Content {
		columns := crd.Get(item, "additionalPrinterColumns")
		if columns == nil || columns.Kind != yaml.SequenceNode {
			continue
		}
		path := j.inputPath(crd.Item("spec.versions", i) + ".additionalPrinterColumns")
		for c, column := range columns.Content {
			if k, _ := crd.Lookup(column, "JSONPath"); k != nil {
				if crd.Get(column, "jsonPath") != nil {
					j.both(k, crd.Join(crd.Item(path, c), "JSONPath"), "jsonPath")
					continue
				}
				j.did("column-path-renamed", crd.Item(path, c), "JSONPath is spelled jsonPath in v1", k).
					touch(layout.Rename(crd.Deref(column), "JSONPath", "jsonPath")...)
			}
		}
	}
}

// EmptyColumns is the message about additionalPrinterColumns: [] next to the columns of versions.
const EmptyColumns = "the empty additionalPrinterColumns of spec replaces the columns of the versions when the CRD is converted; remove it"

// liftWebhook puts the fields of the webhook below `webhook`, and writes out the review version that v1beta1 has by default.
func (j *job) liftWebhook(conversion *yaml.Node) {
	if conversion == nil || conversion.Kind != yaml.MappingNode {
		return
	}
	const path = "spec.conversion"
	isWebhook := crd.StringAt(conversion, "strategy") == "Webhook"
	var fields []layout.Field
	for _, f := range layout.OfWebhook {
		k, v := crd.Lookup(conversion, f.V1beta1)
		switch {
		case k == nil:
		case crd.IsNull(v):
			j.remove(conversion, f.V1beta1, path, "empty-field-removed", "null means the same as no value")
		case crd.Get(conversion, "webhook", f.V1) != nil:
			j.both(k, crd.Join(path, f.V1beta1), "webhook."+f.V1)
			return
		case isWebhook && f == layout.ReviewVersions && len(crd.Items(v)) == 0:
			j.remove(conversion, f.V1beta1, path, "empty-field-removed", "an empty list meant the default")
		default:
			fields = append(fields, f)
		}
	}
	if len(fields) > 0 {
		layout.Webhook(conversion, fields...)
	}
	for _, f := range fields {
		j.noteShadowed(conversion, f.V1beta1, path)
		k, _ := crd.Lookup(conversion, f.V1beta1)
		n := j.did(webhookMoves[f], path, f.V1beta1+" is webhook."+f.V1+" in v1", k).touch(layout.Separators(conversion)...)
		if f.V1beta1 != f.V1 {
			n.touch(k)
		}
		layout.IntoWebhook(conversion, f)
	}
	if !isWebhook || slices.Contains(fields, layout.ReviewVersions) || crd.Get(conversion, "webhook") != nil && len(fields) == 0 {
		return
	}
	if webhook := layout.Webhook(conversion); crd.Get(webhook, layout.ReviewVersions.V1) == nil {
		webhook.Content = append(webhook.Content, layout.String(layout.ReviewVersions.V1), layout.List(layout.String("v1beta1")))
		j.did("default-written-out", path, `conversionReviewVersions: ["v1beta1"], the default of v1beta1, was written out; v1 has no default`, conversion)
	}
}

// webhookMoves are the notes of what moves below `webhook`.
var webhookMoves = map[layout.Field]string{layout.ClientConfig: "webhook-client-config-moved", layout.ReviewVersions: "review-versions-moved"}

// preserveUnknownFields removes the field, whose true v1 rejects and whose false it implies, or writes the explicit
// false that an object which exists from v1beta1 needs.
func (j *job) preserveUnknownFields(spec *yaml.Node) {
	const key, removed = "preserveUnknownFields", "preserve-unknown-fields-removed"
	k, v := crd.Lookup(spec, key)
	value, _ := crd.BoolAt(spec, key)
	switch {
	case j.opt.UpgradeInPlace && k != nil && !crd.IsNull(v) && !value:
	case j.opt.UpgradeInPlace:
		touched := layout.Set(spec, key, layout.Bool(false))
		at := k
		if at == nil {
			at = spec
		}
		j.did("preserve-unknown-fields-written-out", "spec."+key, "an explicit preserveUnknownFields: false, so that it also changes a stored object", at).
			touch(touched...).differs("spec." + key)
	case k == nil:
		if !pruned(j.input) {
			j.did(removed, "spec", "preserveUnknownFields was true by default; v1 always prunes", spec).differs("spec." + key)
		}
	case j.input.Version == crd.V1 && !value && len(j.notes) == 0:
		// an explicit false in a v1 manifest is somebody's intention
	default:
		j.remove(spec, key, "spec", removed, "preserveUnknownFields was removed: v1 always prunes").differs("spec." + key)
	}
}

// serverFields are the fields of metadata that servers write. In a manifest they are ignored, or rejected.
var serverFields = []string{"creationTimestamp", "uid", "resourceVersion", "generation", "managedFields", "selfLink", "namespace"}

// dropServerFields removes what only a server's copy of the object has.
func (j *job) dropServerFields(root *yaml.Node) {
	metadata := crd.Get(root, "metadata")
	for _, key := range serverFields {
		if k, _ := crd.Lookup(metadata, key); k != nil {
			j.remove(metadata, key, "metadata", "server-field-removed", key+" is written by the API server; it was removed").differs("metadata." + key)
		}
	}
	j.dropStatus(root)
}

func (j *job) dropStatus(root *yaml.Node) {
	if k, _ := crd.Lookup(root, "status"); k != nil && !j.opt.KeepStatus {
		j.remove(root, "status", "", "server-field-removed", "status was removed; only the API server writes it, and ignores it here")
	}
}
