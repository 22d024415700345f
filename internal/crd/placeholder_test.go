package crd

import "testing"

func TestPlaceholderInObject(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"${NAME}-x":                 "${NAME}",
		"{{ns}}":                    "{{ns}}",
		"{{ .Release.Name }}-queue": "{{ .Release.Name }}",
		"{{- include \"name\" . }}": "{{- include \"name\" . }}",
		"{{ meta.name | lower }}":   "{{ meta.name | lower }}",
		"($namespace)":              "($namespace)",
		"(join('-', [$name, 'a']))": "(join('-', [$name, 'a']))",
		"{{}}":                      "",
		"{a: {b: c}}":               "",
		"(none)":                    "",
		"costs ($5)":                "",
		"$name":                     "",
	} {
		if got := PlaceholderInObject(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	if got := PlaceholderIn("{{ .Release.Name }}"); got != "" {
		t.Errorf("in a CRD, %q is a placeholder", got)
	}
}
