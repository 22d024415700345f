{{- define "spec.names" -}}
kind: Widget
plural: widgets
{{- end }}

{{- define "spec.field" -}}
color:
  type: string
{{- end }}

{{- define "spec.conversion" -}}
conversion:
  strategy: None
{{- end }}
