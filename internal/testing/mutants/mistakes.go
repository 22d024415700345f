package mutants

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// mistake makes one somewhere, and says what it is; "" if there was no place for it.
func (m *mutant) mistake() string {
	switch m.IntN(10) {
	case 0, 1, 2:
		if kind := pick(m, mutations...); (m.v1 || !kind.onlyV1) && kind.apply(m) {
			return kind.name
		}
		return ""
	case 3:
		return m.setTogether()
	default:
		return m.setOne()
	}
}

// place chooses one, one time of three outside of the schemas, which hold most places, and half of the time one where something
// is. All names have the same chance.
func (m *mutant) place() (Place, bool) {
	schemas, filled := m.IntN(3) > 0, m.IntN(2) == 0
	named := map[string][]Place{}
	for _, p := range m.places() {
		if p.inSchema() == schemas && (!filled || p.isThere()) {
			name, _ := p.step.(string) // "" for an element
			named[name] = append(named[name], p)
		}
	}
	all := named[pick(m, slices.Sorted(maps.Keys(named))...)]
	if m.IntN(6) == 0 { // the outermost, more often than its share
		all = all[:min(1, len(all))]
	}
	return pick(m, all...), len(all) > 0
}

// setOne gives a field one of its values or takes it away.
func (m *mutant) setOne() string {
	p, ok := m.place()
	if !ok {
		return ""
	}
	values := m.valuesOf(p)
	if m.IntN(8) == 0 { // of these, most are none that a server can read
		values = anyValues
	} else if len(values) == 0 {
		values = fitting[p.kind()]
	}
	if len(values) == 0 {
		return ""
	}
	if text := pick(m, values...); text != "" {
		p.Set(value(text))
	} else if !p.isThere() || !p.Delete() {
		return ""
	}
	return fmt.Sprint("set ", p.step)
}

// fitting are values of fields that have none of their own, by their types.
var fitting = map[reflect.Kind][]string{
	reflect.Bool: {`true`, `false`}, reflect.String: {`"x"`, `""`}, reflect.Int64: {`0`, `-1`, `1`}, reflect.Slice: {`[]`}, reflect.Map: {`{}`}, reflect.Struct: {`{}`},
}

// setTogether gives an object several members that have to do with each other.
func (m *mutant) setTogether() string {
	kind := pick(m, slices.Sorted(maps.Keys(together))...)
	all := slices.DeleteFunc(m.places(), func(p Place) bool { return p.of == nil || p.of.Name() != kind })
	if len(all) == 0 {
		return ""
	}
	some := value(pick(m, together[kind]...)).(object)
	if c, ok := some["conversion"].(object); ok && m.v1 {
		webhook := object{"clientConfig": c["webhookClientConfig"], "conversionReviewVersions": c["conversionReviewVersions"]}
		some["conversion"] = object{"strategy": "Webhook", "webhook": webhook}
	}
	maps.Copy(pick(m, all...).Members(), some)
	return "set some of " + kind
}

// child is the object below a key; a new one is put there when there is none.
func child(o object, key string) object {
	if c, ok := o[key].(object); ok {
		return c
	}
	c := object{}
	o[key] = c
	return c
}

func (m *mutant) spec() object { return child(m.root, "spec") }

// versions are spec.versions, made from spec.version when there are none.
func (m *mutant) versions() (objects []object) {
	all, _ := m.spec()["versions"].(list)
	if len(all) == 0 {
		name, ok := m.spec()["version"].(string)
		if !ok {
			name = "v1"
		}
		all = list{object{"name": name, "served": true, "storage": true}}
		m.spec()["versions"] = all
	}
	for _, v := range all {
		if o, ok := v.(object); ok {
			objects = append(objects, o)
		}
	}
	return objects
}

// schema chooses one; nil if there is none.
func (m *mutant) schema() Place {
	return pick(m, slices.DeleteFunc(m.places(), func(p Place) bool {
		return p.step != "properties" || p.of == nil || p.of.Name() != "JSONSchemaProps"
	})...)
}

// A mutation is a kind of mistake that one value does not make. It reports whether there was a place for it.
type mutation struct {
	name   string
	onlyV1 bool // it is about what v1beta1 does not have, or leaves unchecked
	apply  func(m *mutant) bool
}

