package template

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRecognise(t *testing.T) {
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
		{"value of an empty key", true, "\"\": {{ .Values.name }}\n"},
		{"value of a key that does not end", false, "\"a: {{ .Values.name }}\n"},
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

		{"behind a marker", true, "---\n{{- if .Values.crds }}\nkind: CustomResourceDefinition\n{{- end }}\n"},
		{"behind a marker with a comment", true, "--- # licence\nmetadata:\n  name: {{ .Values.name }}\n"},
		{"behind a marker that ends a scalar", true, "a: b\n  c\n---\n{{ if .x }}\n"},
		{"behind a document's end", true, "a: |\n  b\n...\n  {{ if .x }}\n"},
		{"quoted label", true, "metadata:\n  labels:\n    app: '{{ .Release.Name }}'\n"},
		{"quoted name", true, "kind: a\nmetadata:\n  name: \"crontabs.{{ .Values.group }}\"\nspec: {}\n"},
		{"label with text in front of the action", true, "metadata:\n  labels:\n    app: x-{{ .Release.Name }}-y\n"},

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
		{"description in metadata", false, "metadata:\n  annotations:\n    about: 'the {{ .Name }} of it'\n    more: '{{ .Name }} of it'\n"},
		{"applied manifest in metadata", false, "metadata:\n  annotations:\n    last: '{\"a\":\"{{.Name}}\"}'\n    next: |\n      {\"a\":\"{{.Name}}\"}\n"},
		{"default below a property called metadata", false, "spec:\n  metadata:\n    default: '{{ .Name }}'\n"},
		{"quoted behind metadata", false, "metadata:\n  name: a\nspec:\n  default: '{{ .Name }}'\n"},
		{"quoted behind metadata of another document", false, "metadata:\n---\n a: '{{ .Name }}'\n"},
		{"flow mappings", false, "a: {b: {c: {}}}\nd: {{}}\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Recognise("crd.yaml", []byte(tt.src)) == Helm; got != tt.want {
				t.Errorf("got %v for\n%s", got, tt.src)
			}
		})
	}
}

// TestTemplateInFolder: what Helm knows is an action anywhere below a chart's templates.
func TestTemplateInFolder(t *testing.T) {
	for src, want := range map[string]Language{
		"group: '{{ .Values.group }}'\n":                           Helm,
		"# {{- if .Capabilities.KubeVersion }}\na: b\n# {{ end }}": Helm,
		"description: the {{ include \"name\" . }} of it\n":        Helm,
		"description: the {{`{{ .Name }}`}} of it\n":               Helm,
		"description: the {{ .Name }} of it\n":                     None,
		"description: the Values\n":                                None,
	} {
		if got := Recognise("chart/templates/crds/crd.yaml", []byte(src)); got != want {
			t.Errorf("got %q for\n%s", got, src)
		}
		if got := Recognise("chart/crds/templates.yaml", []byte(src)); got != None {
			t.Errorf("got %q outside of templates for\n%s", got, src)
		}
	}
}

// TestChartFolder: which folder of a chart a file is in decides, where there is a chart and anything in braces.
func TestChartFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"chart", "chart/charts/sub"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name, "Chart.yaml"), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{
		"chart/templates/a.yaml": "templates", "chart/templates/deep/er/a.yaml": "templates", "chart/crds/a.yaml": "crds", "chart/a.yaml": "",
		"chart/charts/sub/crds/a.yaml": "crds", "other/templates/a.yaml": "", "other/crds/a.yaml": "", "chart/files/a.yaml": "",
	} {
		path = filepath.Join(dir, filepath.FromSlash(path))
		for src, braces := range map[string]bool{"a: '{{ b }}'\n": true, "a: '{% b %}'\n": true, "a: '{ b }'\n": false} {
			if got := ChartFolder(path, []byte(src)); braces && got != want || !braces && got != "" {
				t.Errorf("%s with %q: %q, want %q", path, src, got, want)
			}
		}
		language := map[string]Language{"templates": Helm}[want] // of what is text elsewhere
		if got := Recognise(path, []byte("a: the '{{ .b }}'\n")); got != language {
			t.Errorf("%s is %q, want %q", path, got, language)
		}
	}
}

func TestJinja(t *testing.T) {
	for src, want := range map[string]Language{
		"{% if crds %}\nkind: CustomResourceDefinition\n{% endif %}\n":           Jinja,
		"{# licence #}\n{% if x %}\nkind: CustomResourceDefinition\n{% endif %}": Jinja,
		"metadata:\n  name: {% if x %}a{% else %}b{% endif %}\n":                 Jinja,
		"---\nmetadata:\n  {%- for a in b %}\n  {{ a }}: x\n  {% endfor %}":      Jinja,
		"description: |\n  {% if x %}\n":                                         None,
		"description: the {% if x %}\n  {% if %} of it\n":                        None,
		"# {% if x %}\na: b\n":                                                   None,
		"a: {{ .b }}\ndescription: 5 {% off\n":                                   Helm,
		"a: {#b: c}\n":                                                           None,
	} {
		if got := Recognise("crd.yaml", []byte(src)); got != want {
			t.Errorf("got %q for\n%s", got, src)
		}
	}
}

func FuzzRecognise(f *testing.F) {
	f.Add("description: \"a\n  {{ b }}\"\n")
	f.Add("- - |\n   {{ b }}\n- {{ c }}")
	f.Add(" )a{b' :\x10\n }'{ \n!{a} {%")
	f.Add("---\nmetadata:\n  a: '{{ b }}'\n{% c %}")
	f.Fuzz(func(t *testing.T, src string) {
		got := Recognise("crd.yaml", []byte(src))
		if got == Helm && !strings.Contains(src, "{{") || got == Jinja && !strings.Contains(src, "{%") {
			t.Error("a template without an action")
		}
		// The first byte tells JSON, and a byte order mark is one only at the start.
		if strings.HasPrefix(strings.TrimLeft(src, " \t\r\n"), "{") || strings.HasPrefix(src, "\ufeff") {
			return
		}
		if Recognise("crd.yaml", []byte("# {{ if .x }}\n"+src)) != got {
			t.Error("a comment decides")
		}
	})
}
