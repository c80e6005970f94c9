{{- define "orbweaver.labels" -}}
app.kubernetes.io/name: orbweaver
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{- end }}

{{- define "orbweaver.selector" -}}
app.kubernetes.io/name: orbweaver
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "orbweaver.pod" -}}
terminationGracePeriodSeconds: 40
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  fsGroup: 1000
  seccompProfile:
    type: RuntimeDefault
volumes:
  - name: data
    {{- if .root.Values.persistence.enabled }}
    persistentVolumeClaim:
      claimName: {{ .root.Release.Name }}-data
    {{- else }}
    emptyDir: {}
    {{- end }}
  - name: shm
    emptyDir:
      medium: Memory
      sizeLimit: 1Gi
containers:
  - name: {{ .role }}
    image: "{{ .root.Values.image.repository }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}"
    imagePullPolicy: {{ .root.Values.image.pullPolicy }}
    args: [{{ .role | quote }}]
    envFrom:
      - secretRef:
          name: {{ .root.Values.secretName }}
    {{- with .root.Values.env }}
    env:
      {{- range $name, $value := . }}
      - name: {{ $name }}
        value: {{ $value | quote }}
      {{- end }}
    {{- end }}
    securityContext:
      allowPrivilegeEscalation: false
      capabilities:
        drop: [ALL]
    resources:
      {{- toYaml .resources | nindent 6 }}
    volumeMounts:
      - name: data
        mountPath: /data
      - name: shm
        mountPath: /dev/shm
    {{- if eq .role "serve" }}
    ports:
      - name: http
        containerPort: 3002
    startupProbe:
      httpGet: { path: /v2/health/liveness, port: http }
      failureThreshold: 30
      periodSeconds: 2
    livenessProbe:
      httpGet: { path: /v2/health/liveness, port: http }
      periodSeconds: 15
      timeoutSeconds: 5
    readinessProbe:
      httpGet: { path: /v2/health/readiness, port: http }
      periodSeconds: 5
      timeoutSeconds: 5
    {{- end }}
{{- end }}
