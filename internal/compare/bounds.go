package compare

import (
	"math"
	"strconv"

	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// upper compares an upper bound, lower a lower one.
func upper(name string, of func(*v1.JSONSchemaProps) *int64) func(*comparer, *Node) {
	return func(c *comparer, n *Node) { bound(c, n, name, of(n.Old), of(n.New), 1) }
}

func lower(name string, of func(*v1.JSONSchemaProps) *int64) func(*comparer, *Node) {
	return func(c *comparer, n *Node) {
		none := func(b *int64) *int64 {
			if b != nil && *b <= 0 {
				return nil // as good as no bound
			}
			return b
		}
		old, new := of(n.Old), of(n.New)
		if equalBounds(old, new) {
			return
		}
		if equalBounds(none(old), none(new)) {
			c.keyword(n, name, "", presence(old == nil, new == nil), Neutral, boundValue(old), boundValue(new))
			return
		}
		bound(c, n, name, none(old), none(new), -1)
	}
}

func equalBounds(a, b *int64) bool { return a == b || a != nil && b != nil && *a == *b }

func boundValue(b *int64) any {
	if b == nil {
		return nil
	}
	return *b
}

// maxRequest is the largest request that an API server reads, in bytes: no text and no list is longer.
const maxRequest = 3 << 20

// bound compares a bound that lets more through the further it is in the given direction.
func bound(c *comparer, n *Node, name string, old, new *int64, direction int64) {
	if equalBounds(old, new) {
		return
	}
	effect := Loosens
	switch {
	case new != nil && *new >= maxRequest && (old == nil || *old >= maxRequest):
		effect = Neutral
	case old == nil || new != nil && (*new < *old) == (direction > 0):
		effect = Tightens
	}
	c.keyword(n, name, "", presence(old == nil, new == nil), effect, boundValue(old), boundValue(new))
}

func compareMaximum(c *comparer, n *Node) {
	compareLimit(c, n, "maximum", "exclusiveMaximum", n.Old.Maximum, n.New.Maximum, n.Old.ExclusiveMaximum, n.New.ExclusiveMaximum, 1)
}

func compareMinimum(c *comparer, n *Node) {
	compareLimit(c, n, "minimum", "exclusiveMinimum", n.Old.Minimum, n.New.Minimum, n.Old.ExclusiveMinimum, n.New.ExclusiveMinimum, -1)
}

// compareLimit compares a limit together with the keyword that says whether the limit itself is out of bounds.
func compareLimit(c *comparer, n *Node, name, exclusive string, old, new *float64, oldExcl, newExcl bool, direction float64) {
	same := old == new || old != nil && new != nil && *old == *new
	if same && oldExcl == newExcl {
		return
	}
	far := func(b *float64) float64 {
		if b == nil {
			return math.Inf(1)
		}
		return *b * direction
	}
	effect := Loosens
	switch {
	case same && old == nil, far(new) >= furthest(n.Old) && far(old) >= furthest(n.Old):
		effect = Neutral
	case same && newExcl, !same && far(new) < far(old):
		effect = Tightens
	}
	keyword := name
	if same {
		keyword = exclusive
	}
	was, is := limit(old), limit(new)
	if oldExcl || newExcl {
		was, is = limits(name, exclusive, old, oldExcl), limits(name, exclusive, new, newExcl)
	}
	c.keyword(n, keyword, "", presence(old == nil && !oldExcl, new == nil && !newExcl), effect, was, is)
}

// furthest is how far from zero a number of a schema can be. Servers read integers as int64 whatever the format, and one
// beyond that as a float, which is no integer to their validation. Of int64 it is a little less: generators that count in
// floating point write a limit such as 9223372036854775000, and nobody stores what is between that and the end.
func furthest(s *v1.JSONSchemaProps) float64 {
	switch {
	case s.Type == "integer" && s.Format == "int32":
		return math.MaxInt32
	case s.Type == "integer", s.XIntOrString:
		return math.MaxInt64 * (1 - 1e-12)
	}
	return math.Inf(1)
}

// limit is a limit by itself, nil for none.
func limit(b *float64) any {
	if b == nil {
		return nil
	}
	return *b
}

// limits are the two keywords of a limit as a schema has them, nil for none.
func limits(name, exclusive string, b *float64, isExclusive bool) any {
	all := map[string]any{}
	if b != nil {
		all[name] = *b
	}
	if isExclusive {
		all[exclusive] = true
	}
	if len(all) == 0 {
		return nil
	}
	return all
}

// Limits says in words which numbers are in bounds on either side, such as "at least 0" and "greater than 0"; "" for all.
// It is for changes of a limit that one side excludes: false for others, which a number tells.
func (c *Change) Limits() (old, new string, ok bool) {
	was, wasBoth := c.Old.(map[string]any)
	is, isBoth := c.New.(map[string]any)
	switch {
	case !wasBoth && !isBoth:
	case c.Field == "maximum" || c.Field == "exclusiveMaximum":
		return inWords(was, "maximum", "at most", "less than"), inWords(is, "maximum", "at most", "less than"), true
	case c.Field == "minimum" || c.Field == "exclusiveMinimum":
		return inWords(was, "minimum", "at least", "greater than"), inWords(is, "minimum", "at least", "greater than"), true
	}
	return "", "", false
}

// inWords says a limit, given as limits makes it.
func inWords(limits map[string]any, name, within, beyond string) string {
	b, limited := limits[name].(float64)
	switch {
	case !limited:
		return ""
	case len(limits) > 1:
		within = beyond
	}
	return within + " " + strconv.FormatFloat(b, 'f', -1, 64)
}

func compareMultipleOf(c *comparer, n *Node) {
	old, new := n.Old.MultipleOf, n.New.MultipleOf
	if old == new || old != nil && new != nil && *old == *new {
		return
	}
	effect := Either
	switch {
	case old == nil:
		effect = Tightens
	case new == nil:
		effect = Loosens
	case math.Mod(*new, *old) == 0:
		effect = Tightens
	case math.Mod(*old, *new) == 0:
		effect = Loosens
	}
	c.keyword(n, "multipleOf", "", presence(old == nil, new == nil), effect, limit(old), limit(new))
}
