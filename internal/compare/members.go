package compare

import (
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/sets"
)

// compareMembers compares properties and additionalProperties, which can replace each other: a field that was declared
// and is covered by additionalProperties now is compared with those, and the other way round.
func compareMembers(c *comparer, n *Node) {
	compareAdditional(c, n)
	oldValues, newValues := valuesOf(n.Old), valuesOf(n.New)
	for _, name := range union(n.Old.Properties, n.New.Properties) {
		old, was := n.Old.Properties[name]
		new, is := n.New.Properties[name]
		switch {
		case was && is:
			c.node(n.below("properties", name, &old, &new))
		case was && newValues != nil:
			child := n.below("properties", name, &old, newValues)
			child.is = step(n.is, "additionalProperties")
			c.node(child)
		case is && oldValues != nil:
			child := n.below("properties", name, oldValues, &new)
			child.was = step(n.was, "additionalProperties")
			c.node(child)
		case was:
			c.property(n, name, &old, nil)
		default:
			c.property(n, name, nil, &new)
		}
	}
}

// property compares a property that only one side has.
func (c *comparer) property(n *Node, name string, old, new *v1.JSONSchemaProps) {
	if new != nil {
		effect := Loosens // values that were pruned are stored
		if (n.Kept() || free(n.Old) || !n.Structural()) && !(n.isObject() && always(name)) {
			effect = Tightens // free values are constrained
			if AcceptsAnything(new) {
				effect = Neutral
			}
		}
		c.keyword(n, "properties", name, Added, effect, nil, new).at(nil, []string{name})
		return
	}
	effect := Loosens
	if closed(n.New) {
		effect = Tightens
	}
	change := c.keyword(n, "properties", name, Removed, effect, old, nil).at([]string{name}, []string{name})
	switch {
	case !n.Structural() || n.Keeps(), n.isObject() && always(name), n.inMetadata():
	case free(n.New):
		change.Loses = holdsFields(old) // `additionalProperties: true` keeps the field and empties objects below it
	default:
		change.Loses = true
	}
}

// valuesOf is the schema for fields that are not declared, nil when there is none.
func valuesOf(s *v1.JSONSchemaProps) *v1.JSONSchemaProps {
	if s.AdditionalProperties == nil {
		return nil
	}
	return s.AdditionalProperties.Schema
}

// free and closed report whether undeclared fields are allowed, and whether they are forbidden.
func free(s *v1.JSONSchemaProps) bool {
	return s.AdditionalProperties != nil && s.AdditionalProperties.Schema == nil && s.AdditionalProperties.Allows
}

func closed(s *v1.JSONSchemaProps) bool {
	return s.AdditionalProperties != nil && s.AdditionalProperties.Schema == nil && !s.AdditionalProperties.Allows
}

func compareAdditional(c *comparer, n *Node) {
	old, new := n.Old.AdditionalProperties, n.New.AdditionalProperties
	oldValues, newValues := valuesOf(n.Old), valuesOf(n.New)
	switch {
	case oldValues != nil && newValues != nil:
		c.node(n.below("additionalProperties", "", oldValues, newValues))
		return
	case old == nil && new == nil, old != nil && new != nil && oldValues == nil && newValues == nil && old.Allows == new.Allows:
		return
	}
	// The former and present treatment of undeclared fields: rejected, pruned, constrained by a schema, or free.
	was, is := c.undeclared(n, n.Old, n.keptBefore), c.undeclared(n, n.New, n.keepsNow)
	effect := Loosens
	switch {
	case was == is:
		effect = Neutral
	case is == "refused":
		effect = Tightens
	case is == "constrained" && was != "pruned":
		effect = Tightens
	}
	change := c.keyword(n, "additionalProperties", "", presence(old == nil, new == nil), effect, additional(old), additional(new))
	change.Loses = n.Structural() && (is == "pruned" && was != "pruned" && was != "refused" ||
		is == "free" && was == "constrained" && holdsFields(oldValues) && !n.Keeps())
}

// undeclared returns what becomes of a field that a schema does not declare.
func (c *comparer) undeclared(n *Node, s *v1.JSONSchemaProps, kept bool) string {
	switch {
	case valuesOf(s) != nil && !AcceptsAnything(valuesOf(s)) && !isEmpty(valuesOf(s)):
		return "constrained"
	case closed(s):
		return "refused"
	case valuesOf(s) != nil:
		return "free"
	case free(s), kept, keeps(s), !n.Structural():
		return "free"
	}
	return "pruned"
}

func additional(a *v1.JSONSchemaPropsOrBool) any {
	switch {
	case a == nil:
		return nil
	case a.Schema != nil:
		return a.Schema
	}
	return a.Allows
}

// compareMaxProperties compares the bound. An object that is pruned never has more fields than were declared.
func compareMaxProperties(c *comparer, n *Node) {
	old, new := n.Old.MaxProperties, n.New.MaxProperties
	if equalBounds(old, new) {
		return
	}
	if new != nil && n.Structural() && c.undeclared(n, n.Old, n.keptBefore) == "pruned" && int(*new) >= len(n.Old.Properties) && !n.isObject() {
		c.keyword(n, "maxProperties", "", presence(old == nil, false), Loosens, boundValue(old), boundValue(new))
		return
	}
	bound(c, n, "maxProperties", old, new, 1)
}

// compareMinProperties compares the bound. An object has its required fields, and those with a default.
func compareMinProperties(c *comparer, n *Node) {
	sure := sets.New(n.Old.Required...)
	for name, p := range n.Old.Properties {
		if p.Default != nil {
			sure.Insert(name)
		}
	}
	if new := n.New.MinProperties; n.Structural() && new != nil && !equalBounds(n.Old.MinProperties, new) && int(*new) <= len(sure) {
		c.keyword(n, "minProperties", "", presence(n.Old.MinProperties == nil, false), Neutral, boundValue(n.Old.MinProperties), boundValue(new))
		return
	}
	lower("minProperties", func(s *v1.JSONSchemaProps) *int64 { return s.MinProperties })(c, n)
}
