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

{{/*
Settings as environment variables. Each occurs once: Kubernetes rejects an apply with duplicates. A value that is not a text is
JSON: Helm reads numbers as floating-point ones, and would write 4294967296 as 4.294967296e+09.
*/}}
{{- define "muster.environment" -}}
{{- range $setting, $value := . }}
- name: {{ $setting }}
  value: {{ kindIs "string" $value | ternary $value (toJson $value) | quote }}
{{- end }}
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

{{/* A pod that runs one command with the login of the tables' owner. Its members: root, command, secrets, resources, temporarySpace. */}}
{{- define "muster.commandPod" -}}
restartPolicy: Never
automountServiceAccountToken: false
enableServiceLinks: false
securityContext: {{- include "muster.podSecurity" .root | nindent 2 }}
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
containers:
  - name: command
    image: {{ include "muster.image" .root }}
    imagePullPolicy: {{ .root.Values.image.pullPolicy }}
    securityContext: {{- include "muster.containerSecurity" .root | nindent 6 }}
    command: {{- toYaml .command | nindent 6 }}
    env: {{- include "muster.secretFiles" .secrets | trim | nindent 6 }}
    resources: {{- toYaml .resources | nindent 6 }}
    volumeMounts:
      - { name: secrets, mountPath: /run/secrets/muster, readOnly: true }
      - { name: tmp, mountPath: /tmp }
volumes:
  {{- include "muster.secretVolume" (dict "name" .root.Values.existingSecret "secrets" .secrets) | nindent 2 }}
  - name: tmp
    emptyDir: { sizeLimit: {{ .temporarySpace }} }
{{- with .root.Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
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
