package conversion

import (
	"fmt"
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/repair"
	"github.com/crdlift/crdlift/internal/yaml11"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// liftedFields are the top-level fields of v1beta1 that every version has for itself in v1, in the order in which v1
// manifests list them.
var liftedFields = []struct{ from, to string }{
	{"validation", "schema"},
	{"subresources", "subresources"},
	{"additionalPrinterColumns", "additionalPrinterColumns"},
	{"selectableFields", "selectableFields"},
}

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
	for _, f := range liftedFields {
		j.liftField(spec, versions, f.from, f.to)
	}
	j.renameJSONPath(versions)
	j.liftWebhook(crd.Get(spec, "conversion"))
	j.preserveUnknownFields(spec)
	if crd.StringAt(spec, "scope") == "" && j.input.Version == crd.V1beta1 {
		touched := repair.Set(spec, "scope", repair.String("Namespaced"))
		j.did("default-written-out", "spec", "scope: Namespaced, the default of v1beta1, is written out: v1 has none", spec).touch(touched...)
	}
	j.dropServerFields(root)
}

func (j *job) setVersion(v crd.Version) {
	version := crd.Get(j.work.Node, "apiVersion")
	j.did("api-version-changed", "apiVersion", fmt.Sprintf("apiVersion is %s/%s now", crd.Group, v), version).touch(version)
	version.Value = crd.Group + "/" + string(v)
	j.work.Version = v
}

// liftVersions turns `version` into `versions`.
func (j *job) liftVersions(spec *yaml.Node) {
	k, v := crd.Lookup(spec, "version")
	if k == nil {
		return
	}
	name := crd.StringAt(spec, "version")
	if versions := crd.Get(spec, "versions"); versions != nil && versions.Kind == yaml.SequenceNode && len(versions.Content) > 0 || name == "" {
		j.remove(spec, "version", "spec", "version-field-removed", "spec.version was removed in v1; spec.versions already says the same")
		return
	}
	j.noteShadowed(spec, "version", "spec")
	repair.Remove(spec, "versions") // empty, or it would count
	item := repair.Mapping("name", repair.String(name), "served", repair.Bool(true), "storage", repair.Bool(true))
	n := j.did("version-became-versions", "spec.version", "version became the only entry of versions, served and stored", k).touch(v)
	n.touch(repair.Rename(spec, "version", "versions")...)
	repair.Set(spec, "versions", repair.List(item))
}

// maxRequest is what API servers take of a request in bytes (MaxRequestBodyBytes of k8s.io/apiserver's Config).
const maxRequest = 3 << 20

// tooLarge reports a CRD of so many versions that their copies of what they share, as JSON, are more than a server takes.
// They would also be more than is worth making.
func (j *job) tooLarge(spec, versions *yaml.Node) bool {
	if versions == nil || len(versions.Content) < 2 {
		return false
	}
	size := 0
	var at crd.Place // of the largest
	largest := 0
	for _, f := range liftedFields {
		k, v := crd.Lookup(spec, f.from)
		if k == nil {
			continue
		}
		raw, err := yaml11.ToJSON(v)
		if err != nil {
			continue // which the server cannot read, either
		}
		size += len(raw)
		if len(raw) > largest {
			largest, at = len(raw), crd.Place{Node: k, Path: "spec." + f.from}
		}
	}
	if total := size * len(versions.Content); total > maxRequest {
		j.report("manifest-too-large", at, fmt.Sprintf(
			"v1 has no top-level %s: with a copy in each of %d versions the manifest would have %d MB, and API servers take requests of up to 3 MB; remove versions that nobody uses",
			crd.LastField(at.Path), len(versions.Content), (total+1<<20-1)>>20))
		return true
	}
	return false
}

// liftField moves a top-level field into every version. The first version gets the entry itself, with its
// comments; the others get copies.
func (j *job) liftField(spec, versions *yaml.Node, from, to string) {
	k, v := crd.Lookup(spec, from)
	if k == nil {
		return
	}
	path := "spec." + from
	if crd.IsNull(v) || versions == nil || len(versions.Content) == 0 {
		j.remove(spec, from, "spec", "empty-field-removed", from+" is gone from v1")
		return
	}
	for _, item := range versions.Content {
		if own, _ := crd.Lookup(item, to); own != nil && !crd.IsNull(crd.Get(item, to)) {
			if j.input.Version == crd.V1 {
				j.both(k, path, to+" of the versions")
				return
			}
			j.report("empty-top-level-columns", crd.Place{Node: k, Path: path},
				"a server lets this override what the versions have for themselves; remove it, or remove theirs")
			return
		}
	}
	j.noteShadowed(spec, from, "spec")
	n := j.did("moved-into-versions", path, "moved into every version, as "+to, k)
	repair.Remove(spec, from)
	if from != to {
		n.touch(k)
	}
	k.Value = to
	for i, item := range versions.Content {
		item = crd.Deref(item)
		key, value := k, v
		if i > 0 {
			key, value = crd.Clone(k), crd.Clone(v)
			repair.StripAnchors(value)
		}
		repair.Remove(item, to) // a null one
		n.touch(flowLines(item)...)
		item.Content = append(item.Content, key, value)
		j.lifted[crd.Item("spec.versions", i)+"."+to] = path
	}
	n.touch(flowLines(spec)...)
}

// flowLines lists the nodes at whose line ends a comma may come or go when a flow mapping changes.
func flowLines(m *yaml.Node) []*yaml.Node {
	if m.Style&yaml.FlowStyle == 0 {
		return nil
	}
	return append([]*yaml.Node{m}, m.Content...)
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
					touch(repair.Rename(crd.Deref(column), "JSONPath", "jsonPath")...)
			}
		}
	}
}

