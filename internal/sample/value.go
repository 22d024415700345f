package sample

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// A maker makes values that a node's schemas accept, as far as it can: it takes one branch of every anyOf and oneOf
// and does not solve what contradicts itself. The caller asks the server whether the result is valid and tries again.
type maker struct {
	random *rand.Rand // takes the branches; nil takes the first ones that mention what is wanted
	full   bool       // fill in what is not required as well
	number *int       // counts values, so that no two are the same
	hints  hints      // values that rules mention
}

// value is a value for a node: as little as the schemas ask for, unless full.
func (m maker) value(node Schemas, at Path) any {
	return m.fill(m.shape(node, ""), at)
}

// deepest is how far down values are made that are not required.
const deepest = 12

func (m maker) fill(s *shape, at Path) any {
	if len(s.Enum) > 0 {
		return Plain(s.Enum[m.choose(len(s.Enum))])
	}
	if hint, ok := m.hint(s, at); ok {
		return hint
	}
	if m.full && m.random != nil && m.random.IntN(6) == 0 {
		if value, ok := m.rare(s); ok {
			return value
		}
	}
	switch s.kind() {
	case "object":
		return m.object(s, at)
	case "array":
		return m.list(s, at)
	case "integer":
		return s.integer(m.next())
	case "number":
		return s.fraction(m.next())
	case "boolean":
		return m.choose(3) != 1
	case "int or string":
		if len(s.patterns) == 0 && m.choose(2) == 0 {
			return s.integer(m.next())
		}
	}
	return s.text(at, m.next())
}

// rare is a value that mistakes of conversions change: an empty one, a number that a float cannot hold, a text with characters
// that are escaped.
func (m maker) rare(s *shape) (any, bool) {
	free := len(s.patterns) == 0 && s.Format == "" && s.MinLength == nil && (s.MaxLength == nil || *s.MaxLength >= 40)
	switch s.kind() {
	case "integer":
		if s.Minimum == nil && s.Maximum == nil && s.MultipleOf == nil && s.Format != "int32" {
			return []any{int64(1)<<53 + 1 + int64(2*m.next()), int64(0), int64(-m.next())}[m.random.IntN(3)], true
		}
		if s.Minimum != nil && *s.Minimum == 0 && !s.ExclusiveMinimum {
			return int64(0), true
		}
	case "string":
		if free && s.Default != nil { // an empty text is as good as none, for which there is the default
			return "a <b> & " + strconv.Itoa(m.next()), true
		}
		if free {
			return []any{"", "a <b> & \"c\" \u2028 ü " + strconv.Itoa(m.next())}[m.random.IntN(2)], true
		}
	}
	return nil, false
}

// next is another number than those of all values before.
func (m maker) next() int {
	*m.number++
	return *m.number
}

func (m maker) choose(n int) int {
	if m.random == nil {
		return 0
	}
	return m.random.IntN(n)
}

// list has one item, unless the schemas or chance want another number of them.
func (m maker) list(s *shape, at Path) []any {
	n := length(s.MinItems, 0)
	if n == 0 && len(at) < deepest && (m.full || m.random != nil) {
		n = []int{1, 1, 3, 2, 0, 1}[m.choose(6)]
	}
	if s.MaxItems != nil {
		n = min(n, int(*s.MaxItems))
	}
	list := []any{}
	for i := range n {
		item := m.value(s.items, at.To(Items, ""))
		for attempt := 0; attempt < 6 && s.listType != "atomic" && s.has(list, item); attempt++ {
			item = m.another(s.items, at.To(Items, ""), i+attempt, s.listKeys)
		}
		list = append(list, item)
	}
	return list
}

// another is an item that has the i-th of the values that an enum allows it, or its keys.
func (m maker) another(items Schemas, at Path, i int, keys []string) any {
	value := m.value(items, at)
	if enum := m.shape(items, "").Enum; len(enum) > 0 {
		return Plain(enum[i%len(enum)])
	}
	if object, ok := value.(map[string]any); ok {
		for _, key := range keys {
			if enum := m.shape(items.Child(Step{Property, key}), "").Enum; len(enum) > 0 {
				object[key] = Plain(enum[i%len(enum)])
			}
		}
	}
	return value
}

