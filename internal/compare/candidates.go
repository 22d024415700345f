package compare

import (
	"fmt"
	"math"
	"strings"

	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// Probes are values near the bounds that either side of the node draws, wherever they are accepted. Objects and lists
// have none.
func (n *Node) Probes() []any {
	if !n.IsScalar() {
		return nil
	}
	all, _ := candidates(n.Old, n.New)
	return all
}

// candidates are values near the bounds that either schema draws. If the old one accepts few values, these come first, and
// every is how many that are.
func candidates(old, new *v1.JSONSchemaProps) (all []any, every int) {
	c := &candidate{seen: map[string]bool{}}
	c.every(old, new)
	every = len(c.all)
	c.from(old)
	c.from(new)
	if old.Pattern != new.Pattern {
		for _, plain := range []bool{true, false} {
			apart, _ := patternsApart(old.Pattern, new.Pattern, plain)
			for _, text := range apart {
				c.add(text)
			}
		}
	}
	c.lengths(old, new)
	for _, text := range []string{"", "a", "A", "0", "1", "text", "a-b", "a.b", "a_b", "a/b", "a b", "aA1", "true", "1s", "2020-01-01", "10.0.0.1"} {
		c.add(text)
	}
	for _, n := range []float64{0, 1, -1, 2, 7, 10, 100, 1000, 65536, 0.5, 1 << 31, -1 << 40, 1 << 40} {
		c.number(n)
	}
	c.add(true)
	c.add(false)
	return c.all, every
}

type candidate struct {
	all  []any
	seen map[string]bool
}

func (c *candidate) add(v any) {
	if key := fmt.Sprintf("%T %v", v, v); !c.seen[key] {
		c.seen[key] = true
		c.all = append(c.all, v)
	}
}

func (c *candidate) number(n float64) {
	c.add(n)
	if n == math.Trunc(n) && math.Abs(n) < 1<<53 {
		c.add(int64(n))
	}
}

// maxRange is how far apart the bounds of an integer may be for all between them to be tried.
const maxRange = 1000

// every adds all values that the old schema accepts, if its enum lists them, its bounds leave few integers, or they are
// booleans.
func (c *candidate) every(old, new *v1.JSONSchemaProps) {
	switch {
	case len(old.Enum) > 0:
		c.values(old)
	case old.Type == "integer" && old.Minimum != nil && old.Maximum != nil && *old.Maximum-*old.Minimum <= maxRange &&
		math.Abs(*old.Minimum) < 1<<53 && math.Abs(*old.Maximum) < 1<<53:
		for n := math.Ceil(*old.Minimum); n <= *old.Maximum; n++ {
			c.add(int64(n))
		}
		c.null(old, new)
	case old.Type == "boolean":
		c.add(true)
		c.add(false)
		c.null(old, new)
	}
}

// null adds null where both sides accept it: where the new side does not, it is dropped.
func (c *candidate) null(old, new *v1.JSONSchemaProps) {
	if old.Nullable && new.Nullable {
		c.add(nil)
	}
}

// values adds the values of an enum.
func (c *candidate) values(s *v1.JSONSchemaProps) {
	for i := range s.Enum {
		switch v := rawValue(&s.Enum[i]).(type) {
		case float64:
			c.number(v)
		default:
			c.add(v)
		}
	}
}

// from adds the values that a schema and the branches of its junctors suggest.
func (c *candidate) from(s *v1.JSONSchemaProps) {
	c.values(s)
	for _, limit := range []*float64{s.Minimum, s.Maximum, s.MultipleOf} {
		if limit != nil {
			for _, by := range []float64{0, 1, -1, 0.5, -0.5} {
				c.number(*limit + by)
			}
			c.number(*limit * 2)
		}
	}
	for _, text := range examples[strings.ReplaceAll(s.Format, "-", "")] {
		c.add(text)
	}
	if s.Pattern != "" {
		for _, text := range Spellings(s.Pattern, s.MinLength) {
			c.add(text)
		}
	}
	for _, list := range [][]v1.JSONSchemaProps{s.AllOf, s.AnyOf, s.OneOf} {
		for i := range list {
			c.from(&list[i])
		}
	}
	if s.Not != nil {
		c.from(s.Not)
	}
}

// lengths adds texts at the lengths where either schema draws a line, such as match the old pattern.
func (c *candidate) lengths(old, new *v1.JSONSchemaProps) {
	for _, length := range []*int64{old.MinLength, old.MaxLength, new.MinLength, new.MaxLength} {
		if length == nil || *length >= maxTextLength {
			continue
		}
		for n := max(*length-1, 0); n <= *length+1; n++ {
			c.add(strings.Repeat("a", int(n)))
		}
	}
	beyond := func(length *int64, by int64) {
		if length != nil {
			if text, ok := textOfLength(old.Pattern, int(min(*length+by, maxTextLength))); ok {
				c.add(text)
			}
		}
	}
	beyond(new.MaxLength, 1)
	beyond(new.MinLength, -1)
}

// maxTextLength bounds the texts that are tried, in characters.
const maxTextLength = 1 << 20

// examples are values of the formats that servers check.
var examples = map[string][]string{
	"bsonobjectid": {"507f1f77bcf86cd799439011"}, "uri": {"http://example.com/", "/a", "a:b"}, "email": {"a@example.com"},
	"hostname": {"example.com", "a_b", "A.B"}, "ipv4": {"10.0.0.1"}, "ipv6": {"fe80::1"}, "cidr": {"10.0.0.0/8", "fe80::/64"},
	"mac": {"01:02:03:04:05:06"}, "uuid": {"00000000-0000-4000-8000-000000000000", "00000000-0000-3000-8000-000000000000"},
	"uuid3": {"00000000-0000-3000-8000-000000000000"}, "uuid4": {"00000000-0000-4000-8000-000000000000"},
	"uuid5": {"00000000-0000-5000-8000-000000000000"}, "isbn": {"0321751043", "978-0321751041"}, "isbn10": {"0321751043"},
	"isbn13": {"978-0321751041"}, "creditcard": {"4111111111111111"}, "ssn": {"111-22-3333"}, "hexcolor": {"#ffffff"},
	"rgbcolor": {"rgb(1,2,3)"}, "byte": {"YQ=="}, "date": {"2020-01-01"}, "duration": {"1s", "22 ns"},
	"datetime": {"2020-01-01T00:00:00Z"},
}
