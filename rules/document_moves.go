package rules

import (
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/repair"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A move takes a field from where one API version has it to where the other has it. Apply says whether it did; it does
// nothing where both places are taken.
type move struct {
	from  string // path with [*] for every index
	to    string // where it belongs, for messages
	apply func(c *crd.CRD, path string) bool
}

// toV1 are the fields that v1beta1 has in another place, toV1beta1 those that v1 has.
var (
	toV1 = []move{
		{"spec.version", "spec.versions, as the name of an entry", versionToList},
		{"spec.validation", "versions[*].schema", intoVersions("schema")},
		{"spec.subresources", "versions[*].subresources", intoVersions("subresources")},
		{"spec.additionalPrinterColumns", "versions[*].additionalPrinterColumns", intoVersions("additionalPrinterColumns")},
		{"spec.selectableFields", "versions[*].selectableFields", intoVersions("selectableFields")},
		{"spec.versions[*].additionalPrinterColumns[*].JSONPath", "jsonPath", respell("jsonPath")},
		{"spec.conversion.webhookClientConfig", "webhook.clientConfig", intoWebhook("clientConfig")},
		{"spec.conversion.conversionReviewVersions", "webhook.conversionReviewVersions", intoWebhook("conversionReviewVersions")},
	}
	toV1beta1 = []move{
		{"spec.additionalPrinterColumns[*].jsonPath", "JSONPath", respell("JSONPath")},
		{"spec.versions[*].additionalPrinterColumns[*].jsonPath", "JSONPath", respell("JSONPath")},
		{"spec.conversion.webhook", "webhookClientConfig and conversionReviewVersions of spec.conversion", outOfWebhook},
	}
)

// versionToList makes spec.version the only entry of spec.versions, or removes it where there are entries.
func versionToList(c *crd.CRD, _ string) bool {
	spec := crd.Get(c.Node, "spec")
	name := crd.StringAt(spec, "version")
	if len(itemsOf(crd.Get(spec, "versions"))) > 0 {
		k, _ := takeEntry(spec, "version")
		return k != nil
	}
	k, _ := crd.Lookup(spec, "version")
	if name == "" || k == nil || !slices.Contains(spec.Content, k) {
		return false
	}
	repair.Remove(spec, "versions")
	repair.Rename(spec, "version", "versions")
	repair.Set(spec, "versions", repair.List(
		repair.Mapping("name", repair.String(name), "served", repair.Bool(true), "storage", repair.Bool(true))))
	return true
}

// intoVersions moves a top-level field into every version: the entry itself into the first, copies into the others.
func intoVersions(to string) func(*crd.CRD, string) bool {
	return func(c *crd.CRD, path string) bool {
		spec := crd.Get(c.Node, "spec")
		versions := itemsOf(crd.Get(spec, "versions"))
		taken := func(v *yaml.Node) bool {
			v = crd.Deref(v)
			return v.Kind != yaml.MappingNode || hasValue(v, to)
		}
		if len(versions) == 0 || slices.ContainsFunc(versions, taken) {
			return false
		}
		k, v := takeEntry(spec, crd.LastField(path))
		if k == nil {
			return false
		}
		for i, item := range versions {
			key, value := k, v
			if i > 0 {
				key, value = crd.Clone(k), crd.Clone(v)
				repair.StripAnchors(value)
			}
			putEntry(crd.Deref(item), key, value, to)
		}
		return true
	}
}

// respell gives a field that is where it belongs its other name.
func respell(to string) func(*crd.CRD, string) bool {
	return func(c *crd.CRD, path string) bool {
		steps := crd.Steps(path)
		parent, complete := c.Resolve(steps[:len(steps)-1])
		m := crd.Deref(parent.Node)
		if !complete || m.Kind != yaml.MappingNode || hasValue(m, to) {
			return false
		}
		repair.Remove(m, to)
		return len(repair.Rename(m, steps[len(steps)-1], to)) > 0
	}
}

// moving is an unsafe fix that takes each of some fields to another path.
func moving(title string, from, to []string) *engine.Fix {
	return &engine.Fix{Title: title, Reveals: true, Apply: func(c *crd.CRD) bool {
		did := false
		for i, path := range from {
			did = c.Move(path, to[i]) || did
		}
		return did
	}}
}

// intoWebhook moves a field of spec.conversion below spec.conversion.webhook.
func intoWebhook(to string) func(*crd.CRD, string) bool {
	return func(c *crd.CRD, path string) bool {
		conversion := crd.Get(c.Node, "spec", "conversion")
		webhook := crd.Get(conversion, "webhook")
		if hasValue(webhook, to) {
			return false
		}
		from := crd.LastField(path)
		if webhook != nil && webhook.Kind == yaml.MappingNode {
			k, v := takeEntry(conversion, from)
			if k == nil {
				return false
			}
			putEntry(webhook, k, v, to)
			return true
		}
		k, v := crd.Lookup(conversion, from)
		at := slices.Index(conversion.Content, k)
		if k == nil || at < 0 {
			return false
		}
		webhook = &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap, Style: conversion.Style & yaml.FlowStyle}
		conversion.Content[at], conversion.Content[at+1] = repair.String("webhook"), webhook
		putEntry(webhook, k, v, to)
		return true
	}
}

// outOfWebhook moves what stands below spec.conversion.webhook one level up.
func outOfWebhook(c *crd.CRD, _ string) bool {
	conversion := crd.Get(c.Node, "spec", "conversion")
	webhook := crd.Get(conversion, "webhook")
	if webhook == nil || webhook.Kind != yaml.MappingNode || len(webhook.Content) == 0 {
		return false
	}
	names := map[string]string{"clientConfig": "webhookClientConfig", "conversionReviewVersions": "conversionReviewVersions"}
	for _, e := range crd.Entries(webhook) {
		if names[e.Name] == "" || hasValue(conversion, names[e.Name]) {
			return false
		}
	}
	if k, _ := takeEntry(conversion, "webhook"); k == nil {
		return false
	}
	for _, e := range crd.Entries(webhook) {
		putEntry(conversion, e.Key, e.Value, names[e.Name])
	}
	return true
}

// wrapSchema puts openAPIV3Schema between a wrapper and the schema that stands directly in it.
func wrapSchema(c *crd.CRD, path string) bool {
	at, complete := c.Resolve(crd.Steps(path))
	m := crd.Deref(at.Node)
	if !complete || m.Kind != yaml.MappingNode || hasValue(m, "openAPIV3Schema") || len(m.Content) == 0 {
		return false
	}
	repair.Remove(m, "openAPIV3Schema")
	inner := &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap, Style: m.Style & yaml.FlowStyle, Content: m.Content}
	m.Content = []*yaml.Node{repair.String("openAPIV3Schema"), inner}
	return true
}
