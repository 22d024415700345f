package compare

import (
	"math"
	"strconv"

	"github.com/crdlift/crdlift/internal/limit"
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

func equalBounds[T int64 | float64](a, b *T) bool { return a == b || a != nil && b != nil && *a == *b }

// boundValue is a bound by itself, nil for none.
func boundValue[T int64 | float64](b *T) any {
	if b == nil {
		return nil
	}
	return *b
}

// bound compares a bound that lets more through the further it is in the given direction. No text and no list is longer than the
// largest request that an API server reads.
func bound(c *comparer, n *Node, name string, old, new *int64, direction int64) {
	if equalBounds(old, new) {
		return
	}
	effect := Loosens
	switch {
	case new != nil && *new >= limit.Request && (old == nil || *old >= limit.Request):
		effect = Neutral
	case old == nil || new != nil && (*new < *old) == (direction > 0):
		effect = Tightens
	}
	c.keyword(n, name, "", presence(old == nil, new == nil), effect, boundValue(old), boundValue(new))
}

// An edge is what maximum or minimum says, together with the keyword that reports whether the limit itself is out of bounds.
type edge struct {
	value     *float64
	exclusive bool
}

// A limitKind is which of both it is.
type limitKind struct {
	name, exclusive string
	within, beyond  string // in words, the latter of an exclusive one
	direction       float64
	of              func(*v1.JSONSchemaProps) edge
}

var (
	maximum = limitKind{"maximum", "exclusiveMaximum", "at most", "less than", 1,
		func(s *v1.JSONSchemaProps) edge { return edge{s.Maximum, s.ExclusiveMaximum} }}
	minimum = limitKind{"minimum", "exclusiveMinimum", "at least", "greater than", -1,
		func(s *v1.JSONSchemaProps) edge { return edge{s.Minimum, s.ExclusiveMinimum} }}
)

func (kind limitKind) compare(c *comparer, n *Node) {
	old, new := kind.of(n.Old), kind.of(n.New)
	same := equalBounds(old.value, new.value)
	if same && old.exclusive == new.exclusive {
		return
	}
	far := func(l edge) float64 {
		if l.value == nil {
			return math.Inf(1)
		}
		return *l.value * kind.direction
	}
	effect := Loosens
	switch {
	case same && old.value == nil, far(new) >= furthest(n.Old) && far(old) >= furthest(n.Old):
		effect = Neutral
	case same && new.exclusive, !same && far(new) < far(old):
		effect = Tightens
	}
	keyword := kind.name
	if same {
		keyword = kind.exclusive
	}
	was, is := boundValue(old.value), boundValue(new.value)
	if old.exclusive || new.exclusive {
		was, is = kind.both(old), kind.both(new)
	}
	c.keyword(n, keyword, "", presence(old == edge{}, new == edge{}), effect, was, is)
}

// furthest returns the largest absolute value that a number of a schema can have. Servers read integers as int64
// whatever the format, and a larger one as a float, which their validation does not accept as an integer. For int64 the
// result is slightly smaller: generators that calculate in floating point write a limit such as 9223372036854775000,
// and values between that and the maximum do not occur.
func furthest(s *v1.JSONSchemaProps) float64 {
	switch {
	case s.Type == "integer" && s.Format == "int32":
		return math.MaxInt32
	case s.Type == "integer", s.XIntOrString:
		return math.MaxInt64 * (1 - 1e-12)
	}
	return math.Inf(1)
}

// both are the two keywords of a limit as a schema has them, nil for none.
func (k limitKind) both(l edge) any {
	all := map[string]any{}
	if l.value != nil {
		all[k.name] = *l.value
	}
	if l.exclusive {
		all[k.exclusive] = true
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
	for _, kind := range []limitKind{maximum, minimum} {
		if (wasBoth || isBoth) && (c.Field == kind.name || c.Field == kind.exclusive) {
			return kind.inWords(was), kind.inWords(is), true
		}
	}
	return "", "", false
}

// inWords says a limit, given as both makes it.
func (k limitKind) inWords(limits map[string]any) string {
	value, limited := limits[k.name].(float64)
	words := k.within
	switch {
	case !limited:
		return ""
	case len(limits) > 1:
		words = k.beyond
	}
	return words + " " + strconv.FormatFloat(value, 'f', -1, 64)
}

func compareMultipleOf(c *comparer, n *Node) {
	old, new := n.Old.MultipleOf, n.New.MultipleOf
	if equalBounds(old, new) {
		return
	}
	effect := Either
	switch {
	case divides(new, old):
		effect = Loosens
	case divides(old, new):
		effect = Tightens
	}
	c.keyword(n, "multipleOf", "", presence(old == nil, new == nil), effect, boundValue(old), boundValue(new))
}

// divides reports whether all multiples of one factor are multiples of another; nil is none, which takes every number. Of whole
// numbers the server drops what follows the point of a factor, and takes none for a multiple of 0: MultipleOfNativeType of
// kube-openapi.
func divides(factor, another *float64) bool {
	switch {
	case factor == nil || another == nil:
		return factor == nil
	case math.Trunc(*another) != 0 && (math.Trunc(*factor) == 0 || math.Mod(math.Trunc(*another), math.Trunc(*factor)) != 0):
		return false
	}
	return math.Mod(*another, *factor) == 0
}
