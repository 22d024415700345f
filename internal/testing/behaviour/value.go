package behaviour

import (
	"math"
	"math/rand/v2"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
)

// A maker makes values that a node's schemas accept, as far as it can: it takes one branch of every anyOf and oneOf
// and does not solve what contradicts itself. The caller asks the server whether the result is valid and tries again.
type maker struct {
	random *rand.Rand // takes the branches; nil takes the first ones that mention what is wanted
	full   bool       // fill in what is not required as well
}

// A shape is what remains of a node's schemas once the junctors' branches are chosen.
type shape struct {
	apiextensions.JSONSchemaProps                    // constraints; its schemas below are not used
	intOrString                   bool               // x-kubernetes-int-or-string
	properties                    map[string]schemas // by name
	items, values                 schemas
	embedded                      bool // x-kubernetes-embedded-resource
	patterns                      []string
}

// shape merges the schemas of a node. When a branch is to be chosen, one that mentions the wanted property is.
func (m maker) shape(node schemas, want string) *shape {
	merged := &shape{properties: map[string]schemas{}}
	for _, s := range node {
		m.merge(merged, s, want)
	}
	return merged
}

func (m maker) merge(to *shape, s *apiextensions.JSONSchemaProps, want string) {
	if to.Type == "" {
		to.Type = s.Type
	}
	to.intOrString = to.intOrString || s.XIntOrString
	to.embedded = to.embedded || s.XEmbeddedResource
	if to.Format == "" {
		to.Format = s.Format
	}
	if s.Pattern != "" {
		to.patterns = append(to.patterns, s.Pattern)
	}
	if len(s.Enum) > 0 {
		to.Enum = s.Enum
	}
	to.Required = append(to.Required, s.Required...)
	larger(&to.MinLength, s.MinLength)
	larger(&to.MinItems, s.MinItems)
	larger(&to.MinProperties, s.MinProperties)
	larger(&to.Minimum, s.Minimum)
	smaller(&to.MaxLength, s.MaxLength)
	smaller(&to.MaxItems, s.MaxItems)
	smaller(&to.MaxProperties, s.MaxProperties)
	smaller(&to.Maximum, s.Maximum)
	to.ExclusiveMinimum = to.ExclusiveMinimum || s.ExclusiveMinimum
	to.ExclusiveMaximum = to.ExclusiveMaximum || s.ExclusiveMaximum
	if s.MultipleOf != nil {
		to.MultipleOf = s.MultipleOf
	}
	for name := range s.Properties {
		to.properties[name] = append(to.properties[name], childOf(s, Step{Property, name}))
	}
	if items := childOf(s, Step{Kind: Items}); items != nil {
		to.items = append(to.items, items)
	}
	if values := childOf(s, Step{Kind: Values}); values != nil {
		to.values = append(to.values, values)
	}

	for i := range s.AllOf {
		m.merge(to, &s.AllOf[i], want)
	}
	for _, branches := range [][]apiextensions.JSONSchemaProps{s.AnyOf, s.OneOf} {
		if len(branches) > 0 {
			m.merge(to, &branches[m.branch(branches, want)], want)
		}
	}
}

// branch chooses one.
func (m maker) branch(branches []apiextensions.JSONSchemaProps, want string) int {
	if m.random != nil && m.random.IntN(3) > 0 {
		return m.random.IntN(len(branches))
	}
	for i := range branches {
		_, mentioned := branches[i].Properties[want]
		for _, required := range branches[i].Required {
			mentioned = mentioned || required == want
		}
		if mentioned {
			return i
		}
	}
	return 0
}

func larger[T int64 | float64](to **T, than *T) {
	if than != nil && (*to == nil || *than > **to) {
		*to = than
	}
}

func smaller[T int64 | float64](to **T, than *T) {
	if than != nil && (*to == nil || *than < **to) {
		*to = than
	}
}

// value is a value for a node: as little as the schemas ask for, unless full.
func (m maker) value(node schemas, depth int) any {
	return m.fill(m.shape(node, ""), depth)
}

func (m maker) fill(s *shape, depth int) any {
	if len(s.Enum) > 0 {
		return plain(s.Enum[m.choose(len(s.Enum))])
	}
	switch s.kind() {
	case "object":
		return m.object(s, depth)
	case "array":
		n := length(s.MinItems, 0)
		if (m.full || m.random != nil) && n == 0 && depth < 12 && (s.MaxItems == nil || *s.MaxItems > 0) {
			n = 1
		}
		list := make([]any, n)
		for i := range list {
			list[i] = m.value(s.items, depth+1)
		}
		return list
	case "integer":
		return int64(math.Ceil(s.number()))
	case "number":
		return s.number()
	case "boolean":
		return true
	case "int or string":
		if len(s.patterns) == 0 && m.choose(2) == 0 {
			return int64(math.Ceil(s.number()))
		}
	}
	return s.text()
}

