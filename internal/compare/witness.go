package compare

import (
	"fmt"
	"math"
	"regexp"
	"regexp/syntax"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Anchor is the node in the tree of values that a node in a junctor speaks about; other nodes are their own.
func (n *Node) Anchor() *Node {
	for n.Junctor != "" {
		n = n.Parent
	}
	return n
}

// maxWitnessWork bounds how many branches and values of enums are looked at for a witness: each suggests values, and
// each value is checked against all of them, which is quadratic.
const maxWitnessWork = 1 << 20

// size counts what a value may be compared with: the schemas of a junctor, and the values of enums.
func size(s *v1.JSONSchemaProps) int {
	n := 1 + len(s.Enum)
	for _, list := range [][]v1.JSONSchemaProps{s.AllOf, s.AnyOf, s.OneOf} {
		for i := range list {
			n += size(&list[i])
		}
	}
	if s.Not != nil {
		n += size(s.Not)
	}
	return n
}

// IsScalar says whether the node holds a single value on both sides.
func (n *Node) IsScalar() bool { return isScalar(n.Old) && isScalar(n.New) }

func isScalar(s *v1.JSONSchemaProps) bool {
	switch s.Type {
	case "string", "integer", "number", "boolean":
		return true
	}
	return s.XIntOrString
}

// validator says whether values are accepted by a schema; nil when it cannot be built.
func validator(s *v1.JSONSchemaProps) (accepts func(any) bool) {
	hub := &apiextensions.JSONSchemaProps{}
	if err := v1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(s.DeepCopy(), hub, nil); err != nil {
		return nil
	}
	v, _, err := validation.NewSchemaValidator(hub)
	if err != nil {
		return nil
	}
	return func(value any) (ok bool) {
		defer func() {
			if recover() != nil { // patterns are compiled when they are first used
				ok = false
			}
		}()
		return len(validation.ValidateCustomResource(field.NewPath("x"), value, v)) == 0
	}
}

// candidates are values near the bounds that either schema draws.
func candidates(old, new *v1.JSONSchemaProps) []any {
	c := &candidate{seen: map[string]bool{}}
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
	return c.all
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

// from adds what a schema and the branches of its junctors suggest.
func (c *candidate) from(s *v1.JSONSchemaProps) {
	for i := range s.Enum {
		switch v := rawValue(&s.Enum[i]).(type) {
		case float64:
			c.number(v)
		default:
			c.add(v)
		}
	}
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
	for _, text := range spellings(s.Pattern, s.MinLength) {
		c.add(text)
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

// spellings are strings that match a pattern, some with what may repeat repeated more often, some by other branches,
// some with other characters of a class.
func spellings(pattern string, minLength *int64) []string {
	if pattern == "" {
		return nil
	}
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil
	}
	compiled, err := regexp.Compile(pattern)
	if err != nil {
		return nil
	}
	parsed = parsed.Simplify()
	var all []string
	repeats := []int{1, 0, 2, 3, 5, 12, 40, 64}
	if minLength != nil && *minLength < 1<<10 {
		repeats = append(repeats, int(*minLength))
	}
	for _, repeat := range repeats {
		for variant := range 8 {
			s := speller{repeat: repeat, variant: variant}
			s.spell(parsed)
			text := s.String()
			for _, t := range []string{text, text + "a", "a" + text, text + "-", " " + text} { // patterns may be unanchored
				if compiled.MatchString(t) {
					all = append(all, t)
				}
			}
		}
	}
	return all
}

type speller struct {
	strings.Builder
	repeat, variant int
}

// spell writes a string that the expression matches, if assertions are as good as empty.
func (s *speller) spell(re *syntax.Regexp) {
	if s.Len() > 1<<12 {
		return
	}
	times := func(min, max int) {
		n := s.repeat
		if n < min {
			n = min
		}
		if max >= 0 && n > max {
			n = max
		}
		for range n {
			s.spell(re.Sub[0])
		}
	}
	switch re.Op {
	case syntax.OpLiteral:
		s.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		s.WriteRune(s.of(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		s.WriteByte("aA1-_. /"[s.variant])
	case syntax.OpCapture:
		s.spell(re.Sub[0])
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			s.spell(sub)
		}
	case syntax.OpAlternate:
		s.spell(re.Sub[s.variant%len(re.Sub)])
	case syntax.OpStar:
		times(0, -1)
	case syntax.OpPlus:
		times(1, -1)
	case syntax.OpQuest:
		times(0, 1)
	case syntax.OpRepeat:
		times(re.Min, re.Max)
	}
}

// of is a character of a class, given as pairs of bounds.
func (s *speller) of(class []rune) rune {
	const preferred = "a1A-_. /"
	for i := range preferred {
		like := rune(preferred[(i+s.variant)%len(preferred)])
		for j := 0; j+1 < len(class); j += 2 {
			if class[j] <= like && like <= class[j+1] {
				return like
			}
		}
	}
	if len(class) == 0 {
		return 'a'
	}
	return class[s.variant%len(class)]
}

// Probes are values near the bounds that either side of the node draws, wherever they are accepted. Objects and lists
// have none.
func (n *Node) Probes() []any {
	if !n.IsScalar() {
		return nil
	}
	return candidates(n.Old, n.New)
}