// has reports whether a list has an item that is the same as another one as far as its type says.
func (s *shape) has(list []any, item any) bool {
	same := func(other any) bool { return reflect.DeepEqual(item, other) }
	if object, ok := item.(map[string]any); ok && s.listType == "map" {
		same = func(other any) bool {
			with, _ := other.(map[string]any)
			for _, key := range s.listKeys {
				if !reflect.DeepEqual(object[key], with[key]) {
					return false
				}
			}
			return true
		}
	} else if s.listType == "" && !s.UniqueItems {
		return false
	}
	return slices.ContainsFunc(list, same)
}

func (m maker) object(s *shape, at Path) map[string]any {
	object := map[string]any{}
	set := func(name string) {
		if _, ok := object[name]; ok {
			return
		}
		if below, ok := s.properties[name]; ok {
			object[name] = m.value(below, at.To(Property, name))
		} else {
			object[name] = m.value(s.values, at.To(Values, ""))
		}
	}
	if len(at) > 40 {
		return object // recursion in the schema is impossible, but a hand-made one may be absurdly deep
	}
	if s.embedded {
		object["apiVersion"], object["kind"] = "v1", "ConfigMap"
	}
	for _, name := range s.Required {
		set(name)
	}
	for _, name := range sorted(s.properties) {
		enough := len(object) >= length(s.MinProperties, 0)
		room := s.MaxProperties == nil || len(object) < int(*s.MaxProperties)
		some := m.full && len(at) < deepest && (m.random == nil || m.random.IntN(8) > 0)
		if room && (some || !enough) {
			set(name)
		}
	}
	m.extend(s, at, object, set)
	return object
}

// extend adds members that no property declares.
func (m maker) extend(s *shape, at Path, object map[string]any, set func(string)) {
	room := func() bool { return s.MaxProperties == nil || len(object) < int(*s.MaxProperties) }
	if m.full && len(s.values) > 0 && len(object) == 0 {
		names := []string{"key"}
		if m.random != nil {
			names = []string{"key", "example.com/key.1", "KEY_" + strconv.Itoa(m.next())}[:m.random.IntN(4)]
		}
		for _, name := range names {
			if room() {
				set(name)
			}
		}
	}
	if m.full && s.preserved && len(at) > 0 && len(s.properties) == 0 && len(s.values) == 0 && room() {
		object["anything"] = map[string]any{"text": "text-" + strconv.Itoa(m.next()), "list": []any{int64(m.next()), true}}
	}
	for i := 0; len(object) < length(s.MinProperties, 0) && i < 100; i++ {
		set("key" + strings.Repeat("x", i))
	}
}

// integer is the nth whole number within the limits.
func (s *shape) integer(n int) int64 {
	least, most := 1.0, math.MaxInt32*1.0
	if s.Minimum != nil {
		if least = math.Ceil(*s.Minimum); s.ExclusiveMinimum && least == *s.Minimum {
			least++
		}
		most = math.Max(most, least)
	}
	if s.Maximum != nil {
		if most = math.Floor(*s.Maximum); s.ExclusiveMaximum && most == *s.Maximum {
			most--
		}
		least = math.Min(least, most)
	}
	step := 1.0
	if s.MultipleOf != nil && *s.MultipleOf >= 1 {
		step = *s.MultipleOf
		least = math.Ceil(least/step) * step
	}
	steps := math.Floor((most-least)/step) + 1
	if steps > 1 {
		least += step * math.Mod(float64(n-1), steps)
	}
	return int64(least)
}

// fraction is the nth number within the limits, with a fraction if there is room.
func (s *shape) fraction(n int) any {
	whole := s.integer(n)
	// MultipleOfNativeType of kube-openapi takes the factor for a whole number, 0, where the value is one.
	if part := s.MultipleOf; part != nil && *part < 1 && (s.Maximum == nil || float64(whole)+*part <= *s.Maximum) {
		return Plain(float64(whole) + *part)
	}
	half := float64(whole) + 0.5
	if s.MultipleOf == nil && (s.Maximum == nil || half < *s.Maximum) {
		return half
	}
	if s.Minimum != nil && float64(whole) < *s.Minimum { // 0.5 to 0.9, say
		return Plain(*s.Minimum)
	}
	return whole
}

func length(n *int64, otherwise int) int {
	if n == nil {
		return otherwise
	}
	return int(*n)
}

// Plain is an enum value in the types that a decoded object has: whole numbers are int64.
func Plain(value any) any {
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
			object[name] = Plain(value[name])
		}
		return object
	case []any:
		list := make([]any, len(value))
		for i := range value {
			list[i] = Plain(value[i])
		}
		return list
	}
	return value
}
