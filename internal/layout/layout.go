// Package layout moves the fields that v1beta1 and v1 have in different places of a CustomResourceDefinition from one
// place to the other, and has the verbs that change trees. The conversion, the repairs and the fixes of rules use both;
// the writer only sees the resulting trees.
//
// Read node.go, entry.go and alias.go for the verbs, then this file for the moves to v1 and back.
// write.go has documents say what an API server makes of them, with as few changes of their lines as possible. A
// move does nothing and returns that where the other place is taken; the caller reports it, and decides about the
// fields.
package layout

import (
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A Field is a field that v1beta1 and v1 have in different places, by its name in either.
type Field struct{ V1beta1, V1 string }

// InSome reports whether a version has the field itself.
func (f Field) InSome(versions *yaml.Node) bool {
	return slices.ContainsFunc(crd.Items(versions), func(item *yaml.Node) bool { return crd.HasValue(item, f.V1) })
}

// These are the fields that v1beta1 has at the top level of spec, and v1 in every version.
var (
	Schema           = Field{"validation", "schema"}
	Subresources     = Field{"subresources", "subresources"}
	Columns          = Field{"additionalPrinterColumns", "additionalPrinterColumns"}
	SelectableFields = Field{"selectableFields", "selectableFields"}
)

// PerVersion are all of them, in the order in which v1 manifests list them.
var PerVersion = []Field{Schema, Subresources, Columns, SelectableFields}

// These are the fields that v1beta1 has in spec.conversion, and v1 below spec.conversion.webhook.
var (
	ClientConfig   = Field{"webhookClientConfig", "clientConfig"}
	ReviewVersions = Field{"conversionReviewVersions", "conversionReviewVersions"}
)

// OfWebhook are both of them.
var OfWebhook = []Field{ClientConfig, ReviewVersions}

// VersionToList makes spec.version the only entry of spec.versions, served and stored. It returns the nodes whose lines
// change; none where it does nothing, since there is no such field, or it is empty or comes through a merge key.
func VersionToList(spec *yaml.Node) (touched []*yaml.Node) {
	name := crd.StringAt(spec, "version")
	k, v := crd.Lookup(spec, "version")
	if name == "" || k == nil || !slices.Contains(spec.Content, k) {
		return nil
	}
	Remove(spec, "versions") // empty, or it would count
	touched = append(Rename(spec, "version", "versions"), v)
	Set(spec, "versions", List(Mapping("name", String(name), "served", Bool(true), "storage", Bool(true))))
	return touched
}

// IntoVersions moves a top-level field into every version: the entry itself, with its comments, into the first, copies
// into the others. It reports whether it did: not where a version has the field, or spec has it through a merge key.
func IntoVersions(spec *yaml.Node, f Field) bool {
	versions := crd.Items(crd.Get(spec, "versions"))
	taken := func(v *yaml.Node) bool {
		v = crd.Deref(v)
		return v.Kind != yaml.MappingNode || crd.HasValue(v, f.V1)
	}
	if len(versions) == 0 || slices.ContainsFunc(versions, taken) {
		return false
	}
	k, v := Take(spec, f.V1beta1)
	if k == nil {
		return false
	}
	for i, item := range versions {
		key, value := k, v
		if i > 0 {
			key, value = crd.Clone(k), crd.Clone(v)
			StripAnchors(value)
		}
		Put(crd.Deref(item), key, value, f.V1)
	}
	return true
}

// IntoWebhook moves a field of spec.conversion below spec.conversion.webhook. It reports whether it did: not where the field
// is there already, or comes through a merge key.
func IntoWebhook(conversion *yaml.Node, f Field) bool {
	k, v := crd.Lookup(conversion, f.V1beta1)
	if k == nil || !slices.Contains(conversion.Content, k) || crd.HasValue(crd.Get(conversion, "webhook"), f.V1) {
		return false
	}
	webhook := Webhook(conversion, f)
	Remove(conversion, f.V1beta1)
	Put(webhook, k, v, f.V1)
	return true
}

// Webhook returns the mapping spec.conversion.webhook. If it is missing it is made, before the first of the fields that
// are to be moved into it.
func Webhook(conversion *yaml.Node, fields ...Field) *yaml.Node {
	if webhook := crd.Get(conversion, "webhook"); webhook != nil && webhook.Kind == yaml.MappingNode {
		return webhook
	}
	Remove(conversion, "webhook") // a null one
	at := len(conversion.Content)
	for _, f := range fields {
		if k, v := crd.Lookup(conversion, f.V1beta1); k != nil && !crd.IsNull(v) {
			if i := slices.Index(conversion.Content, k); i >= 0 {
				at = min(at, i)
			}
		}
	}
	webhook := &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap, Style: conversion.Style & yaml.FlowStyle}
	conversion.Content = slices.Insert(conversion.Content, at, String("webhook"), webhook)
	return webhook
}

