package mutants

import (
	"maps"
	"slices"
	"strings"
)

// badNames are not DNS-1035 labels, and most are not DNS-1123 subdomains either.
var badNames = []string{"", "Foo_Bar", "1a", "a.b", "-a", strings.Repeat("a", 64), strings.Repeat("a.", 130) + "a", "ü", "nodots", "widgets"}

// common are the mutations of both API versions.
var common = slices.Concat(fieldMutations, schemaMutations)

// fieldMutations are grouped by what they touch: JSON in general, versions, names and metadata, conversion, columns and
// subresources.
var fieldMutations = []mutation{
	{"delete a key", func(m *mutant) bool {
		s, ok := m.anywhere()
		delete(s.Object, s.Key)
		return ok && s.Object != nil
	}},
	{"delete an important key", func(m *mutant) bool {
		o := pick(m, m.spec(), m.spec(), child(m.spec(), "names"), m.metadata(), pick(m, m.versions()...))
		k := pick(m, keys(o)...)
		delete(o, k)
		return k != ""
	}},
	{"set null", func(m *mutant) bool {
		s, ok := m.anywhere()
		if ok {
			s.Set(nil)
		}
		return ok
	}},
	{"set another JSON type", func(m *mutant) bool {
		s, ok := m.anywhere()
		if ok {
			s.Set(value(pick(m, `"x"`, `"true"`, `""`, `0`, `1`, `1.5`, `-1`, `true`, `false`, `{}`, `[]`, `{"a":1}`, `["x"]`, `[1]`, `[{}]`)))
		}
		return ok
	}},
	{"set an empty value", func(m *mutant) bool {
		s, ok := m.anywhere()
		if !ok {
			return false
		}
		switch s.Get().(type) {
		case object:
			s.Set(object{})
		case list:
			s.Set(list{})
		case string:
			s.Set("")
		default:
			s.Set(false)
		}
		return true
	}},
	{"rename a key", func(m *mutant) bool {
		s, ok := m.anywhere()
		if !ok || s.Object == nil || s.Key == "" {
			return false
		}
		v := s.Get()
		delete(s.Object, s.Key)
		s.Object[pick(m, strings.ToUpper(s.Key), strings.ToLower(s.Key), strings.ToUpper(s.Key[:1])+s.Key[1:], s.Key+"s")] = v
		return true
	}},
	{"swap two values", func(m *mutant) bool {
		s, ok := m.anywhere()
		if !ok || len(s.Object) < 2 {
			return false
		}
		other := pick(m, keys(s.Object)...)
		s.Object[s.Key], s.Object[other] = s.Object[other], s.Object[s.Key]
		return true
	}},
	{"repeat an element", func(m *mutant) bool {
		s, ok := m.anywhere()
		if !ok {
			return false
		}
		l, _ := s.Get().(list)
		if len(l) == 0 {
			return false
		}
		s.Set(append(l[:len(l):len(l)], pick(m, l...)))
		return true
	}},

	{"duplicate a version", func(m *mutant) bool {
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
	{"add a version in front", func(m *mutant) bool {
		m.versions()
		v := object{"name": "v9", "served": m.IntN(2) == 0, "storage": m.IntN(4) == 0}
		m.spec()["versions"] = append(list{v}, m.spec()["versions"].(list)...)
		return true
	}},
	{"empty the versions", func(m *mutant) bool {
		m.spec()["versions"] = list{}
		if m.IntN(2) == 0 {
			delete(m.spec(), "version")
		}
		return true
	}},
	{"flip served or storage", func(m *mutant) bool {
		v := pick(m, m.versions()...)
		k := pick(m, "served", "storage")
		if v != nil {
			v[k] = v[k] != true
		}
		return v != nil
	}},
	{"set the version field", func(m *mutant) bool {
		m.spec()["version"] = pick(m, "v1", "v1alpha1", "other", "V1", "1.0", "")
		return true
	}},
	{"deprecate a version", func(m *mutant) bool {
		v := pick(m, m.versions()...)
		if v == nil {
			return false
		}
		v["deprecated"] = m.IntN(4) > 0
		v["deprecationWarning"] = pick(m, "old", "", "two\nlines", "bell\a", strings.Repeat("x", 257), strings.Repeat("ü", 129))
		return true
	}},
	{"move a field into versions", func(m *mutant) bool {
		names := []string{"validation", "subresources", "additionalPrinterColumns"}
		k := pick(m, names...)
		v, ok := m.spec()[k]
		if !ok {
			return false
		}
		versions := m.versions()
		if m.IntN(2) == 0 {
			versions = versions[:min(1, len(versions))]
		}
		if m.IntN(3) > 0 {
			delete(m.spec(), k)
		}
		if k == "validation" {
			k = "schema"
		}
		for _, version := range versions {
			version[k] = v
		}
		return true
	}},
	{"move a field out of versions", func(m *mutant) bool {
		k := pick(m, "schema", "subresources", "additionalPrinterColumns")
		for _, version := range m.versions() {
			v, ok := version[k]
			if !ok {
				continue
			}
			if m.IntN(2) == 0 {
				delete(version, k)
			}
			if k == "schema" {
				k = "validation"
			}
			m.spec()[k] = v
			return true
		}
		return false
	}},
	{"toggle preserveUnknownFields", func(m *mutant) bool {
		m.spec()["preserveUnknownFields"] = value(pick(m, "true", "false", "false", "null"))
		return true
	}},

	{"set a bad name", func(m *mutant) bool {
		names, bad := child(m.spec(), "names"), pick(m, badNames...)
		switch k := pick(m, "plural", "singular", "kind", "listKind", "shortNames", "categories", "group", "name", "scope", "same"); k {
		case "shortNames", "categories":
			names[k] = list{"ok", bad}
		case "group", "scope":
			m.spec()[k] = bad
		case "name":
			m.metadata()["name"] = bad
		case "same":
			names["listKind"] = names["kind"]
		default:
			names[k] = bad
		}
		return true
	}},
	{"remove the kind", func(m *mutant) bool {
		names := child(m.spec(), "names")
		delete(names, "kind")
		delete(names, "singular")
		delete(names, "listKind")
		return true
	}},
	{"set metadata", func(m *mutant) bool {
		o, _ := value(pick(m, metadataValues...)).(object)
		maps.Copy(m.metadata(), o)
		return true
	}},
	{"annotate at length", func(m *mutant) bool {
		child(m.metadata(), "annotations")["a"] = strings.Repeat("x", 256<<10-m.IntN(2))
		return true
	}},
	{"set a status", func(m *mutant) bool {
		m.root["status"] = value(pick(m, `{"storedVersions":["x"],"acceptedNames":{"plural":"A"},"conditions":null}`, `{}`, `{"storedVersions":null}`,
			`{"conditions":[{"type":"x","status":"True","lastTransitionTime":null}]}`, `{"observedGeneration":"x"}`, `{"conditions":[{"lastTransitionTime":"x"}]}`))
		return true
	}},

	{"set the conversion", func(m *mutant) bool {
		c := object{"strategy": pick(m, "None", "Webhook", "Webhook", "Webhook", "external", "")}
		if m.IntN(4) > 0 {
			c["webhookClientConfig"] = value(pick(m, clientConfigs...))
		}
		if m.IntN(3) > 0 {
			c["conversionReviewVersions"] = value(pick(m, `["v1","v1beta1"]`, `[]`, `["v1","v1"]`, `["v2"]`, `["V1","v1"]`, `["", "a.b"]`, `null`))
		}
		if m.v1 && m.IntN(8) > 0 {
			c = asV1(c)
		}
		m.spec()["conversion"] = c
		if !m.v1 && m.IntN(2) == 0 {
			m.spec()["preserveUnknownFields"] = false
		}
		return true
	}},

	{"set printer columns", func(m *mutant) bool {
		m.level()["additionalPrinterColumns"] = value(m.spelled(pick(m, columns...)))
		return true
	}},
	{"set subresources", func(m *mutant) bool {
		m.level()["subresources"] = value(pick(m, subresources...))
		return true
	}},
}

// level returns the mapping for fields that may be in spec or in a version.
func (m *mutant) level() object {
	if v := pick(m, m.versions()...); v != nil && (m.v1 && m.IntN(8) > 0 || m.IntN(2) == 0) {
		return v
	}
	return m.spec()
}
