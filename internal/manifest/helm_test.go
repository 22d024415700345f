package manifest

import (
	"strings"
	"testing"
)

func TestIsHelmTemplate(t *testing.T) {
	for _, tt := range []struct {
		name string
		want bool
		src  string
	}{
		{"condition", true, "{{- if .Values.crds }}\nkind: CustomResourceDefinition\n{{- end }}\n"},
		{"condition, indented", true, "spec:\n  scope: Namespaced\n  {{ if .Values.x }}\n  x: y\n  {{ end }}\n"},
		{"behind a byte order mark", true, "\ufeff{{ if .x }}\na: b\n"},
		{"comment of the template", true, "{{/* licence */}}\nkind: CustomResourceDefinition\n"},
		{"action over lines", true, "labels:\n  {{-\n    include \"labels\" . | nindent 4\n  }}\n"},
		{"value", true, "metadata:\n  name: {{ .Values.name }}\n"},
		{"value with a tag", true, "a: !!str {{ .Values.name }}\n"},
		{"value of a quoted key", true, "\"a\": {{ .Values.name }}\n"},
		{"value, CRLF", true, "metadata:\r\n  name: {{ .Values.name }}\r\n"},
		{"start of a value", true, "name: {{ .Release.Name }}-crd\n"},
		{"key", true, "annotations:\n  {{ .Values.key }}: x\n"},
		{"item", true, "shortNames:\n- {{ .Values.short }}\n"},
		{"nested item", true, "a:\n- - {{ .Values.short }}\n"},
		{"in a flow sequence", true, "shortNames: [{{ .Values.short }}]\n"},
		{"value of an item's key", true, "versions:\n- name: {{ $version }}\n"},
		{"labels behind a key", true, "labels:\n{{ include \"labels\" . | indent 4 }}\n"},
		{"behind a plain scalar of its own depth", true, "a: b\n{{ toYaml .Values }}\n"},
		{"left of a block scalar", true, "a:\n  b: |\n    text\n{{ .Files.Get \"x\" }}\n"},
		{"behind a quoted scalar", true, "a: 'it''s'\nb: {{ .x }}\n"},
		{"behind a comment that ends a plain scalar", true, "a: b\n # c\n {{ .x }}\n"},

		{"nothing", false, "kind: CustomResourceDefinition\n"},
		{"empty", false, ""},
		{"description", false, "description: the template {{ .Name }} of it\n"},
		{"description that goes on", false, "description: the template\n  {{ .Name }} of it\n\n  {{ .Name }}\ntype: string\n"},
		{"description of an item's key", false, "- description: the template\n    {{ .Name }} of it\n"},
		{"quoted", false, "name: \"{{ .Values.name }}\"\nother: '{{ .x }}'\n"},
		{"quoted, over lines", false, "description: \"a \\\" quote\n  {{ .Name }}\n  b: {{ .Name }}\"\ntype: string\n"},
		{"quoted once, over lines", false, "description: 'it''s\n  {{ .Name }}'\ntype: string\n"},
		{"block scalar", false, "description: |\n  {{ .Name }}\n\n  a: {{ .Name }}\n  # {{ .x }}\ntype: string\n"},
		{"block scalar of an item", false, "- >-\n  {{ .Name }}\n- description: |2\n    {{ .Name }}\n- b\n"},
		{"block scalar with a tag", false, "a: !!str &x |- # note\n  {{ .Name }}\n"},
		{"comment", false, "# {{ if .Values.crds }}\nkind: CustomResourceDefinition # {{ x }}\n  # {{ end }}\n"},
		{"JSON", false, "{\"description\":\"a: {{ .Name }}\",\n\"b\":\n\"{{ x }}\"}"},
		{"JSON in YAML", false, "---\n{\"a\":\"b: {{ .Name }}\"}\n"},
		{"flow style", false, "---\n{\n  description: \"{{ .Name }}\",\n  a: [\"x: {{ y }}\"],\n}\n"},
		{"broken, with a template in a description", false, "a: [\ndescription: the {{ .Name }}\n"},
		{"flow mappings", false, "a: {b: {c: {}}}\nd: {{}}\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := IsHelmTemplate([]byte(tt.src)); got != tt.want {
				t.Errorf("got %v for\n%s", got, tt.src)
			}
		})
	}
}

func FuzzIsHelmTemplate(f *testing.F) {
	f.Add("description: \"a\n  {{ b }}\"\n")
	f.Add("- - |\n   {{ b }}\n- {{ c }}")
	f.Fuzz(func(t *testing.T, src string) {
		got := IsHelmTemplate([]byte(src))
		if got && !strings.Contains(src, "{{") {
			t.Error("a template without an action")
		}
		// The first byte tells JSON, and a byte order mark is one only at the start.
		if strings.HasPrefix(strings.TrimLeft(src, " \t\r\n"), "{") || strings.HasPrefix(src, "\ufeff") {
			return
		}
		if IsHelmTemplate([]byte("# {{ if .x }}\n"+src)) != got {
			t.Error("a comment decides")
		}
	})
}
