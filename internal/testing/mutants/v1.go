package mutants

import "strings"

// asV1 returns a conversion of v1beta1 the layout of v1.
func asV1(conversion object) object {
	webhook := object{}
	if config, ok := conversion["webhookClientConfig"]; ok {
		webhook["clientConfig"] = config
	}
	if versions, ok := conversion["conversionReviewVersions"]; ok {
		webhook["conversionReviewVersions"] = versions
	}
	out := object{"strategy": conversion["strategy"]}
	if len(webhook) > 0 {
		out["webhook"] = webhook
	}
	return out
}

// spelled returns columns the spelling of the mutant's API version, most of the time.
func (m *mutant) spelled(columns string) string {
	if m.v1 && m.IntN(8) > 0 {
		return strings.ReplaceAll(columns, "JSONPath", "jsonPath")
	}
	return columns
}

// onlyV1 are mutations of what v1beta1 does not have, or leaves unchecked.
var onlyV1 = []mutation{
	{"add a validation rule", func(m *mutant) bool {
		s := m.schema().schema
		old, _ := s["x-kubernetes-validations"].(list)
		s["x-kubernetes-validations"] = append(old[:len(old):len(old)], value(pick(m, rules...)))
		return true
	}},
	{"add a property with rules", func(m *mutant) bool {
		child(m.schema().schema, "properties")["ruled"] = value(pick(m, ruled...))
		return true
	}},
	{"add a property with a default", func(m *mutant) bool {
		child(m.schema().schema, "properties")["defaulted"] = value(pick(m, defaulted...))
		return true
	}},
	{"set selectable fields", func(m *mutant) bool {
		m.level()["selectableFields"] = value(pick(m, selectable...))
		return true
	}},
	{"select an existing field", func(m *mutant) bool {
		child(m.schema().schema, "properties")["selected"] = value(pick(m, `{"type":"string"}`, `{"type":"object"}`, `{"type":"array"}`, `{}`))
		m.level()["selectableFields"] = value(pick(m, `[{"jsonPath":".spec.selected"}]`, `[{"jsonPath":".selected"}]`, `[{"jsonPath":".status.selected"}]`))
		return true
	}},
	{"move into a protected group", func(m *mutant) bool {
		plural, _ := child(m.spec(), "names")["plural"].(string)
		m.spec()["group"] = "things.k8s.io"
		m.metadata()["name"] = plural + ".things.k8s.io"
		if m.IntN(2) == 0 {
			child(m.metadata(), "annotations")["api-approved.kubernetes.io"] = pick(m, "https://github.com/kubernetes/enhancements/pull/1", "unapproved, experimental", "no", "", "ftp://", "%zz")
		}
		return true
	}},
	{"keep unknown fields", func(m *mutant) bool {
		m.spec()["preserveUnknownFields"] = true
		return true
	}},
	{"remove a schema", func(m *mutant) bool {
		v := pick(m, m.versions()...)
		if v == nil {
			return false
		}
		delete(v, "schema")
		if m.IntN(2) == 0 {
			v["schema"] = object{}
		}
		return true
	}},
}

var rules = []string{
	`{"rule":"true"}`, `{"rule":""}`, `{}`, `{"rule":" "}`, `{"rule":"self.missing > 1"}`, `{"rule":"self"}`, `{"rule":"self ==="}`, `{"rule":"1"}`,
	`{"rule":"unknown(self)"}`, `{"rule":"self == oldSelf"}`, `{"rule":"self == self","optionalOldSelf":true}`, `{"rule":"self == self","optionalOldSelf":false}`,
	`{"rule":"oldSelf.hasValue() || true","optionalOldSelf":true}`, `{"rule":"true","message":""}`, `{"rule":"true","message":" "}`,
	`{"rule":"true","message":"two\nlines"}`, `{"rule":"true &&\ntrue"}`, `{"rule":"true &&\ntrue","message":"both"}`, `{"rule":"true","messageExpression":" "}`,
	`{"rule":"true","messageExpression":"1"}`, `{"rule":"true","messageExpression":"'a' +"}`, `{"rule":"true","messageExpression":"'a' + string(1)"}`,
	`{"rule":"true","reason":"FieldValueInvalid"}`, `{"rule":"true","reason":"Invalid"}`, `{"rule":"true","reason":""}`, `{"rule":"true","fieldPath":".a"}`,
	`{"rule":"true","fieldPath":" "}`, `{"rule":"true","fieldPath":".a\n"}`, `{"rule":"true","fieldPath":"a"}`, `{"rule":"true","fieldPath":".ruled"}`, `{"rule":1}`, `"true"`,
}