var mutations = []mutation{
	{"rename a key", false, func(m *mutant) bool {
		p, ok := m.place()
		name, _ := p.step.(string)
		if !ok || name == "" || !p.isThere() {
			return false
		}
		v := p.Get()
		p.Delete()
		p.Members()[pick(m, strings.ToUpper(name), strings.ToLower(name), strings.ToUpper(name[:1])+name[1:], name+"s")] = v
		return true
	}},
	{"swap two values", false, func(m *mutant) bool {
		p, ok := m.place()
		if !ok || len(p.Members()) < 2 || !p.isThere() {
			return false
		}
		other := Place{in: p.in, step: pick(m, slices.Sorted(maps.Keys(p.Members()))...)}
		one, two := p.Get(), other.Get()
		p.Set(two)
		other.Set(one)
		return true
	}},
	{"repeat an element", false, func(m *mutant) bool {
		p, ok := m.place()
		if !ok {
			return false
		}
		l, _ := p.Get().(list)
		if len(l) > 0 {
			p.Set(append(slices.Clip(l), pick(m, l...)))
		}
		return len(l) > 0
	}},
	{"change the case of a keyword below items", false, func(m *mutant) bool { // whose decoders work differently
		p, ok := m.place()
		name, _ := p.step.(string)
		if !ok || name == "" || !p.isThere() || !slices.Contains(p.at, any("items")) && !slices.Contains(p.at, any("additionalProperties")) {
			return false
		}
		v := p.Get()
		if m.IntN(2) == 0 {
			p.Delete()
		}
		p.Members()[pick(m, strings.ToUpper(name), strings.ToUpper(name[:1])+name[1:])] = v
		p.Members()[pick(m, "ID", "Nullable", "UniqueItems", "$Ref", "Type", "tYpe", "Enum")] = value(pick(m, `"null"`, `true`, `"x"`, `[1]`))
		return true
	}},
	{"duplicate a version", false, func(m *mutant) bool {
		v := maps.Clone(pick(m, m.versions()...))
		if v == nil {
			return false
		}
		if m.IntN(2) == 0 {
			v["name"] = "v9"
		}
		if m.IntN(2) == 0 {
			v["storage"] = false
		}
		m.spec()["versions"] = append(m.spec()["versions"].(list), v)
		return true
	}},
	{"add a version in front", false, func(m *mutant) bool {
		m.versions()
		v := object{"name": "v9", "served": m.IntN(2) == 0, "storage": m.IntN(4) == 0}
		m.spec()["versions"] = append(list{v}, m.spec()["versions"].(list)...)
		return true
	}},
	{"empty the versions", false, func(m *mutant) bool {
		m.spec()["versions"] = list{}
		if m.IntN(2) == 0 {
			delete(m.spec(), "version")
		}
		return true
	}},
	{"move a field into versions", false, func(m *mutant) bool {
		name := pick(m, "validation", "subresources", "additionalPrinterColumns")
		v, ok := m.spec()[name]
		if !ok {
			return false
		}
		versions := m.versions()
		if m.IntN(2) == 0 {
			versions = versions[:min(1, len(versions))]
		}
		if m.IntN(3) > 0 {
			delete(m.spec(), name)
		}
		for _, version := range versions {
			version[strings.Replace(name, "validation", "schema", 1)] = v
		}
		return true
	}},
	{"move a field out of versions", false, func(m *mutant) bool {
		name := pick(m, "schema", "subresources", "additionalPrinterColumns")
		for _, version := range m.versions() {
			if v, ok := version[name]; ok {
				if m.IntN(2) == 0 {
					delete(version, name)
				}
				m.spec()[strings.Replace(name, "schema", "validation", 1)] = v
				return true
			}
		}
		return false
	}},
	{"wrap into a junctor", false, func(m *mutant) bool {
		s := m.schema().Members()
		if s == nil {
			return false
		}
		inner := maps.Clone(s)
		if m.IntN(2) == 0 {
			clear(s)
		}
		if name := pick(m, "allOf", "anyOf", "oneOf", "not"); name == "not" {
			s[name] = inner
		} else {
			s[name] = list{inner, object{"required": list{"x"}}}
		}
		return true
	}},
	{"set a keyword in a junctor", false, func(m *mutant) bool {
		s := m.schema().Members()
		if s == nil {
			return false
		}
		branch := value(pick(m, branches...))
		if name := pick(m, "allOf", "anyOf", "oneOf", "not"); name == "not" {
			s[name] = branch
		} else {
			old, _ := s[name].(list)
			s[name] = append(slices.Clip(old), branch)
		}
		return true
	}},
	{"declare a property", false, func(m *mutant) bool { return m.declare(lists, embedded, []string{`{"type":"string"}`}) }},
	{"declare one with rules", true, func(m *mutant) bool { return m.declare(ruled) }},
	{"declare one with a default", true, func(m *mutant) bool { return m.declare(defaulted) }},
	{"declare root fields", false, func(m *mutant) bool {
		s := m.schema()
		if s.Members() == nil {
			return false
		}
		maps.Copy(child(s.Members(), "properties"), value(pick(m, metaFields...)).(object))
		return true
	}},
	{"add a validation rule", true, func(m *mutant) bool {
		s := m.schema().Members()
		if s == nil {
			return false
		}
		old, _ := s["x-kubernetes-validations"].(list)
		s["x-kubernetes-validations"] = append(slices.Clip(old), value(pick(m, rules...)))
		return true
	}},
	{"move into a protected group", true, func(m *mutant) bool {
		plural, _ := child(m.spec(), "names")["plural"].(string)
		m.spec()["group"] = "things.k8s.io"
		metadata := child(m.root, "metadata")
		metadata["name"] = plural + ".things.k8s.io"
		if m.IntN(2) == 0 {
			child(metadata, "annotations")["api-approved.kubernetes.io"] = pick(m, "https://github.com/kubernetes/enhancements/pull/1", "unapproved, experimental", "no", "", "ftp://", "%zz")
		}
		return true
	}},
}

// declare has a schema declare a property, which another mistake may select.
func (m *mutant) declare(schemas ...[]string) bool {
	s := m.schema()
	if s.Members() != nil {
		child(s.Members(), "properties")["declared"] = value(pick(m, slices.Concat(schemas...)...))
	}
	return s.Members() != nil
}
