package crd

import (
	"slices"
	"strings"
)

// A Patch is the content, besides schemas, that a part of a CRD, such as a kustomize patch, adds to the CRD of its
// name.
type Patch struct {
	Name        string   // metadata.name
	Converts    bool     // spec.conversion asks a webhook
	CABundle    bool     // spec.conversion has the webhook's certificate
	Annotations []string // their keys
}

// Patch sums a part up.
func (c *CRD) Patch() Patch {
	conversion := Get(c.Node, "spec", "conversion")
	p := Patch{
		Name:     c.Name(),
		Converts: StringAt(conversion, "strategy") == "Webhook",
		CABundle: StringAt(conversion, "webhook", "clientConfig", "caBundle") != "" || StringAt(conversion, "webhookClientConfig", "caBundle") != "",
	}
	for _, e := range Entries(Get(c.Node, "metadata", "annotations")) {
		p.Annotations = append(p.Annotations, e.Name)
	}
	return p
}

// A Lack is what a CRD misses and a patch may add: one of several things.
type Lack struct {
	Converts, CABundle bool     // as a Patch has them
	Annotations        []string // beginnings of their keys
}

// In reports whether a patch adds it.
func (l *Lack) In(p Patch) bool {
	return l.Converts && p.Converts || l.CABundle && p.CABundle || slices.ContainsFunc(p.Annotations, func(key string) bool {
		return slices.ContainsFunc(l.Annotations, func(prefix string) bool { return strings.HasPrefix(key, prefix) })
	})
}
