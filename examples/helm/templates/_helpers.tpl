{{- define "cron.fullname" -}}
{{ .Release.Name }}-cron
{{- end }}
{{- define "cron.labels" -}}
app.kubernetes.io/name: cron
{{- end }}
