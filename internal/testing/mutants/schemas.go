package mutants

import (
	"maps"
	"strings"
)

var schemaMutations = []mutation{
	{"set the type", func(m *mutant) bool {
		m.schema().schema["type"] = pick(m, "string", "object", "array", "integer", "int", "null", "any", "")
		return true
	}},
	{"delete the type", func(m *mutant) bool {
		delete(m.schema().schema, "type")
		return true
	}},
	{"set a bound", func(m *mutant) bool {
		m.schema().schema[pick(m, "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "multipleOf")] =
			value(pick(m, "0", "-1", "1", "1.5", "9223372036854775807", "9223372036854775808", "1e3", `"1"`))
		return true
	}},
	{"set a keyword", func(m *mutant) bool {
		o, _ := value(pick(m, keywords...)).(object)
		maps.Copy(m.schema().schema, o)
		return true
	}},
	{"set a default", func(m *mutant) bool {
		m.schema().schema["default"] = value(pick(m, `"x"`, `1`, `{}`, `null`, `[]`, `{"unknown":1}`, `false`))
		return true
	}},
	{"set a keyword of newer servers", func(m *mutant) bool {
		o, _ := value(pick(m, newerKeywords...)).(object)
		into := pick(m, m.schema().schema, m.spec(), pick(m, m.versions()...))
		if into != nil { // a version may be something else by now
			maps.Copy(into, o)
		}
		return into != nil
	}},
	{"wrap into a junctor", func(m *mutant) bool {
		s := m.schema().schema
		inner := maps.Clone(s)
		if m.IntN(2) == 0 {
			clear(s)
		}
		switch k := pick(m, "allOf", "anyOf", "oneOf", "not"); k {
		case "not":
			s[k] = inner
		default:
			s[k] = list{inner, object{"required": list{"x"}}}
		}
		return true
	}},
	{"set a keyword in a junctor", func(m *mutant) bool {
		s := m.schema().schema
		branch := value(pick(m, branches...))
		switch k := pick(m, "allOf", "anyOf", "oneOf", "not"); k {
		case "not":
			s[k] = branch
		default:
			old, _ := s[k].(list)
			s[k] = append(old[:len(old):len(old)], branch)
		}
		return true
	}},
	{"declare root fields", func(m *mutant) bool {
		s := m.schema()
		for i := 0; i < 4 && !s.root; i++ {
			s = m.schema()
		}
		o, _ := value(pick(m, metaFields...)).(object)
		maps.Copy(child(s.schema, "properties"), o)
		return true
	}},
	{"declare a list", func(m *mutant) bool {
		child(m.schema().schema, "properties")["list"] = value(pick(m, lists...))
		return true
	}},
	{"make an embedded resource", func(m *mutant) bool {
		child(m.schema().schema, "properties")["embedded"] = value(pick(m, embedded...))
		return true
	}},
	{"change the case of a keyword below items", func(m *mutant) bool {
		for range 20 {
			n := m.schema()
			k := pick(m, keys(n.schema)...)
			if !n.below || k == "" {
				continue
			}
			v := n.schema[k]
			if m.IntN(2) == 0 {
				delete(n.schema, k)
			}
			n.schema[pick(m, strings.ToUpper(k), strings.ToUpper(k[:1])+k[1:])] = v
			n.schema[pick(m, "ID", "Nullable", "UniqueItems", "$Ref", "Type", "tYpe", "Enum")] = value(pick(m, `"null"`, `true`, `"x"`, `[1]`))
			return true
		}
		return false
	}},
}
