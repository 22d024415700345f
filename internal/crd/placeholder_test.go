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
		"$NAME":                     "$NAME",
		"$widget_name2":             "$widget_name2",
		"$1":                        "",
		"$":                         "",
		"$NAME-x":                   "",
		"a $NAME":                   "",
		"US$5":                      "",
		"$(NAME)":                   "$(NAME)",
		"$(NAME)-x":                 "",
		"$(date +%s)":               "",
		"$(1)":                      "",
		"$(params.name)":            "", // Tekton's own, which a server gets as it is
		"<NAME>":                    "<NAME>",
		"<your-bucket>":             "<your-bucket>",
		"<S3 Bucket Name>":          "<S3 Bucket Name>",
		"<nil>":                     "",
		"<None>":                    "",
		"<no value>":                "",
		"<unset>":                   "",
		"<unset-name>":              "<unset-name>",
		"<b>no</b>":                 "",
		"<https://example.com>":     "",
		"<>":                        "",
		"< NAME >":                  "",
		"a<b>":                      "",
		"->":                        "",
	} {
		if got := PlaceholderInObject(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"${NAME}": "${NAME}", "$NAME": "$NAME", "$(NAME)": "$(NAME)", "<NAME>": "", "{{ .Release.Name }}": "",
	} {
		if got := PlaceholderIn(text); got != want {
			t.Errorf("%q in a CRD: got %q, want %q", text, got, want)
		}
	}
}