var ruled = []string{
	`{"type":"array","items":{"type":"string"},"x-kubernetes-validations":[{"rule":"self.all(x, self.all(y, x == y))"}]}`,
	`{"type":"array","items":{"type":"array","items":{"type":"string","x-kubernetes-validations":[{"rule":"self.contains('a')"}]}}}`,
	`{"type":"array","items":{"type":"string","x-kubernetes-validations":[{"rule":"self == oldSelf"}]}}`,
	`{"type":"array","x-kubernetes-list-type":"set","maxItems":3,"items":{"type":"string","maxLength":5,"x-kubernetes-validations":[{"rule":"self == oldSelf"}]}}`,
	`{"type":"object","x-kubernetes-map-type":"atomic","properties":{"a":{"type":"string","x-kubernetes-validations":[{"rule":"self == oldSelf"}]}}}`,
	`{"type":"object","additionalProperties":{"type":"string"},"x-kubernetes-validations":[{"rule":"self.all(k, self[k].matches('^a'))"}]}`,
	`{"type":"array","items":{"type":"string"},"x-kubernetes-validations":[{"rule":"true","messageExpression":"self.map(x, self.map(y, x + y).join()).join()"}]}`,
	`{"type":"integer","default":1,"x-kubernetes-validations":[{"rule":"self > 3","message":"too small"}]}`,
	`{"type":"integer","default":5,"x-kubernetes-validations":[{"rule":"self > 3","message":"too small"}]}`,
	`{"type":"string","default":"x","x-kubernetes-validations":[{"rule":"self == 'y'","reason":"FieldValueForbidden"}]}`,
	`{"type":"object","default":{"a":"x"},"properties":{"a":{"type":"string","x-kubernetes-validations":[{"rule":"self == 'y'"}]}},"x-kubernetes-validations":[{"rule":"has(self.b)","fieldPath":".b"}]}`,
	`{"x-kubernetes-int-or-string":true,"default":"x","x-kubernetes-validations":[{"rule":"self > 3"}]}`,
	`{"type":"string","maxLength":10,"default":"x","x-kubernetes-validations":[{"rule":"oldSelf.hasValue()","optionalOldSelf":true}]}`,
	`{"type":"array","maxItems":450,"items":{"type":"string","maxLength":20},"x-kubernetes-validations":[` + strings.Repeat(`{"rule":"self.all(x, self.exists(y, x + 'X' == y + 'Y'))"},`, 18) + `{"rule":"true"}]}`,
}

var defaulted = []string{
	`{"type":"string","default":"x"}`, `{"type":"string","default":1}`, `{"type":"integer","default":"x"}`, `{"type":"integer","minimum":2,"default":1}`,
	`{"type":"integer","maximum":2,"exclusiveMaximum":true,"default":2}`, `{"type":"string","enum":["a","b"],"default":"c"}`, `{"type":"string","maxLength":1,"default":"xx"}`,
	`{"type":"string","minLength":3,"default":"xx"}`, `{"type":"string","pattern":"^a$","default":"b"}`, `{"type":"string","format":"date-time","default":"b"}`,
	`{"type":"array","items":{"type":"string"},"maxItems":1,"default":["a","b"]}`, `{"type":"array","items":{"type":"string"},"minItems":1,"default":[]}`,
	`{"type":"array","items":{"type":"string"},"default":["a",1]}`, `{"type":"object","default":{"a":1}}`, `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"default":{}}`,
	`{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"integer"}}}},"default":{"a":{"b":"x"}}}`, `{"type":"object","maxProperties":1,"additionalProperties":{"type":"string"},"default":{"a":"1","b":"2"}}`,
	`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"oneOf":[{"required":["a"]},{"required":["b"]}],"default":{}}`, `{"type":"number","multipleOf":2,"default":3}`,
	`{"type":"object","additionalProperties":{"type":"integer","default":"x"}}`, `{"type":"object","not":{"required":["a"]},"properties":{"a":{"type":"string"}},"default":{"a":"x"}}`,
}

var selectable = []string{
	`[]`, `[{}]`, `[{"jsonPath":""}]`, `[{"jsonPath":".metadata.name"}]`, `[{"jsonPath":".spec.missing"}]`, `[{"jsonPath":"spec"}]`, `[{"jsonPath":".spec"}]`, `[{"jsonPath":".spec[0]"}]`,
	`[{"jsonPath":".a"},{"jsonPath":".b"},{"jsonPath":".c"},{"jsonPath":".d"},{"jsonPath":".e"},{"jsonPath":".f"},{"jsonPath":".g"},{"jsonPath":".h"},{"jsonPath":".i"}]`,
	`[{"jsonPath":".spec.missing"},{"jsonPath":".spec.missing"}]`, `[{"jsonPath":1}]`, `"x"`, `null`,
}
