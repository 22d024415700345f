package plan

import (
	"os/exec"
	"reflect"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestPatches has jq run the program of the script on one object, and compares the call that it prints.
func TestPatches(t *testing.T) {
	t.Parallel()
	jq, err := exec.LookPath("jq")
	if err != nil {
		t.Skip("jq is not installed")
	}
	const old, now = `"manager":"m","operation":"Apply","apiVersion":"g/v1beta1"`, `"manager":"m","operation":"Apply","apiVersion":"g/v1"`
	const test = `{"op":"test","path":"/metadata/resourceVersion","value":"7"}`
	patch := func(entries string) string {
		return `[` + test + `,{"op":"replace","path":"/metadata/managedFields","value":[` + entries + `]}]`
	}
	const schema = `{"f:metadata": true, "f:spec": {"f:a": {}, "f:free": true, "f:list": {"*": {"f:x": {}}}, "f:map": {"*": {}}}}`
	for name, test := range map[string]struct {
		metadata, fields, all string
		want                  string // "" for no call
	}{
		"an object without entries": {`{"name":"o"}`, "true", "false", ""},
		"an object that is to be written": {
			`{"name":"o"}`, "true", "true", `'once' '[` + test + `]' '' 'o'`,
		},
		"an object at the version": {`{"name":"o","managedFields":[{` + now + `,"fieldsV1":{"f:a":{}}}]}`, "true", "false", ""},
		"an object at the version that is to be written": {
			`{"name":"o","namespace":"n","managedFields":[{` + now + `,"fieldsV1":{"f:a":{}}}]}`, "true", "true", `'once' '[` + test + `]' '' 'o' --namespace 'n'`,
		},
		"two versions": {
			`{"name":"o","managedFields":[{` + old + `,"fieldsV1":{"f:a":{}}},{` + now + `,"fieldsV1":{"f:b":{"f:c":{}}}}]}`, "true", "false",
			`'once' '` + patch(`{`+now+`,"fieldsV1":{"f:a":{".":{}},"f:b":{"f:c":{".":{}}}}}`) + `' '' 'o'`,
		},
		"fields that there are": {
			`{"name":"o","managedFields":[{` + old + `,"fieldsV1":{"f:metadata":{"f:labels":{"f:l":{}}},"f:spec":{".":{},"f:a":{},"f:free":{"f:y":{}},"f:list":{"k:{\"x\":1}":{".":{},"f:x":{}}},"f:map":{"f:z":{}}}}}]}`, schema, "false",
			`'once' '` + patch(`{`+now+`,"fieldsV1":{"f:metadata":{"f:labels":{"f:l":{".":{}}}},"f:spec":{".":{},"f:a":{".":{}},"f:free":{"f:y":{".":{}}},"f:list":{"k:{\"x\":1}":{".":{},"f:x":{".":{}}}},"f:map":{"f:z":{".":{}}}}}}`) + `' '' 'o'`,
		},
		"fields that there are not": {
			`{"name":"o","managedFields":[{` + old + `,"fieldsV1":{"f:spec":{"f:a":{},"f:b":{"f:c":{}},"f:list":{"k:{\"x\":1}":{"f:y":{}}}},"f:status":{"f:a":{}}}}]}`, schema, "false",
			`'once' '` + patch(`{`+now+`,"fieldsV1":{"f:spec":{"f:a":{".":{}}}}}`) + `' '' 'o'`,
		},
		"nothing is left": {
			`{"name":"o","managedFields":[{` + old + `,"fieldsV1":{"f:spec":{"f:b":{}}}}]}`, schema, "false", `'once' '` + patch(`{}`) + `' 'm' 'o'`,
		},
		"nothing is left of one": {
			`{"name":"o","managedFields":[{` + old + `,"fieldsV1":{"f:spec":{"f:b":{}}}},{"manager":"u","operation":"Update","apiVersion":"g/v0","fieldsV1":{"f:b":{}}},{` +
				strings.Replace(now, `"m"`, `"n"`, 1) + `,"fieldsV1":{"f:spec":{"f:a":{}}}}]}`, schema, "false",
			`'once' '` + patch(`{`+strings.Replace(now, `"m"`, `"n"`, 1)+`,"fieldsV1":{"f:spec":{"f:a":{".":{}}}}}`) + `' 'm' 'o'`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			metadata := strings.Replace(test.metadata, `{`, `{"resourceVersion":"7",`, 1)
			run := exec.Command(jq, "--raw-output", "--arg", "call", "once", "--arg", "to", "g/v1", "--argjson", "all", test.all, "--argjson", "fields", "["+test.fields+"]", patches)
			run.Stdin = strings.NewReader(`{"items": [{"metadata": ` + metadata + `}]}`)
			out, err := run.Output()
			if got := strings.TrimSpace(string(out)); err != nil || got != test.want {
				t.Errorf("%v\n%s\nwant\n%s", err, got, test.want)
			}
		})
	}
}