// WrapSchema puts openAPIV3Schema between a wrapper and the schema that is directly in it. It reports whether it did.
func WrapSchema(wrapper *yaml.Node) bool {
	if wrapper == nil || wrapper.Kind != yaml.MappingNode || crd.HasValue(wrapper, "openAPIV3Schema") || len(wrapper.Content) == 0 {
		return false
	}
	Remove(wrapper, "openAPIV3Schema")
	inner := &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap, Style: wrapper.Style & yaml.FlowStyle, Content: wrapper.Content}
	wrapper.Content = []*yaml.Node{String("openAPIV3Schema"), inner}
	return true
}

// Approval is the annotation that CRDs of protected groups need.
const Approval = "api-approved.kubernetes.io"

// Unapprove annotates a CRD of a protected group as unapproved. It returns the nodes whose lines change, and reports
// whether it did it: it does not where the metadata is not a mapping.
func Unapprove(metadata *yaml.Node) (touched []*yaml.Node, did bool) {
	if metadata == nil || metadata.Kind != yaml.MappingNode {
		return nil, false
	}
	value := String("unapproved, experimental-only")
	if annotations := crd.Get(metadata, "annotations"); annotations != nil && annotations.Kind == yaml.MappingNode {
		return Set(annotations, Approval, value), true
	}
	return Set(metadata, "annotations", Mapping(Approval, value)), true
}

// CanHoist reports whether the top level is free for a field of the versions, and each of them has it itself: an entry
// of a merge key cannot be removed.
func CanHoist(spec *yaml.Node, f Field) bool {
	versions := crd.Items(crd.Get(spec, "versions"))
	return len(versions) > 0 && !crd.HasValue(spec, f.V1beta1) && !slices.ContainsFunc(versions, func(version *yaml.Node) bool {
		k, _ := crd.Lookup(version, f.V1)
		return k == nil || !slices.Contains(crd.Deref(version).Content, k)
	})
}

// Hoist moves the first version's value of a field to the top level and removes the others'. It reports whether it did; it
// does nothing where it CanHoist nothing.
func Hoist(spec *yaml.Node, f Field) bool {
	if !CanHoist(spec, f) {
		return false
	}
	versions := crd.Items(crd.Get(spec, "versions"))
	k, v := Take(versions[0], f.V1)
	if v.Kind == yaml.AliasNode { // its anchor may be in the text that is removed now
		v = crd.Clone(crd.Deref(v))
		StripAnchors(v)
	}
	for _, other := range versions[1:] {
		Remove(other, f.V1)
	}
	Put(spec, k, v, f.V1beta1)
	return true
}

// OutOfWebhook replaces spec.conversion.webhook by its fields, under the names of v1beta1. It returns the
// nodes whose lines change; none where it does nothing: webhook is empty or comes through a merge key, or it has a field
// that v1beta1 does not have, or whose place is taken.
func OutOfWebhook(conversion *yaml.Node) (touched []*yaml.Node) {
	k, webhook := crd.Lookup(conversion, "webhook")
	at := slices.Index(conversion.Content, k)
	entries := crd.Entries(webhook)
	if k == nil || at < 0 || len(entries) == 0 {
		return nil
	}
	touched = append(Separators(conversion), k)
	touched = append(touched, Separators(crd.Deref(webhook))...)
	names := map[string]string{}
	for _, f := range OfWebhook {
		names[f.V1] = f.V1beta1
	}
	unfit := func(e crd.Entry) bool { return names[e.Name] == "" || crd.HasValue(conversion, names[e.Name]) }
	if slices.ContainsFunc(entries, unfit) {
		return nil
	}
	var moved []*yaml.Node
	for _, e := range entries {
		if name := names[e.Name]; name != e.Name {
			touched = append(touched, e.Key)
			e.Key.Value = name
		}
		moved = append(moved, e.Key, e.Value)
	}
	conversion.Content = slices.Replace(conversion.Content, at, at+2, moved...)
	return touched
}
