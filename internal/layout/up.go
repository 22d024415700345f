package layout

import (
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

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

// Webhook returns the mapping spec.conversion.webhook. Where there is none it is made, before the first of the fields that
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
