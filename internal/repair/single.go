package repair

import (
	"strings"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/layout"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A Single is one schema of a CRD in either layout, to be repaired by itself. Its methods make one repair each, and
// return its effect on custom resources: "" when there was nothing to do.
type Single struct {
	repairer
	node node
}

// At finds a schema outside of allOf, anyOf, oneOf and not by its path; nil when there is no such schema.
func At(c *crd.CRD, path string, policy Policy) *Single {
	const end = ".openAPIV3Schema"
	i := strings.Index(path, end)
	if i < 0 {
		return nil
	}
	at, complete := c.Resolve(crd.Steps(path[:i+len(end)]))
	if !complete {
		return nil
	}
	at.Node = crd.Deref(at.Node)
	n, ok := node{Place: at}.below(c, crd.Steps(strings.TrimPrefix(path[i+len(end):], ".")))
	n.Path = path
	if !ok {
		return nil
	}
	if n.Node == nil || n.Node.Kind != yaml.MappingNode {
		return nil
	}
	return &Single{repairer{policy: policy, named: map[*yaml.Node]typeSet{}}, n}
}

// Copy is the same schema in a tree of its own, for trying a repair.
func (s *Single) Copy() *Single {
	c := *s
	c.node.Node = crd.Clone(s.node.Node)
	if layout.Expandable(c.node.Node) {
		layout.ExpandAliases(c.node.Node)
	}
	return &c
}

// Node is the schema's mapping.
func (s *Single) Node() *yaml.Node { return s.node.Node }

// class returns the combined effect of the repairs made so far.
func (s *Single) class() policy.Class {
	var all policy.Class
	for _, r := range s.made {
		if all == "" || r.Class == policy.Changes {
			all = r.Class
		}
	}
	return all
}

// IntOrString writes an integer or a string in the form of a structural schema.
func (s *Single) IntOrString() policy.Class {
	s.intOrString(s.node)
	return s.class()
}

// MissingType writes the type that a schema's alternatives share or its keywords imply, or marks it as one that needs none.
func (s *Single) MissingType() policy.Class {
	s.hoistType(s.node)
	s.missingType(s.node)
	return s.class()
}

// Implied is the type that the keywords of the schema imply; "" when they and its alternatives imply none or several.
func (s *Single) Implied() string {
	if s.undecided(s.node) {
		return ""
	}
	return s.node.implied()
}

// Shared is the type of every branch of a junctor, and which junctor that is; both are "" if no junctor has one.
func (s *Single) Shared() (junctor, typ string) { return sharedType(s.node) }

// TypeMeta writes the type that apiVersion, kind and metadata always have, also over another one.
func (s *Single) TypeMeta() policy.Class {
	typ := "string"
	switch {
	case s.node.meta:
		typ = "object"
	case !s.node.typeMeta:
		return ""
	}
	if s.node.text("type") != typ {
		s.node.set("type", layout.String(typ))
		s.add(policy.Safe, "schema-type-written", s.node, "got the only type that it can have: "+typ, "type")
	}
	return s.class()
}

// MissingItems describes the items of an array that says nothing about them.
func (s *Single) MissingItems() policy.Class {
	s.missingItems(s.node)
	return s.class()
}

// Metadata reduces the root's metadata to what may be said about it.
func (s *Single) Metadata() policy.Class {
	if s.node.meta && !s.node.embedded {
		s.rootMetadata(s.node)
	}
	return s.class()
}

// Junctors repairs the branches of allOf, anyOf, oneOf and not; a type that all of one share moves out of them.
func (s *Single) Junctors() policy.Class {
	s.hoistType(s.node)
	s.junctors(s.node)
	return s.class()
}

// Declare describes a property, or the items when the name is "", of which only a junctor speaks.
func (s *Single) Declare(property string) policy.Class {
	stub := layout.Mapping(preserveKey, layout.Bool(true))
	switch {
	case property == "" && !s.node.has("items"):
		s.node.set("items", stub)
	case property == "" || s.node.has("additionalProperties"):
		return ""
	default:
		properties := s.node.get("properties")
		if properties == nil || properties.Kind != yaml.MappingNode {
			s.node.set("properties", layout.Mapping(property, stub))
		} else if k, _ := crd.Lookup(properties, property); k == nil {
			layout.Set(properties, property, stub)
		} else {
			return ""
		}
	}
	s.add(policy.Safe, "schema-declared-outside-junctor", s.node, "declared", "properties")
	return s.class()
}
