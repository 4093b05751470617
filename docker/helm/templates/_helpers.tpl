{{- define "muster.labels" -}}
app.kubernetes.io/name: muster
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "muster.selector" -}}
app.kubernetes.io/name: muster
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: service
{{- end }}

{{- define "muster.image" -}}
{{- if contains "@" .Values.image.repository -}}
{{ .Values.image.repository }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}
{{- end }}

{{/* The path without a slash at its end: "" for "/". */}}
{{- define "muster.prefix" -}}
{{ trimSuffix "/" .Values.ingress.path }}
{{- end }}

{{/* The variables that name the files with the settings of a secret. */}}
{{- define "muster.secretFiles" -}}
{{- range $setting, $key := . }}
- name: {{ $setting }}_FILE
  value: /run/secrets/muster/{{ $key }}
{{- end }}
{{- end }}

{{/* The volume with the files of some keys of the secret. */}}
{{- define "muster.secretVolume" -}}
- name: secrets
  secret:
    secretName: {{ .name }}
    defaultMode: 0440
    items:
      {{- range .secrets | values | sortAlpha | uniq }}
      - { key: {{ . }}, path: {{ . }} }
      {{- end }}
{{- end }}

{{- define "muster.podSecurity" -}}
runAsNonRoot: true
# The user "node" of the image.
runAsUser: 1000
runAsGroup: 1000
# Lets the user read the files of the secret.
fsGroup: 1000
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "muster.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}