// TestScript compares what a script has for a CRD.
func TestScript(t *testing.T) {
	t.Parallel()
	yes, list := true, "map"
	object := func(properties map[string]apiextensions.JSONSchemaProps) *apiextensions.CustomResourceValidation {
		return &apiextensions.CustomResourceValidation{OpenAPIV3Schema: &apiextensions.JSONSchemaProps{Type: "object", Properties: properties}}
	}
	text := apiextensions.JSONSchemaProps{Type: "string"}
	items := &apiextensions.JSONSchemaPropsOrArray{Schema: &apiextensions.JSONSchemaProps{Type: "object", Properties: map[string]apiextensions.JSONSchemaProps{"x": text}}}
	atomic := "atomic"
	small := object(map[string]apiextensions.JSONSchemaProps{"a": text})
	large := object(map[string]apiextensions.JSONSchemaProps{
		"a": text, "b": text, "any": {XPreserveUnknownFields: &yes}, "embedded": {Type: "object", XEmbeddedResource: true},
		"list": {Type: "array", XListType: &list, Items: items}, "whole": {Type: "array", XListType: &atomic, Items: items}, "plain": {Type: "array", Items: items},
		"map": {Type: "object", AdditionalProperties: &apiextensions.JSONSchemaPropsOrBool{Schema: &text}}, "one": {Type: "object", XMapType: &atomic},
	})
	listed := object(map[string]apiextensions.JSONSchemaProps{"list": {Type: "array", XListType: &list, Items: items}, "map": {Type: "object", Properties: map[string]apiextensions.JSONSchemaProps{"k": text}}})
	crd := func(served bool, was, is *apiextensions.CustomResourceValidation, stored ...string) *apiextensions.CustomResourceDefinition {
		return &apiextensions.CustomResourceDefinition{ObjectMeta: metav1.ObjectMeta{Name: "foos.example.com"}, Spec: apiextensions.CustomResourceDefinitionSpec{
			Group: "example.com", Scope: apiextensions.ClusterScoped, Names: apiextensions.CustomResourceDefinitionNames{Plural: "foos", Kind: "Foo"},
			Versions: []apiextensions.CustomResourceDefinitionVersion{
				{Name: "v1beta1", Served: true, Schema: was}, {Name: "v2", Served: true, Schema: is}, {Name: "v1", Served: served, Storage: true, Schema: is},
			},
		}, Status: apiextensions.CustomResourceDefinitionStatus{StoredVersions: stored}}
	}
	const none = "There is nothing to do.\n"
	const whole = "<<'END'\ntrue\nEND\nmigrate || failed=\"$failed $crd\"\n"
	for name, test := range map[string]struct {
		migration Migration
		has       string
		without   string
	}{
		"nothing":                 {Migration{CRD: crd(true, small, large, "v1")}, none, "set -eu"},
		"rejected, but not moved": {Migration{CRD: crd(true, small, large, "v1"), Refused: []string{"a"}}, none, "set -eu"},
		"another one is stored":   {Migration{CRD: crd(true, small, large, "v1beta1", "v1")}, "\n# foos.example.com: stored in v1beta1 and v1; managedFields are of v1.\n# 5. Only when this is done, remove v1beta1 from spec.versions, in git.\ncrd=foos.example.com version=v1 to=example.com/v1 resource=foos.v1.example.com all=\n", none},
		"only another is stored":  {Migration{CRD: crd(true, small, large, "v1beta1")}, "\n# foos.example.com: stored in v1beta1;", none},
		"fields of another":       {Migration{CRD: crd(true, small, large, "v1"), Old: []string{"v1beta1", "v0"}}, "managedFields are of v1, v1beta1 and v0.\n# 5. Only when this is done, remove v1beta1 from", none},
		"of one that is gone":     {Migration{CRD: crd(true, small, large, "v1"), Old: []string{"v0"}}, `"f:any":true,"f:apiVersion":true,"f:b":{},"f:embedded":true,"f:kind":true,"f:list":{"*":{"f:x":{}}},"f:map":{"*":{}},"f:metadata":true,"f:one":true,"f:plain":true,"f:whole":true}`, "# 5. Only when this is done"},
		"not served":              {Migration{CRD: crd(false, small, large, "v1"), Old: []string{"v1beta1"}}, " version=v1 to=example.com/v1 resource=foos.v1beta1.example.com ", none},
		"fewer fields before":     {Migration{CRD: crd(true, small, large, "v1"), Old: []string{"v1beta1"}}, whole, none},
		"fewer fields now":        {Migration{CRD: crd(true, large, small, "v1"), Old: []string{"v1beta1"}}, "\n{\"f:a\":{},\"f:apiVersion\":true,\"f:kind\":true,\"f:metadata\":true}\n", whole},
		"keys of a mapping":       {Migration{CRD: crd(true, listed, large, "v1"), Old: []string{"v1beta1"}}, whole, none},
		"any field before":        {Migration{CRD: crd(true, nil, small, "v1"), Old: []string{"v1beta1"}}, "\n{\"f:a\":{},", whole},
		"any field now":           {Migration{CRD: crd(true, large, nil, "v1"), Old: []string{"v1beta1"}}, whole, none},
		"refused": {
			Migration{CRD: crd(true, small, large, "v1"), Old: []string{"v1beta1"}, Refused: []string{"a", "b\x1b\n"}},
			"Fix or delete them first:\n#   a\n#   b", none,
		},
	} {
		script, err := Script([]Migration{test.migration}, []string{"kubectl", "--context", "it's"})
		if err != nil || !strings.Contains(script, test.has) || strings.Contains(script, test.without) || strings.Contains(script, "\x1b") {
			t.Errorf("%s: %v; it has to have\n%s\nand not\n%s\nbut is\n%s", name, err, test.has, test.without, script)
		}
		if named := `kube() { kubectl --context 'it'\''s' "$@"; }`; test.has != none && !strings.Contains(script, named) {
			t.Errorf("%s: the command is another", name)
		}
	}
	namespaced := crd(true, small, small, "v1beta1")
	namespaced.Spec.Scope = apiextensions.NamespaceScoped
	both, err := Script([]Migration{{CRD: namespaced}, {CRD: crd(true, small, small, "v1beta1")}}, []string{"kubectl"})
	if found := strings.Count(both, "\nmigrate || "); err != nil || found != 2 || !strings.Contains(both, " all=--all-namespaces\n") {
		t.Errorf("two CRDs: %d, %v\n%s", found, err, both)
	}
	// A dump may say anything: no line of it is run.
	namespaced.Status.StoredVersions = append(namespaced.Status.StoredVersions, "v0\nreboot\r")
	odd, err := Script([]Migration{{CRD: namespaced, Old: []string{"$(reboot)\nreboot"}, Refused: []string{"a\nreboot"}}}, []string{"kubectl"})
	if err != nil || strings.Count(odd, "reboot") != 4 || strings.Contains(odd, "\nreboot") || strings.Contains(odd, "\r") {
		t.Errorf("lines of a dump: %v\n%s", err, odd[strings.LastIndex(odd, "\n# "):])
	}
	namespaced.Spec.Names.Plural = "$(reboot)"
	if script, err := Script([]Migration{{CRD: namespaced}}, []string{"kubectl"}); err == nil || script != "" {
		t.Errorf("a name that no server takes: %v\n%s", err, script)
	}
	if got := paths(nil); !reflect.DeepEqual(got, true) {
		t.Errorf("of no schema: %v", got)
	}
}
