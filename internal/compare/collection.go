package compare

import (
	"slices"

	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/util/sets"
)

// compareRequired compares the names that must be there. One that has a default always is, as are the fields of every
// object.
func compareRequired(c *comparer, n *Node) {
	for _, i := range missing(n.Old.Required, n.New.Required) {
		name := n.Old.Required[i]
		c.keyword(n, "required", name, Removed, Loosens, name, nil).at([]string{index(i)}, nil)
	}
	for _, j := range missing(n.New.Required, n.Old.Required) {
		name, effect := n.New.Required[j], Tightens
		if n.Structural() && (n.New.Properties[name].Default != nil || n.isObject() && always(name)) {
			effect = Neutral
		}
		c.keyword(n, "required", name, Added, effect, nil, name).at(nil, []string{index(j)}).is.item = name
	}
}

func compareEmbedded(c *comparer, n *Node) {
	change := c.flag(n, "x-kubernetes-embedded-resource", n.Old.XEmbeddedResource, n.New.XEmbeddedResource)
	if change != nil && change.Kind == Removed {
		_, kind := n.New.Properties["kind"]
		_, metadata := n.New.Properties["metadata"]
		change.Loses = !n.Keeps() && n.New.AdditionalProperties == nil && !(kind && metadata)
	}
}

// comparePreserve compares whether unknown fields are kept, by the node's own mark or since the CRD keeps all.
func comparePreserve(c *comparer, n *Node) {
	const keyword = "x-kubernetes-preserve-unknown-fields"
	old, new := keeps(n.Old), keeps(n.New)
	prunes := n.Structural() && !n.Keeps() && holdsFields(n.New) && (valuesOf(n.New) == nil || isEmpty(valuesOf(n.New))) && !closed(n.New) && !n.inMetadata()
	switch {
	case new && !old && !n.keptBefore:
		c.keyword(n, keyword, "", Added, Loosens, old, new)
	case new || n.keepsNow:
	case n.keptBefore && !c.new.keepsRoot(c.new.named[c.name]): // the change of the CRD as a whole says so
	case old || n.keptBefore && prunes && n.New.Type != "array": // of a list, the items lose them
		c.keyword(n, keyword, "", Removed, Neutral, true, new).Loses = prunes
	}
}

func compareListType(c *comparer, n *Node) {
	old, new := listType(n.Old), listType(n.New)
	effect := Neutral
	switch {
	case old == new:
	case new == "set" || new == "map":
		effect = Tightens // of equal items, or of items with equal keys, one is rejected
	case old == "set" || old == "map":
		effect = Loosens
	}
	if wasNone, isNone := n.Old.XListType == nil, n.New.XListType == nil; old != new || wasNone != isNone {
		c.keyword(n, "x-kubernetes-list-type", "", presence(wasNone, isNone), effect, old, new)
	}
	was, is := n.Old.XListMapKeys, n.New.XListMapKeys
	if old != new || slices.Equal(was, is) {
		return
	}
	switch {
	case !sets.New(is...).HasAll(was...):
		effect = Tightens
	case !sets.New(was...).HasAll(is...):
		effect = Loosens
	}
	c.keyword(n, "x-kubernetes-list-map-keys", "", Changed, effect, plain(was), plain(is))
}

// listType is how lists are merged, and mapType how maps are.
func listType(s *v1.JSONSchemaProps) string { return orElse(s.XListType, "atomic") }
func mapType(s *v1.JSONSchemaProps) string  { return orElse(s.XMapType, "granular") }

func orElse(s *string, otherwise string) string {
	if s == nil {
		return otherwise
	}
	return *s
}

func compareMapType(c *comparer, n *Node) {
	if (n.Old.XMapType == nil) != (n.New.XMapType == nil) || mapType(n.Old) != mapType(n.New) {
		c.keyword(n, "x-kubernetes-map-type", "", presence(n.Old.XMapType == nil, n.New.XMapType == nil), Neutral, mapType(n.Old), mapType(n.New))
	}
}

func compareItems(c *comparer, n *Node) {
	old, new := n.Old.Items, n.New.Items
	switch {
	case old == nil && new == nil:
	case old != nil && new != nil && old.Schema != nil && new.Schema != nil:
		c.node(n.below("items", "", old.Schema, new.Schema))
	case equality.Semantic.DeepEqual(old, new):
	case old == nil && AcceptsAnything(new.Schema):
		c.keyword(n, "items", "", Added, Loosens, nil, plain(new)) // the content of the items was pruned
	case old == nil:
		c.keyword(n, "items", "", Added, Tightens, nil, plain(new))
	case new == nil:
		change := c.keyword(n, "items", "", Removed, Loosens, plain(old), nil)
		change.Loses = n.Structural() && !n.Keeps() && holdsFields(old.Schema)
	default: // a list of schemas, which v1 rejects
		c.keyword(n, "items", "", Changed, Either, plain(old), plain(new))
	}
}

// holdsFields reports whether values of a schema may have something in them to prune.
func holdsFields(s *v1.JSONSchemaProps) bool {
	return s == nil || !s.XIntOrString && (s.Type == "" || s.Type == "object" || s.Type == "array")
}
