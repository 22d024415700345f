package convert_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdlift/crdlift/convert"
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/rules"
)

// older and newer are CRDs of either version that its API server accepts.
const (
	older = `apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  names: {kind: Widget, plural: widgets}
  scope: Namespaced
  preserveUnknownFields: false
  versions:
  - name: v1
    served: true
    storage: true
  validation:
    openAPIV3Schema:
      type: object
`
	newer = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  names: {kind: Widget, plural: widgets}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
`
)

// with replaces texts of a manifest, each of which is in it: old, new, old, new.
func with(t *testing.T, src string, changes ...string) string {
	t.Helper()
	for i := 0; i < len(changes); i += 2 {
		if !strings.Contains(src, changes[i]) {
			t.Fatalf("there is no %q in\n%s", changes[i], src)
		}
		src = strings.Replace(src, changes[i], changes[i+1], 1)
	}
	return src
}

// TestConvertStories tells what becomes of manifests that are written in unusual ways: their state, the place of each
// note, and the output that it has or lacks.
func TestConvertStories(t *testing.T) {
	t.Parallel()
	down, inPlace := policy.Options{To: policy.V1beta1}, policy.Options{UpgradeInPlace: true}
	for _, test := range []struct {
		story, src string
		options    policy.Options
		state      policy.State
		notes      []string // line, column, id, path
		has, lacks []string // lines of the output
	}{
		{
			"one leftover says something and one does not", with(t, newer, "  versions:", "  version: v1\n  additionalPrinterColumns: [{name: A, type: string, JSONPath: .a}]\n  versions:"), policy.Options{},
			policy.Converted, []string{"9:3 version-field-removed spec.version", "10:3 moved-into-versions spec.additionalPrinterColumns", "10:54 column-path-renamed spec.additionalPrinterColumns[0]"}, nil, nil,
		},
		{
			"a mistake of v1 has nothing to do with a conversion", with(t, newer, "Namespaced", "Everywhere"), policy.Options{},
			policy.AlreadyThere, nil, []string{"scope: Everywhere"}, nil,
		},
		{
			"but for leftovers", with(t, newer, "Namespaced", "Everywhere", "  versions:", "  version: v1\n  additionalPrinterColumns: [{name: A, type: string, JSONPath: .a}]\n  versions:"), policy.Options{},
			policy.NeedsPerson, []string{"8:10 scope-invalid spec.scope"}, []string{"version: v1"}, nil,
		},
		{
			"an empty list of versions beside a version", with(t, older, "  versions:\n  - name: v1\n    served: true\n    storage: true\n", "  version: v1\n  versions: []\n"), policy.Options{},
			policy.Converted, []string{"1:13 api-version-changed apiVersion", "10:3 version-became-versions spec.version", "12:3 moved-into-versions spec.validation", "9:3 preserve-unknown-fields-removed spec.preserveUnknownFields"}, []string{"- name: v1"}, []string{"version: v1"},
		},
		{
			"so in a manifest that says v1", with(t, newer, "  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n", "  version: v1\n  versions: []\n  validation:\n"), policy.Options{},
			policy.Converted, []string{"9:3 version-became-versions spec.version", "11:3 moved-into-versions spec.validation", "6:3 preserve-unknown-fields-removed spec", "13:9 schema-unknown-fields-kept spec.validation.openAPIV3Schema"}, []string{"- name: v1"}, []string{"version: v1"},
		},
		{
			"a leftover that v1beta1 cannot read", with(t, newer, "  versions:", "  additionalPrinterColumns: {a: b}\n  versions:"), policy.Options{},
			policy.NeedsPerson, []string{"1:1 api-server"}, nil, nil,
		},
		{
			"an explicit false is written where there was none", with(t, older, "  preserveUnknownFields: false\n", ""), inPlace,
			policy.Converted, []string{"1:13 api-version-changed apiVersion", "13:3 moved-into-versions spec.validation", "6:3 preserve-unknown-fields-written-out spec.preserveUnknownFields", "15:7 schema-unknown-fields-kept spec.validation.openAPIV3Schema"}, nil, nil,
		},
		{
			"and in the place of true", with(t, older, "preserveUnknownFields: false", "preserveUnknownFields: true"), inPlace,
			policy.Converted, []string{"1:13 api-version-changed apiVersion", "14:3 moved-into-versions spec.validation", "9:3 preserve-unknown-fields-written-out spec.preserveUnknownFields", "16:7 schema-unknown-fields-kept spec.validation.openAPIV3Schema"}, nil, nil,
		},
		{
			"an explicit false of v1 stays when nothing else of v1beta1 is there", with(t, newer, "  scope:", "  preserveUnknownFields: false\n  scope:", "        type: object\n", "        properties: {a: {type: string}}\n"), policy.Options{},
			policy.Converted, []string{"16:9 schema-type-written spec.versions[0].schema.openAPIV3Schema"}, nil, nil,
		},
		{
			"and goes with a leftover", with(t, newer, "  scope:", "  preserveUnknownFields: false\n  version: ''\n  scope:", "        type: object\n", "        properties: {a: {type: string}}\n"), policy.Options{},
			policy.Converted, []string{"9:3 version-field-removed spec.version", "8:3 preserve-unknown-fields-removed spec.preserveUnknownFields", "17:9 schema-type-written spec.versions[0].schema.openAPIV3Schema"}, nil, nil,
		},
		{
			"defaults wherever a schema is", with(t, newer, "        type: object\n", `        type: object
        properties:
          a: {type: array, items: {type: string, default: x}}
          b: {type: object, additionalProperties: {type: string, default: x}}
          c: {type: object, properties: {d: {type: string, default: x}}, default: {}}
          e: {type: string, anyOf: [{pattern: a}, {pattern: b}], x-kubernetes-validations: [{rule: 'true'}]}
`), down,
			policy.NeedsPerson, []string{"17:50 default-in-v1beta1 spec.versions[0].schema.openAPIV3Schema.properties[a].items.default", "18:66 default-in-v1beta1 spec.versions[0].schema.openAPIV3Schema.properties[b].additionalProperties.default", "19:74 default-in-v1beta1 spec.versions[0].schema.openAPIV3Schema.properties[c].default", "19:60 default-in-v1beta1 spec.versions[0].schema.openAPIV3Schema.properties[c].properties[d].default", "20:66 feature-newer-than-target spec.versions[0].schema.openAPIV3Schema.properties[e].x-kubernetes-validations"}, nil, nil,
		},
		{
			"rules and defaults inside of alternatives", with(t, newer, "        type: object\n", "        type: object\n        properties: {a: {type: string, anyOf: [{pattern: a}, {x-kubernetes-validations: [{rule: 'true'}]}], not: {x-kubernetes-validations: [{rule: 'false'}]}}}\n"), down,
			policy.NeedsPerson, []string{"16:63 schema-junctor-forbidden-field spec.versions[0].schema.openAPIV3Schema.properties[a].anyOf[1].x-kubernetes-validations", "16:115 schema-junctor-forbidden-field spec.versions[0].schema.openAPIV3Schema.properties[a].not.x-kubernetes-validations"}, nil, nil,
		},
		{
			"the status goes", newer + "status: {storedVersions: [v1]}\n", down,
			policy.Converted, []string{"1:13 api-version-changed apiVersion", "13:5 moved-to-top-level spec.versions[0].schema", "6:3 preserve-unknown-fields-written-out spec", "16:1 server-field-removed status"}, nil, []string{"status:"},
		},
		{
			"or stays", newer + "status: {storedVersions: [v1]}\n", policy.Options{To: policy.V1beta1, KeepStatus: true},
			policy.Converted, []string{"1:13 api-version-changed apiVersion", "13:5 moved-to-top-level spec.versions[0].schema", "6:3 preserve-unknown-fields-written-out spec"}, nil, nil,
		},
		{
			"a mistake below an alias is reported once, as it is written", with(t, older, "      type: object\n", "      type: object\n      properties:\n        a: &a {type: text}\n        b: *a\n"), policy.Options{},
			policy.NeedsPerson, []string{"18:22 schema-type-invalid spec.validation.openAPIV3Schema.properties[a].type", "18:22 schema-type-invalid spec.validation.openAPIV3Schema.properties[b].type"}, nil, nil,
		},
		{
			"a value that ytt puts in", with(t, older, "group: example.com", "group: #@ data.values.group"), policy.Options{},
			policy.NeedsPerson, []string{"6:9 template-placeholder spec.group"}, nil, nil,
		},
		{
			"and in v1 with a leftover", with(t, newer, "group: example.com", "version: ''\n  group: #@ data.values.group"), policy.Options{},
			policy.NeedsPerson, []string{"7:9 template-placeholder spec.group"}, nil, nil,
		},
		{
			"a placeholder", with(t, older, "scope: Namespaced", "scope: ${SCOPE}"), policy.Options{},
			policy.NeedsPerson, []string{"8:10 template-placeholder spec.scope"}, nil, nil,
		},
		{
			"a placeholder in a pattern, which may be meant", with(t, older, "      type: object\n", "      type: object\n      properties: {a: {type: string, pattern: '${A}('}}\n"), policy.Options{},
			policy.NeedsPerson, []string{"17:47 schema-pattern-invalid spec.validation.openAPIV3Schema.properties[a].pattern"}, nil, nil,
		},
		{
			"a list with one apiVersion for all", "apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinitionList\nitems:\n- metadata: {name: widgets.example.com}\n  spec: {group: example.com, version: v1, names: {kind: Widget, plural: widgets}}\n", policy.Options{},
			policy.NeedsPerson, []string{"4:3 conversion-of-a-list"}, nil, nil,
		},
		{
			"which is there already", "apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinitionList\nitems:\n- metadata: {name: widgets.example.com}\n  spec: {group: example.com, version: v1, names: {kind: Widget, plural: widgets}}\n", down,
			policy.AlreadyThere, nil, nil, nil,
		},
	} {
		t.Run(test.story, func(t *testing.T) {
			t.Parallel()
			res, err := convert.Explained("crd.yaml", []byte(test.src), test.options, rules.Explainer())
			if err != nil {
				t.Fatal(err)
			}
			c := res.CRDs[0]
			if c.State != test.state {
				t.Errorf("the state is %s, want %s", c.State, test.state)
			}
			var notes []string
			for _, n := range c.Notes {
				notes = append(notes, strings.TrimSpace(fmt.Sprintf("%d:%d %s %s", n.Pos.Line, n.Pos.Column, n.ID, n.Path)))
			}
			if diff := cmp.Diff(test.notes, notes); diff != "" {
				t.Errorf("notes: %s\n%s", diff, res.Output)
			}
			output := strings.ReplaceAll("\n"+string(res.Output), "\n", "\n ")
			for _, text := range test.has {
				if !strings.Contains(output, " "+text+"\n") {
					t.Errorf("%q is not in\n%s", text, res.Output)
				}
			}
			for _, text := range test.lacks {
				if strings.Contains(output, " "+text) {
					t.Errorf("%q is in\n%s", text, res.Output)
				}
			}
		})
	}
}

// TestConvertTooLarge: what versions share is copied into each of them, as long as a server takes the result.
func TestConvertTooLarge(t *testing.T) {
	t.Parallel()
	const columns = `[{"JSONPath":".a","name":"A","type":"string"}]`
	src := func(bytes, versions int) string {
		const empty = `{"openAPIV3Schema":{"description":"","type":"object"}}`
		list := ""
		for i := range versions {
			list += fmt.Sprintf("\n  - {name: v%d, served: true, storage: %t}", i+1, i == 0)
		}
		description := strings.Repeat("a", bytes-len(empty)-len(columns))
		return with(t, older, "\n  - name: v1\n    served: true\n    storage: true", list, "    openAPIV3Schema:\n      type: object\n", `    openAPIV3Schema: {"description":"`+description+"\",\"type\":\"object\"}\n",
			"  validation:", "  additionalPrinterColumns: "+columns+"\n  validation:")
	}
	const megabyte = 1 << 20
	for name, test := range map[string]struct {
		bytes, versions int // what the versions share takes so many bytes
		size            string
	}{
		"alone it is never copied":   {3*megabyte + 1000, 1, ""},
		"just what a server takes":   {3 * megabyte / 2, 2, ""},
		"a little more":              {3*megabyte/2 + 1, 2, "in each of 2 versions the manifest would have 4 MB"},
		"four megabytes":             {megabyte, 4, "in each of 4 versions the manifest would have 4 MB"},
		"more than four, rounded up": {megabyte + 1, 4, "in each of 4 versions the manifest would have 5 MB"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			res, err := convert.File("crd.yaml", []byte(src(test.bytes, test.versions)), policy.Options{})
			if err != nil {
				t.Fatal(err)
			}
			c := res.CRDs[0]
			if test.size == "" {
				if c.State != policy.Converted {
					t.Errorf("%s: %+v", c.State, c.Notes)
				}
				return
			}
			if c.State != policy.NeedsPerson || len(c.Notes) != 1 || c.Notes[0].Path != "spec.validation" || !strings.Contains(c.Notes[0].Message, "v1 has no top-level validation: with a copy "+test.size) {
				t.Errorf("%s: %+v", c.State, c.Notes)
			}
		})
	}
}
