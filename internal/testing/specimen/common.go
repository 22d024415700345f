package specimen

// common has what all kinds have.
const common = `image:
  description: |-
    The image to run, with its tag or digest. If it is left out, the operator
    uses the one that it was released with.
  maxLength: 255
  minLength: 1
  pattern: ^[a-z0-9./:@_-]+$
  type: string
imagePullPolicy:
  default: IfNotPresent
  description: When the image is pulled.
  enum:
  - Always
  - IfNotPresent
  - Never
  type: string
maxReplicas:
  description: The most replicas that the operator starts when there is much to do.
  format: int32
  maximum: 1000
  minimum: 1
  type: integer
minReplicas:
  default: 1
  description: The replicas that run in any case.
  format: int32
  maximum: 1000
  minimum: 0
  type: integer
paused:
  description: Paused keeps the operator from changing anything.
  type: boolean
serviceAccountName:
  default: default
  description: The service account that the pods run as.
  maxLength: 253
  type: string
strategy:
  default: Rolling
  description: How replicas are replaced when something changes.
  enum:
  - Rolling
  - Recreate
  - OnDelete
  type: string
`

const commonEnd = `  required:
  - image
  type: object
  x-kubernetes-validations:
  - message: minReplicas must not be above maxReplicas
    rule: '!has(self.maxReplicas) || self.minReplicas <= self.maxReplicas'
`

const commonValue = `image: registry.example.com/<team/app|base/server|tools/worker>:v<1-9>.<0-40>.<0-9>
maxReplicas: <2-50>
serviceAccountName: <operator|runner|default>
`

const status = `status:
  description: What the operator has seen.
  properties:
    conditions:
      description: The latest observations, by type.
      items:
        description: Condition contains details for one aspect of the current state of this API Resource.
        properties:
          lastTransitionTime:
            description: When the condition changed from one status to another.
            format: date-time
            type: string
          message:
            description: What happened, for people. May be empty.
            maxLength: 32768
            type: string
          observedGeneration:
            description: The generation that the condition was set for.
            format: int64
            minimum: 0
            type: integer
          reason:
            description: What happened, for programs.
            maxLength: 1024
            minLength: 1
            pattern: ^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$
            type: string
          status:
            description: Whether it is so.
            enum:
            - "True"
            - "False"
            - Unknown
            type: string
          type:
            description: What it is about, in CamelCase or in foo.example.com/CamelCase.
            maxLength: 316
            type: string
        required:
        - lastTransitionTime
        - message
        - reason
        - status
        - type
        type: object
      type: array
      x-kubernetes-list-map-keys:
      - type
      x-kubernetes-list-type: map
    observedGeneration:
      description: The generation that the operator has acted on.
      format: int64
      type: integer
    phase:
      description: Where it is in its life.
      enum:
      - Pending
      - Running
      - Failed
      type: string
  type: object
`
