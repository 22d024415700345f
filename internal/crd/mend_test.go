package crd_test

import (
	"slices"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
)

func TestMend(t *testing.T) {
	t.Parallel()
	const head = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
	for _, tt := range []struct {
		name, text string
		wrong      []string // paths
		lost       []string
		at, is     string // a path of the copy, and the text there
	}{
		{"quoted boolean", "spec: {versions: [{served: 'True'}]}", []string{"spec.versions[0].served"}, nil, "spec.versions[0].served", "true"},
		{"tagged boolean", "spec: {versions: [{served: !!str true}]}", []string{"spec.versions[0].served"}, []string{"spec.versions[0].served"},
			"spec.versions[0].served", "null"},
		{"number as a name", "metadata: {name: 5}", []string{"metadata.name"}, nil, "metadata.name", "5"},
		{"list of one", "spec: {names: {shortNames: wd}}", []string{"spec.names.shortNames"}, nil, "spec.names.shortNames[0]", "wd"},
		{"list of one of the wrong type", "spec: {names: {shortNames: 5}}", []string{"spec.names.shortNames"}, nil, "spec.names.shortNames[0]", "5"},
		{"types", "spec: {versions: [{schema: {openAPIV3Schema: {type: ['null', object]}}}]}",
			[]string{"spec.versions[0].schema.openAPIV3Schema.type"}, nil, "spec.versions[0].schema.openAPIV3Schema.type", "object"},
		{"quoted number", "spec: {versions: [{schema: {openAPIV3Schema: {maxLength: '5'}}}]}",
			[]string{"spec.versions[0].schema.openAPIV3Schema.maxLength"}, nil, "spec.versions[0].schema.openAPIV3Schema.maxLength", "5"},
		{"keyword among the properties", "spec: {versions: [{schema: {openAPIV3Schema: {properties: {required: [a], a: {}}}}}]}",
			[]string{"spec.versions[0].schema.openAPIV3Schema.properties[required]"}, nil, "spec.versions[0].schema.openAPIV3Schema.required[0]", "a"},
		{"wrong below one", "spec: {versions: [{schema: {openAPIV3Schema: {properties: {required: [5]}}}}]}",
			[]string{"spec.versions[0].schema.openAPIV3Schema.properties[required]", "spec.versions[0].schema.openAPIV3Schema.properties[required][0]"},
			nil, "spec.versions[0].schema.openAPIV3Schema.required[0]", "5"},
		{"keyword that is there, too", "spec: {versions: [{schema: {openAPIV3Schema: {required: [b], properties: {required: [a]}}}}]}",
			[]string{"spec.versions[0].schema.openAPIV3Schema.properties[required]"}, []string{"spec.versions[0].schema.openAPIV3Schema.properties[required]"},
			"spec.versions[0].schema.openAPIV3Schema.required[0]", "b"},
		{"versions by name", "spec: {versions: {v1: {served: true}, v2: {name: v3}}}", []string{"spec.versions"}, nil, "spec.versions[1].name", "v3"},
		{"versions by name, and a text", "spec: {versions: {v1: {served: true}, v2: text}}", []string{"spec.versions"}, nil, "spec.versions[0].v2", "text"},
		{"one version", "spec: {versions: {name: v1, schema: {}}}", []string{"spec.versions"}, nil, "spec.versions[0].name", "v1"},
		{"flag of a field", "spec: {versions: [{schema: {openAPIV3Schema: {required: true}}}]}",
			[]string{"spec.versions[0].schema.openAPIV3Schema.required"}, []string{"spec.versions[0].schema.openAPIV3Schema.required"},
			"spec.versions[0].schema.openAPIV3Schema.required", "null"},
		{"no number", "spec: {versions: [{schema: {openAPIV3Schema: {maxLength: many}}}]}",
			[]string{"spec.versions[0].schema.openAPIV3Schema.maxLength"}, []string{"spec.versions[0].schema.openAPIV3Schema.maxLength"},
			"spec.versions[0].schema.openAPIV3Schema.maxLength", "null"},
		{"mapping as a name", "metadata: {name: {a: b}}", []string{"metadata.name"}, []string{"metadata.name"}, "metadata.name", "null"},
		{"several without JSON", "spec: {a: .inf, b: .nan}", []string{"spec.a", "spec.b"}, []string{"spec.a", "spec.b"}, "spec.b", "null"},
	} {
		c := crd.Parse([]byte(head + tt.text))[0]
		m := c.Mend()
		if m == nil {
			t.Errorf("%s: is not mended", tt.name)
			continue
		}
		var wrong []string
		for _, w := range m.Wrong {
			wrong = append(wrong, w.Place.Path)
		}
		if !slices.Equal(wrong, tt.wrong) || !slices.Equal(m.Lost, tt.lost) {
			t.Errorf("%s: wrong %q, lost %q", tt.name, wrong, m.Lost)
		}
		if at, complete := m.Resolve(crd.Steps(tt.at)); !complete || at.Node.Value != tt.is {
			t.Errorf("%s: %s is %q", tt.name, tt.at, at.Node.Value)
		}
		if _, err := c.Decode(); err == nil {
			t.Errorf("%s: the CRD itself was changed", tt.name)
		}
	}
	for _, text := range []string{
		"apiVersion: apiextensions.k8s.io/v2\nkind: CustomResourceDefinition\nmetadata: {name: 5}",
		head + "metadata: {labels: {a: &a 5}, name: *a}",
	} {
		if crd.Parse([]byte(text))[0].Mend() != nil {
			t.Errorf("is mended:\n%s", text)
		}
	}
}
