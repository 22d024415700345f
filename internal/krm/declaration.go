package krm

// Declaration is a functionConfig that says all that one can, with its defaults.
const Declaration = `# A KRM function that converts and lints CustomResourceDefinitions. In kustomization.yaml:
#
#   transformers: [crdlift.yaml]     # rewrites the CRDs
#   validators: [crdlift.yaml]       # only checks them; needs output: none below
#
# and build with: kustomize build --enable-alpha-plugins --enable-exec
apiVersion: crdlift.github.io/v1
kind: CRDLift
metadata:
  name: crdlift
  annotations:
    config.kubernetes.io/function: |
      exec:
        path: crdlift
spec:
  convert:                  # remove this to convert nothing
    to: v1                  # v1 or v1beta1
    policy: exact           # exact or idiomatic
    # unknownFields: preserve   # preserve, root or prune; default by policy
    # missingTypes: preserve    # preserve or infer; default by policy
    # onLoss: report            # to v1beta1: report or drop what it does not support
    # withVersionField: true    # to v1beta1: also write the deprecated spec.version
    upgradeInPlace: false   # write preserveUnknownFields: false
    unapprovedAPI: false    # annotate CRDs of protected groups as unapproved
    keepStatus: false       # keep the status stanza
  lint:
    disabled: false
    preset: recommended     # recommended, strict or all
    rules: {}               # rule: off, info, warning or error
    failOn: error           # error, warning, info or never
    # kubernetesVersion: "1.27" # the oldest Kubernetes that the CRDs are for
  output: items             # items, or none for validators: kustomize rejects changes from them
`
