package marker

import (
	"encoding/json"
	"testing"
)

// TestDiffers compares markers, as people write them, with what manifests have.
func TestDiffers(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text, keyword, json string
		want                bool
	}{
		{"+kubebuilder:validation:MaxItems=5", "maxItems", "5", false},
		{"+kubebuilder:validation:MaxItems=5", "maxItems", "6", true},
		{"+kubebuilder:validation:Maximum=1.50", "maximum", "1.5", false},
		{"+kubebuilder:validation:Pattern=`^a$`", "pattern", `"^a$"`, false},
		{"+kubebuilder:validation:Pattern='^a$'", "pattern", `"^b$"`, false}, // not read for sure
		{"+kubebuilder:validation:Enum=a;b", "enum", `["a","b"]`, false},
		{"+kubebuilder:validation:Enum={a,\"b\"}", "enum", `["a","b"]`, false},
		{"+kubebuilder:validation:Enum=a;b", "enum", `["b","a"]`, true},
		{"+kubebuilder:validation:Enum={a,b}", "enum", `["a","b","c"]`, true},
		{"+kubebuilder:validation:Enum={a,b}", "enum", `["a","c"]`, true},
		{"+kubebuilder:validation:Enum={a;b", "enum", `["c"]`, false}, // not read for sure
		{"+kubebuilder:validation:Enum=1;2", "enum", `[1,2]`, false},
		{"+nullable", "nullable", "true", false},
		{"+nullable=true", "nullable", "false", true},
		{"+nullable=no", "nullable", "false", false}, // not read for sure
		{"+kubebuilder:unservedversion", "served", "false", false},
		{"+kubebuilder:default={}", "default", "[]", false},
		{"+kubebuilder:default={}", "default", `{"a":1}`, true},
		{"+kubebuilder:default={}", "default", `["a"]`, true},
		{"+kubebuilder:default={a: 1}", "default", `{"b":1}`, true},
		{"+kubebuilder:default={a: 1}", "default", `{"a":2}`, true},
		{"+kubebuilder:default={a: 1, b: 2}", "default", `{"a":1}`, true},
		{"+kubebuilder:default={a: 1}", "default", `"a"`, true},
		{"+kubebuilder:default={a: `b}", "default", `{"a":"c"}`, false}, // not read for sure
		{"+kubebuilder:default=5.0", "default", "5", false},
		{"+kubebuilder:default=null", "default", "0", true},
		{"+kubebuilder:default=\"1\"", "default", `"2"`, true},
		{"+kubebuilder:default:={\"a\":{\"b\":true}}", "default", `{"a":{"b":true}}`, false},
		{"+kubebuilder:default:={a: {b: true}}", "default", `{}`, true},
		{"+kubebuilder:default={a,b}", "default", `["a","b"]`, false},
		{"+kubebuilder:default={a,b}", "default", `["a"]`, true},
		{"+kubebuilder:default=a;b", "default", `["a"]`, false}, // not read for sure
		{"+kubebuilder:default=\"1\"", "default", `"1"`, false},
		{"+listMapKey=a", "x-kubernetes-list-map-keys", `["b","a"]`, false},
		{"+listMapKey=c", "x-kubernetes-list-map-keys", `["b","a"]`, true},
		{"+kubebuilder:resource:shortName=a;b,scope=Cluster", "spec.names.shortNames", `["a"]`, true},
		{"+kubebuilder:resource:shortName=a,scope=Cluster", "spec.scope", `"Cluster"`, false},
		{"+kubebuilder:deprecatedversion:warning=\"\"", "deprecationWarning", `""`, false},
		{"+kubebuilder:deprecatedversion:warning=\"\"", "deprecationWarning", `"a"`, true},
		{"+kubebuilder:deprecatedversion", "deprecationWarning", `""`, true},
		{"+kubebuilder:printcolumn:name=A,type=string,JSONPath=`.a`,priority=0", "additionalPrinterColumns", `{"name":"A","type":"string","jsonPath":".a"}`, false},
		{"+kubebuilder:printcolumn:name=A,type=string,JSONPath=`.a`", "additionalPrinterColumns", `{"name":"A","type":"string","jsonPath":".a","priority":1}`, true},
		{"+kubebuilder:validation:XValidation:rule=\"a\",message=b", "x-kubernetes-validations", `{"rule":"a"}`, true},
	} {
		var value any
		if err := json.Unmarshal([]byte(test.json), &value); err != nil {
			t.Fatal(err)
		}
		p, ok := Parse(test.text)
		row, known := Of(test.keyword)
		if !ok || !known {
			t.Fatalf("%s is not read", test.text)
		}
		if got := p.Differs(row, value); got != test.want {
			t.Errorf("%s differs from %s: %t", test.text, test.json, got)
		}
	}
}
