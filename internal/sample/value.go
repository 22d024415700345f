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
	random *rand.Rand   // takes the branches; nil takes the first ones that mention what is wanted
	full   bool         // fill in what is not required as well
	number *int         // counts values, so that no two are the same
	hints  func() hints // values that rules mention
	turns  *turns       // of values that mistakes of conversions change; nil for none

	defaults bool // numbers and texts are their defaults, where they have any
}

// value is a value for a node: as little as the schemas ask for, unless full.
func (m maker) value(node Schemas, at Path) any {
	return m.fill(m.shape(node, ""), at)
}

// deepest is how far down values are made that are not required.
const deepest = 12

func (m maker) fill(s *shape, at Path) any {
	if m.defaults && s.Default != nil {
		switch value := Plain(*s.Default).(type) {
		case string, bool, int64, float64:
			return value
		}
	}
	if len(s.Enum) > 0 {
		return Plain(s.Enum[m.pick(at, len(s.Enum))])
	}
	if hint, ok := m.hint(s, at); ok {
		return hint
	}
	if value, ok := m.telling(s, at); ok {
		return value
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
		return m.pick(at, 3) != 1
	case "int or string":
		if len(s.patterns) == 0 && m.choose(2) == 0 {
			return s.integer(m.next())
		}
	}
	return s.text(at, m.next())
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
	if len(at) < deepest && (m.full || m.random != nil) {
		n = m.size(s, at)
	}
	return m.items(s, at, n)
}

// items are n items of a list, or as many as there are different ones where they have to be.
func (m maker) items(s *shape, at Path, n int) []any {
	list := []any{}
	at = at.To(Items, "")
	for i := range n {
		if i == few {
			m.full = false // an object of thousands of fields takes long, and shows no more
		}
		item := m.item(s.items, at)
		for attempt := 0; attempt < 6 && s.listType != "atomic" && s.has(list, item); attempt++ {
			item = m.another(s.items, at, i+attempt, s.listKeys)
		}
		if i >= length(s.MinItems, few) && s.listType != "atomic" && s.has(list, item) {
			break
		}
		list = append(list, item)
	}
	return list
}

// item is a value of a list, with something in it that it can be told by.
func (m maker) item(node Schemas, at Path) any {
	s := m.shape(node, "")
	item := m.fill(s, at)
	if object, ok := item.(map[string]any); ok && len(object) == 0 && !m.full && len(at) < deepest {
		for _, name := range sorted(s.properties) {
			below := m.shape(s.properties[name], "")
			if kind := below.kind(); kind != "object" && kind != "array" && (s.MaxProperties == nil || *s.MaxProperties > 0) {
				object[name] = m.fill(below, at.To(Property, name))
				break
			}
		}
	}
	return item
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
		some := m.full && len(at) < deepest && (m.random == nil || m.random.IntN(8) > 0 || len(at) == 0 && m.random.IntN(4) > 0)
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
		for i := range m.members(s, at) {
			if !room() {
				break
			}
			set([]string{"key", "example.com/key.1", "KEY_" + strconv.Itoa(m.next()), "key-" + strconv.Itoa(i)}[min(i, few)])
		}
	}
	if m.full && s.preserved && len(at) > 0 && len(s.properties) == 0 && len(s.values) == 0 && room() {
		object["anything"] = map[string]any{"text": "text-" + strconv.Itoa(m.next()), "list": []any{int64(m.next()), true}}
	}
	for i := 0; len(object) < length(s.MinProperties, 0) && i < 100; i++ {
		set("key" + strings.Repeat("x", i))
	}
}

// members is how many members a map has.
func (m maker) members(s *shape, at Path) int {
	switch {
	case m.random == nil:
		return 1
	case m.turns == nil:
		return m.random.IntN(few + 1)
	}
	n := []int{1, 3, 0, 2, 11}[m.pick(at, 5)]
	if kind := m.shape(s.values, "").kind(); n > few && (m.turns.room <= 0 || kind == "object" || kind == "array") {
		return few
	}
	return n
}

// integer is the nth whole number within the limits.
func (s *shape) integer(n int) int64 {
	least, step, steps := s.whole()
	if steps > 1 {
		least += step * math.Mod(float64(n-1), steps)
	}
	return int64(least)
}

// whole is the least whole number within the limits, how far it is from one to the next, and how many there are.
func (s *shape) whole() (least, step, steps float64) {
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
	step = 1
	if s.MultipleOf != nil && *s.MultipleOf >= 1 {
		step = *s.MultipleOf
		least = math.Ceil(least/step) * step
	}
	return least, step, math.Floor((most-least)/step) + 1
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
