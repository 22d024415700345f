package compare

import (
	"maps"
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// An API server excuses a value that breaks the schema if an update leaves it, or a value around it, as it was; this is
// called ratcheting. It compares by the schema, so that a value with a field that is not declared is never the same.
// Neither is a whole object, for its metadata. Lists that are not maps by keys are compared as they are, whatever is in
// them.

// Excused reports whether an update is excused that leaves what breaks the change's keyword as it was. Where it is not,
// no write of such an object succeeds, not even one that only removes a finalizer; at is the schema to blame: that of a
// value which is never the same. Servers that take v1beta1 excuse nothing anywhere, which no change is to blame for.
func (c *Change) Excused() (at crd.Place, excused bool) {
	if c.is.side.crd.Version != crd.V1 {
		return crd.Place{}, true
	}
	steps, excused := c.Node.Anchor().excused()      // a junctor counts as a whole
	if c.Field == "x-kubernetes-embedded-resource" { // what is wrong with those is no matter of the schema
		steps, excused = c.Node.is, c.Node.Parent == nil // nothing is at the root, which is a resource anyway
	}
	if excused {
		return crd.Place{}, true
	}
	blamed := c.is
	blamed.steps, blamed.item = steps, ""
	return blamed.find(), false
}

// excused returns false, and the steps to the schema to blame, if an update that leaves the value of a node as it was is
// not excused for what is wrong with it: neither it nor a value around it is ever the same.
func (n *Node) excused() (steps []string, excused bool) {
	if n.excuse == nil { // thousands of changes may be about one node
		holder, steps := n.correlated()
		n.excuse = &excuse{steps, false}
		if len(steps) > 0 && (len(steps) != 2 || steps[1] != "metadata") {
			below, undeclared := undeclaredIn(holder, n.keepsNow)
			n.excuse = &excuse{slices.Concat(steps, below), !undeclared}
		}
	}
	return n.excuse.steps, n.excuse.excused
}

// An excuse is what excused returns for a node.
type excuse struct {
	steps   []string
	excused bool
}

// correlated is the schema of the innermost value around a node's, or of its own, that the server compares with the one
// that it was, and the steps to it from the root.
func (n *Node) correlated() (s *v1.JSONSchemaProps, steps []string) {
	var way []*Node
	for ; n.Parent != nil; n = n.Parent {
		way = append(way, n)
	}
	s = n.New
	for _, n := range slices.Backward(way) {
		member, by := memberOf(s, n.Via, n.Name)
		if member == nil {
			break
		}
		s, steps = member, slices.Concat(steps, by)
	}
	return s, steps
}

// memberOf is the schema of values in those of a schema that the server compares one by one, and the steps to it; nil where
// it does not.
func memberOf(s *v1.JSONSchemaProps, via, name string) (member *v1.JSONSchemaProps, steps []string) {
	p, declared := s.Properties[name]
	switch {
	case via == "properties" && declared:
		return &p, []string{via, name}
	case via == "items":
		if listType(s) == "map" && s.Items != nil {
			return s.Items.Schema, []string{via}
		}
		return nil, nil
	}
	return valuesOf(s), []string{"additionalProperties"}
}

// undeclaredIn looks for a schema whose values may have fields that are not declared, among those that the server compares
// one by one. It returns the steps to it.
func undeclaredIn(s *v1.JSONSchemaProps, kept bool) (steps []string, found bool) {
	if s.XEmbeddedResource || free(s) || (kept || keeps(s)) && holdsFields(s) && s.Type != "array" && valuesOf(s) == nil {
		return nil, true
	}
	below := func(member *v1.JSONSchemaProps, by []string) bool {
		if member == nil || found {
			return found
		}
		more, undeclared := undeclaredIn(member, kept)
		if undeclared {
			steps, found = slices.Concat(by, more), true
		}
		return found
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		below(memberOf(s, "properties", name))
	}
	below(memberOf(s, "items", ""))
	below(valuesOf(s), []string{"additionalProperties"})
	return steps, found
}
