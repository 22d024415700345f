{{- define "metadata.name" -}}
{{ .Chart.Name | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "metadata.labels" -}}
app.kubernetes.io/name: {{ include "metadata.name" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{- end }}
