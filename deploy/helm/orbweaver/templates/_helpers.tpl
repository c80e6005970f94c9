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
terminationGracePeriodSeconds: 45
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  fsGroup: 1000
  seccompProfile:
    type: RuntimeDefault
volumes:
  - name: data
    emptyDir: {}
  - name: tmp
    emptyDir: {}
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
    env:
      # The root is read-only; programs that are started look for a home.
      - name: HOME
        value: /tmp
      {{- range $name, $value := .root.Values.env }}
      - name: {{ $name }}
        value: {{ $value | quote }}
      {{- end }}
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities:
        drop: [ALL]
    resources:
      {{- toYaml .resources | nindent 6 }}
    volumeMounts:
      - name: data
        mountPath: /data
      - name: tmp
        mountPath: /tmp
      - name: shm
        mountPath: /dev/shm
    {{- if eq .role "serve" }}
    ports:
      - name: http
        containerPort: 3002
    lifecycle:
      preStop:
        # Load balancers learn of the end a moment after the pod does; it answers until then.
        exec: { command: ["sleep", "5"] }
    startupProbe:
      httpGet: { path: /v2/health/liveness, port: http }
      failureThreshold: 60
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