// liftWebhook puts what concerns the webhook below `webhook`, and writes out the review version that v1beta1
// took for granted.
func (j *job) liftWebhook(conversion *yaml.Node) {
	if conversion == nil || conversion.Kind != yaml.MappingNode {
		return
	}
	const path = "spec.conversion"
	config, configValue := j.lookupOrDrop(conversion, "webhookClientConfig", path)
	reviews, reviewsValue := j.lookupOrDrop(conversion, "conversionReviewVersions", path)
	for _, leftover := range []struct {
		key  *yaml.Node
		name string
	}{{config, "clientConfig"}, {reviews, "conversionReviewVersions"}} {
		if leftover.key != nil && crd.Get(conversion, "webhook", leftover.name) != nil {
			j.both(leftover.key, crd.Join(path, leftover.key.Value), "webhook."+leftover.name)
			return
		}
	}
	isWebhook := crd.StringAt(conversion, "strategy") == "Webhook"
	if config == nil && reviews == nil && (!isWebhook || crd.Get(conversion, "webhook") != nil) {
		return
	}
	webhook := webhookOf(conversion, config, reviews)
	if config != nil {
		j.noteShadowed(conversion, "webhookClientConfig", path)
		repair.Remove(conversion, "webhookClientConfig")
		config.Value = "clientConfig"
		webhook.Content = append(webhook.Content, config, configValue)
		j.did("webhook-client-config-moved", path, "webhookClientConfig is webhook.clientConfig in v1", config).touch(config).touch(flowLines(conversion)...)
	}
	if isWebhook && reviews != nil && len(crd.Deref(reviewsValue).Content) == 0 {
		// an empty list is defaulted like a missing one
		j.remove(conversion, "conversionReviewVersions", path, "empty-field-removed", "an empty list stood for the default")
		reviews = nil
	}
	if reviews != nil {
		j.noteShadowed(conversion, "conversionReviewVersions", path)
		repair.Remove(conversion, "conversionReviewVersions")
		webhook.Content = append(webhook.Content, reviews, reviewsValue)
		j.did("review-versions-moved", path, "conversionReviewVersions is webhook.conversionReviewVersions in v1", reviews).touch(flowLines(conversion)...)
	} else if isWebhook && crd.Get(webhook, "conversionReviewVersions") == nil {
		webhook.Content = append(webhook.Content, repair.String("conversionReviewVersions"), repair.List(repair.String("v1beta1")))
		j.did("default-written-out", path,
			`conversionReviewVersions: ["v1beta1"], the default of v1beta1, is written out: v1 has none`, conversion)
	}
}

// lookupOrDrop returns an entry, and removes one that is null; then the key is nil, as without an entry.
func (j *job) lookupOrDrop(from *yaml.Node, name, path string) (key, value *yaml.Node) {
	key, value = crd.Lookup(from, name)
	if key != nil && crd.IsNull(value) {
		j.remove(from, name, path, "empty-field-removed", "null is the same as nothing")
		return nil, nil
	}
	return key, value
}

// webhookOf returns the mapping of `webhook`. Without one, it puts one where the first of the keys that move into it
// stands, or last.
func webhookOf(conversion *yaml.Node, moving ...*yaml.Node) *yaml.Node {
	webhook := crd.Get(conversion, "webhook")
	if webhook != nil && webhook.Kind == yaml.MappingNode {
		return webhook
	}
	webhook = &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap, Style: conversion.Style & yaml.FlowStyle}
	at := len(conversion.Content)
	for i := 0; i < len(conversion.Content); i += 2 {
		if slices.Contains(moving, conversion.Content[i]) {
			at = i
			break
		}
	}
	conversion.Content = slices.Concat(conversion.Content[:at], []*yaml.Node{repair.String("webhook"), webhook}, conversion.Content[at:])
	return webhook
}

// preserveUnknownFields removes the field, whose true v1 refuses and whose false it implies, or writes the explicit
// false that an object which exists from v1beta1 needs.
func (j *job) preserveUnknownFields(spec *yaml.Node) {
	const key, removed = "preserveUnknownFields", "preserve-unknown-fields-removed"
	k, v := crd.Lookup(spec, key)
	value, _ := crd.BoolAt(spec, key)
	switch {
	case j.opt.UpgradeInPlace && k != nil && !crd.IsNull(v) && !value:
	case j.opt.UpgradeInPlace:
		touched := repair.Set(spec, key, repair.Bool(false))
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
		j.remove(spec, key, "spec", removed, "preserveUnknownFields is gone: v1 always prunes").differs("spec." + key)
	}
}

// serverFields are the fields of metadata that servers write. In a manifest they are ignored, or refused.
var serverFields = []string{"creationTimestamp", "uid", "resourceVersion", "generation", "managedFields", "selfLink", "namespace"}

// dropServerFields removes what only a server's copy of the object has.
func (j *job) dropServerFields(root *yaml.Node) {
	metadata := crd.Get(root, "metadata")
	for _, key := range serverFields {
		if k, _ := crd.Lookup(metadata, key); k != nil {
			j.remove(metadata, key, "metadata", "server-field-removed", key+" belongs to the server; it was removed").differs("metadata." + key)
			if len(metadata.Content) == 0 {
				metadata.Style |= yaml.FlowStyle
			}
		}
	}
	if k, _ := crd.Lookup(root, "status"); k != nil && !j.opt.KeepStatus {
		j.remove(root, "status", "", "server-field-removed", "status belongs to the server, which ignores it here; it was removed")
	}
}