func (m maker) choose(n int) int {
	if m.random == nil {
		return 0
	}
	return m.random.IntN(n)
}

// kind is the type to make, guessed from the constraints when there is none.
func (s *shape) kind() string {
	switch {
	case s.intOrString:
		return "int or string"
	case s.Type != "":
		return s.Type
	case len(s.properties) > 0 || len(s.Required) > 0 || len(s.values) > 0 || s.MinProperties != nil:
		return "object"
	case len(s.items) > 0 || s.MinItems != nil:
		return "array"
	case s.Minimum != nil || s.Maximum != nil || s.MultipleOf != nil:
		return "integer"
	}
	return "string"
}

func (m maker) object(s *shape, depth int) map[string]any {
	object := map[string]any{}
	set := func(name string) {
		if _, ok := object[name]; ok {
			return
		}
		below, ok := s.properties[name]
		if !ok {
			below = s.values
		}
		object[name] = m.value(below, depth+1)
	}
	if depth > 40 {
		return object // recursion in the schema is impossible, but a hand-made one may be absurdly deep
	}
	if s.embedded {
		object["apiVersion"], object["kind"] = "v1", "Pod"
	}
	for _, name := range s.Required {
		set(name)
	}
	for _, name := range sorted(s.properties) {
		enough := len(object) >= length(s.MinProperties, 0)
		room := s.MaxProperties == nil || len(object) < int(*s.MaxProperties)
		some := m.full && depth < 12 && (m.random == nil || m.random.IntN(8) > 0)
		if room && (some || !enough) {
			set(name)
		}
	}
	if m.full && len(s.values) > 0 && len(object) == 0 {
		set("key")
	}
	for i := 0; len(object) < length(s.MinProperties, 0) && i < 100; i++ {
		set("key" + strings.Repeat("x", i))
	}
	return object
}

func (s *shape) number() float64 {
	n := 1.0
	if s.Maximum != nil && n >= *s.Maximum {
		n = *s.Maximum
		if s.ExclusiveMaximum {
			n--
		}
	}
	if s.Minimum != nil && (n < *s.Minimum || n == *s.Minimum && s.ExclusiveMinimum) {
		n = *s.Minimum
		if s.ExclusiveMinimum {
			n++
		}
	}
	if s.MultipleOf != nil && *s.MultipleOf > 0 {
		n = math.Ceil(n / *s.MultipleOf) * *s.MultipleOf
	}
	return n
}

// examples are values of the formats that servers check.
var examples = map[string]string{
	"bsonobjectid": "507f1f77bcf86cd799439011", "uri": "http://example.com/", "email": "a@example.com",
	"hostname": "example.com", "ipv4": "10.0.0.1", "ipv6": "fe80::1", "cidr": "10.0.0.0/8", "mac": "01:02:03:04:05:06",
	"uuid": "00000000-0000-4000-8000-000000000000", "uuid3": "00000000-0000-3000-8000-000000000000",
	"uuid4": "00000000-0000-4000-8000-000000000000", "uuid5": "00000000-0000-5000-8000-000000000000",
	"isbn": "0321751043", "isbn10": "0321751043", "isbn13": "978-0321751041", "creditcard": "4111111111111111",
	"ssn": "111-22-3333", "hexcolor": "#ffffff", "rgbcolor": "rgb(1,2,3)", "byte": "YQ==", "password": "secret",
	"date": "2020-01-01", "duration": "1s", "datetime": "2020-01-01T00:00:00Z",
}

func (s *shape) text() string {
	min, max := length(s.MinLength, 0), length(s.MaxLength, -1)
	if example := examples[strings.ReplaceAll(s.Format, "-", "")]; example != "" && len(s.patterns) == 0 {
		return example
	}
	for _, pattern := range s.patterns {
		if text, ok := matching(pattern, min, max); ok {
			return text
		}
	}
	text := "text"
	if len(text) < min {
		text = strings.Repeat("a", min)
	}
	if max >= 0 && len(text) > max {
		text = text[:max]
	}
	return text
}

func length(n *int64, otherwise int) int {
	if n == nil {
		return otherwise
	}
	return int(*n)
}

// plain is an enum value in the types that a decoded object has: whole numbers are int64.
func plain(value any) any {
	switch value := value.(type) {
	case int:
		return int64(value)
	case float64:
		if value == math.Trunc(value) && math.Abs(value) < 1<<53 {
			return int64(value)
		}
	case map[string]any:
		object := map[string]any{}
		for name := range value {
			object[name] = plain(value[name])
		}
		return object
	case []any:
		list := make([]any, len(value))
		for i := range value {
			list[i] = plain(value[i])
		}
		return list
	}
	return value
}
