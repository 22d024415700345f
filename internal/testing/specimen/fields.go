package specimen

// fields are all there are.
var fields = []field{
	{"annotations", `additionalProperties:
  type: string
description: What to put on everything that is made, beside what the operator puts there.
maxProperties: 64
type: object
`, `example.com/team: <search|billing|platform>
example.com/tier: "<1-4>"
<prometheus.io/scrape: "true"|example.com/owner: somebody|linkerd.io/inject: enabled>
`},
	{"backup", `description: How and when backups are made.
properties:
  destination:
    description: Where they go.
    format: uri
    type: string
  retention:
    default: 7
    description: How many are kept.
    maximum: 365
    minimum: 1
    type: integer
  schedule:
    description: When they are made, as cron writes it.
    minLength: 9
    type: string
  since:
    description: When the first one is made.
    format: date-time
    type: string
  timeout:
    default: 1h
    description: After how long one is given up.
    format: duration
    type: string
required:
- schedule
type: object
x-kubernetes-validations:
- message: a destination is needed to keep more than 30
  rule: self.retention <= 30 || has(self.destination)
`, `schedule: "<0-59> <0-23> * * *"
destination: s3://backups-<1-99>/<daily|weekly>
retention: <1-90>
since: "202<0-9>-0<1-9>-1<0-9>T0<0-9>:00:00Z"
timeout: <10m|30m0s|2h>
`},
	{"config", `description: Settings of the program, which the operator passes on as they are.
type: object
x-kubernetes-preserve-unknown-fields: true
`, `log:
  level: <info|debug|warn>
  format: json
limits:
  connections: <10-500>
  ratio: 0.<1-9>
features: [<cache|index|tracing>, metrics]
`},
	{"env", `description: Variables of the environment.
items:
  description: A variable, with its value or where that is found.
  properties:
    name:
      description: The name of the variable.
      pattern: ^[A-Za-z_][A-Za-z0-9_]*$
      type: string
    value:
      description: Its value.
      type: string
    valueFrom:
      description: Where its value is found.
      properties:
        configMapKeyRef:
          description: In a key of a ConfigMap.
          properties:
            key:
              description: The key to select.
              type: string
            name:
              default: ""
              description: Name of the referent.
              type: string
            optional:
              description: Specify whether the ConfigMap or its key must be defined.
              type: boolean
          required:
          - key
          type: object
          x-kubernetes-map-type: atomic
        secretKeyRef:
          description: In a key of a Secret of the same namespace.
          properties:
            key:
              description: The key of the secret to select from.  Must be a valid secret key.
              type: string
            name:
              default: ""
              description: Name of the referent.
              type: string
            optional:
              description: Specify whether the Secret or its key must be defined.
              type: boolean
          required:
          - key
          type: object
          x-kubernetes-map-type: atomic
      type: object
  required:
  - name
  type: object
type: array
x-kubernetes-list-map-keys:
- name
x-kubernetes-list-type: map
`, `- name: LOG_LEVEL
  value: <info|debug|warn>
- name: WORKERS
  value: "<1-64>"
- name: PASSWORD
  valueFrom:
    secretKeyRef:
      name: credentials-<1-9>
      key: password
- name: REGION
  valueFrom:
    configMapKeyRef:
      name: cluster
      key: region
`},
	{"labels", `additionalProperties:
  maxLength: 63
  type: string
description: What to put on everything that is made.
type: object
`, `app: <shop|search|mail>
tier: <front|back>
`},
	{"monitoring", `description: What is measured.
properties:
  enabled:
    default: true
    description: Whether anything is.
    type: boolean
  interval:
    default: 30s
    description: How often it is measured.
    pattern: ^([0-9]+(s|m|h))+$
    type: string
  rules:
    description: What alerts are made of.
    items:
      description: An alert.
      properties:
        alert:
          description: Its name.
          minLength: 1
          type: string
        expr:
          anyOf:
          - type: integer
          - type: string
          description: When it is sent, in PromQL.
          x-kubernetes-int-or-string: true
        for:
          default: 5m
          description: After how long it is sent.
          pattern: ^([0-9]+(s|m|h))+$
          type: string
        labels:
          additionalProperties:
            type: string
          description: Its labels.
          type: object
        severity:
          default: warning
          description: How bad it is.
          enum:
          - info
          - warning
          - critical
          type: string
      required:
      - alert
      - expr
      type: object
    maxItems: 64
    type: array
type: object
`, `interval: <10|30|60>s
rules:
- alert: Down
  expr: up == <0|0|1>
  severity: critical
  labels: {team: <search|billing>}
- alert: Slow
  expr: <100-900>
  for: <5|10>m
`},
	{"ports", `description: Where it listens.
items:
  description: A port.
  properties:
    containerPort:
      description: Its number.
      format: int32
      maximum: 65535
      minimum: 1
      type: integer
    name:
      description: Its name.
      maxLength: 15
      type: string
    protocol:
      default: TCP
      description: What is spoken there.
      enum:
      - TCP
      - UDP
      - SCTP
      type: string
    targetPort:
      anyOf:
      - type: integer
      - type: string
      description: Where it leads to, by number or name.
      x-kubernetes-int-or-string: true
  required:
  - containerPort
  type: object
maxItems: 32
type: array
x-kubernetes-list-map-keys:
- containerPort
- protocol
x-kubernetes-list-type: map
x-kubernetes-validations:
- message: ports below 1024 are for root
  rule: self.all(p, p.containerPort >= 1024)
`, `- name: http
  containerPort: <8000-8999>
  targetPort: http
- name: metrics
  containerPort: <9000-9999>
  protocol: <TCP|UDP>
  targetPort: <9000-9999>
`},
	{"resources", `description: What it takes.
properties:
  limits:
    additionalProperties:
      anyOf:
      - type: integer
      - type: string
      pattern: ^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$
      x-kubernetes-int-or-string: true
    description: The most it may take.
    type: object
  requests:
    additionalProperties:
      anyOf:
      - type: integer
      - type: string
      pattern: ^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$
      x-kubernetes-int-or-string: true
    description: What is kept for it.
    type: object
type: object
`, `limits:
  cpu: <1-16>
  memory: <1-64>Gi
requests:
  cpu: <100-900>m
  memory: <128-512>Mi
`},
	{"storage", `description: The volumes.
properties:
  accessModes:
    description: How they are mounted.
    items:
      enum:
      - ReadWriteOnce
      - ReadOnlyMany
      - ReadWriteMany
      type: string
    maxItems: 3
    type: array
    x-kubernetes-list-type: set
  class:
    default: standard
    description: Their storage class.
    maxLength: 253
    type: string
    x-kubernetes-validations:
    - message: the class cannot be changed
      rule: self == oldSelf
  size:
    anyOf:
    - type: integer
    - type: string
    description: How large they are.
    pattern: ^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$
    x-kubernetes-int-or-string: true
required:
- size
type: object
`, `size: <1-900>Gi
class: <fast|slow|standard>
accessModes: [ReadWriteOnce, <ReadOnlyMany|ReadWriteMany>]
`},
	{"tls", `description: How connections are encrypted.
properties:
  dnsNames:
    description: What the certificate is for.
    items:
      maxLength: 253
      type: string
    maxItems: 16
    minItems: 1
    type: array
    x-kubernetes-list-type: set
  minVersion:
    default: "1.2"
    description: The oldest version of TLS that is spoken.
    enum:
    - "1.2"
    - "1.3"
    type: string
  secretRef:
    description: Where the certificate is.
    properties:
      key:
        default: tls.crt
        description: Its key in the secret.
        type: string
      name:
        description: The secret's name.
        minLength: 1
        type: string
    required:
    - name
    type: object
required:
- secretRef
type: object
`, `secretRef: {name: certificate-<1-99>}
minVersion: "1.<2|3>"
dnsNames:
- app-<1-99>.example.com
- www.<shop|search>.example.org
`},
	{"tolerations", `description: Which taints of nodes are tolerated.
items:
  description: The pod this Toleration is attached to tolerates any taint that matches.
  properties:
    effect:
      description: Effect indicates the taint effect to match. Empty means match all taint effects.
      enum:
      - NoSchedule
      - PreferNoSchedule
      - NoExecute
      type: string
    key:
      description: Key is the taint key that the toleration applies to. Empty means match all taint keys.
      type: string
    operator:
      default: Equal
      description: Operator represents a key's relationship to the value.
      enum:
      - Exists
      - Equal
      type: string
    tolerationSeconds:
      description: TolerationSeconds represents the period of time the toleration tolerates the taint.
      format: int64
      type: integer
    value:
      description: Value is the taint value the toleration matches to.
      type: string
  type: object
type: array
x-kubernetes-list-type: atomic
`, `- key: dedicated
  value: <database|gpu|batch>
  effect: NoSchedule
- key: node.kubernetes.io/unreachable
  operator: Exists
  effect: NoExecute
  tolerationSeconds: <30-600>
`},
	{"upstreams", `description: What it connects to.
items:
  description: A server, with what is tried when it does not answer.
  properties:
    address:
      description: Where it is.
      format: ipv4
      type: string
    headers:
      additionalProperties:
        items:
          type: string
        type: array
      description: What is sent along.
      type: object
    retries:
      default:
        attempts: 3
      description: What is tried when it does not answer.
      properties:
        attempts:
          default: 3
          description: How often.
          maximum: 10
          minimum: 0
          type: integer
        backoff:
          default: 1s
          description: How long to wait.
          format: duration
          type: string
      type: object
    weight:
      default: 1
      description: Its share.
      maximum: 100
      minimum: 0
      multipleOf: 1
      type: number
  required:
  - address
  type: object
maxItems: 16
type: array
`, `- address: 10.<0-255>.<0-255>.<1-254>
  weight: <1-100>
  headers:
    X-Team: [<search|billing>, platform]
- address: 192.168.<0-255>.<1-254>
  retries: {attempts: <0-9>, backoff: <1|2|5>s}
`},
}
