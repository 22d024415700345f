{{- define "text.word" -}}
widgets
{{- end }}
