{{/* Gadgets, for other charts. */}}
{{- define "guards.gadgets" -}}
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: gadgets.example.com
spec:
  group: example.com
  names:
    kind: Gadget
    plural: gadgets
    listKind: GadgetList
    singular: Gadget
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [seize]
            properties:
              size:
                type: integer
{{- end -}}
