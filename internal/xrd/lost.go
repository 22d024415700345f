package xrd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/text"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// lost are the problems of what Crossplane leaves out of the schemas of the CRDs, or has its own in the place of.
func (x *definition) lost(made []*crd.CRD) []crd.Problem {
	known := &found{covered: map[string]bool{}}
	for i, c := range made {
		for _, version := range c.Versions() {
			at := version.Schema
			was, complete := x.object.Resolve(crd.Steps(at.Path))
			if !complete || at.Node == nil {
				continue
			}
			(&losses{known, was.Path, i > 0}).compare(was, crd.Deref(at.Node))
		}
	}
	return known.all
}

// found is what was found in the CRDs of an XRD so far.
type found struct {
	all     []crd.Problem
	covered map[string]bool // places of which there is nothing to tell
}

// losses are those of the schema of a version in one CRD.
type losses struct {
	*found
	root  string // its path
	claim bool   // the CRD is that of claims
}

// compare looks for entries of a rebuilt mapping that the CRD does not have, or has otherwise.
func (l *losses) compare(was crd.Place, made *yaml.Node) {
	in := strings.TrimPrefix(strings.TrimPrefix(was.Path, l.root), ".")
	own := map[string]*yaml.Node{}
	for _, e := range crd.Entries(made) {
		own[e.Name] = crd.Deref(e.Value)
	}
	for _, e := range crd.Entries(was.Node) {
		value, has := crd.Deref(e.Value), own[e.Name]
		at := crd.Place{Node: e.Key, Path: crd.Member(was.Path, e.Name)}
		below := strings.TrimPrefix(strings.TrimPrefix(at.Path, l.root), ".")
		switch {
		case has == value || isEmpty(value) && (e.Name != "default" || crd.IsNull(value)):
		case rebuilt[below] != "" && value.Kind == yaml.MappingNode && has != nil:
			l.compare(crd.Place{Node: value, Path: at.Path}, has)
		case has != nil && covers(has, value):
			l.covered[at.Path] = true
		case in == specFields || in == statusFields:
			l.add(at, crd.Overwritten, "Crossplane overwrites %s in the %s of %s; rename the field, or remove it", e.Name, rebuilt[in], l.who())
		case e.Name == "type":
			l.add(at, crd.Overwritten, "Crossplane makes %s an object; write type: object", rebuilt[in])
		case in == "" && e.Name == "required":
			if others := slices.DeleteFunc(crd.Strings(value), func(name string) bool { return name == "spec" }); len(others) > 0 {
				l.add(at, crd.Dropped, "Crossplane ignores required fields at the root except spec; remove %s from required, or require fields inside spec", text.And(others))
			}
		case in == "properties":
			l.add(at, crd.Dropped, "Crossplane keeps only fields of spec and status; move %s into one of them", e.Name)
		case strings.HasSuffix(in, "].properties"):
			l.add(at, crd.Dropped, "Crossplane keeps only maxLength of metadata.name; remove %s", e.Name)
		default:
			l.add(at, crd.Dropped, "Crossplane drops %s of %s from its CRDs; %s", e.Name, rebuilt[in], instead(e.Name, in))
		}
	}
}

func (l *losses) who() string {
	if l.claim {
		return "claims"
	}
	return "composite resources"
}

func (l *losses) add(at crd.Place, kind crd.Trouble, format string, args ...any) {
	if !l.covered[at.Path] {
		l.all = append(l.all, crd.Problem{At: at, Kind: kind, Message: fmt.Sprintf(format, args...)})
	}
	l.covered[at.Path] = true
}

// instead is what to do about a keyword of a rebuilt schema.
func instead(keyword, in string) string {
	near := text.Nearest(keyword, append(slices.Clone(taken["properties[spec]"]), "properties", "type"))
	switch {
	case in == "properties[metadata]" || in == "properties[metadata].properties[name]":
		return "remove it"
	case len(near) > 0 && !crd.IsSchemaField(keyword):
		return text.DidYouMean(near...)
	case keyword == "x-kubernetes-preserve-unknown-fields", keyword == "additionalProperties":
		return "declare the fields, or write the keyword at one field"
	case keyword == "default":
		return "write defaults at the fields below"
	case slices.Contains([]string{"allOf", "anyOf", "oneOf", "not", "minProperties", "maxProperties"}, keyword):
		return "write a rule in x-kubernetes-validations"
	}
	return "remove it"
}

// isEmpty reports whether a value says nothing.
func isEmpty(n *yaml.Node) bool {
	if n.Kind == yaml.MappingNode || n.Kind == yaml.SequenceNode {
		return len(n.Content) == 0
	}
	value, isBool := crd.BoolAt(n)
	return crd.IsNull(n) || isBool && !value || n.Value == ""
}

// covers reports whether a schema of Crossplane's has all that the XRD has in its place. Descriptions do not matter.
func covers(own, written *yaml.Node) bool {
	written = crd.Deref(written)
	if own.Kind != written.Kind {
		return false
	}
	switch own.Kind {
	case yaml.MappingNode:
		return !slices.ContainsFunc(crd.Entries(written), func(e crd.Entry) bool {
			value := crd.Get(own, e.Name)
			isText := crd.Deref(e.Value).Kind == yaml.ScalarNode
			return !(e.Name == "description" && isText) && !(value != nil && covers(value, e.Value))
		})
	case yaml.SequenceNode:
		return !slices.ContainsFunc(written.Content, func(item *yaml.Node) bool {
			return !slices.ContainsFunc(own.Content, func(has *yaml.Node) bool { return covers(has, item) })
		})
	}
	return own.Value == written.Value
}
