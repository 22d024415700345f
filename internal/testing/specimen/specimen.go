// Package specimen makes manifests for benchmarks, the same ones in every run: a CRD of any size, and a Kind with as many
// Objects as are asked for. CRDs are valid, written as controller-gen writes them, and have no findings.
package specimen

import (
	"fmt"
	"strings"
)

// A CRD is the content of a manifest.
type CRD struct {
	Version string // of apiextensions.k8s.io: "v1" or "v1beta1"
	Number  int    // makes its names its own
	Parts   int    // of its schema, each about 50 lines
	Rules   int    // how many of the parts have a CEL rule; only v1 has those
}

const head = `apiVersion: apiextensions.k8s.io/%[1]s
kind: CustomResourceDefinition
metadata:
  name: %[2]ss.%[4]s
spec:
  group: %[4]s
  names:
    kind: %[3]s
    listKind: %[3]sList
    plural: %[2]ss
    singular: %[2]s
  scope: Namespaced
`

const schema = `        description: A %[1]s of the example.
        type: object
        properties:
          apiVersion:
            type: string
          kind:
            type: string
          metadata:
            type: object
          status:
            type: object
            properties:
              phase:
                type: string
          spec:
            type: object
            properties:`

const part = `
              %[1]s:
                description: |-
                  What the %[1]s is for, in the words of whoever wrote the Go type.
                  It may be left out, and is not looked at in dry runs.
                properties:
                  enabled:
                    description: Whether the %[1]s is used at all.
                    type: boolean
                  interval:
                    description: How long to wait, such as 30s.
                    pattern: ^([0-9]+(s|m|h))+$
                    type: string
                  labels:
                    additionalProperties:
                      type: string
                    description: What to put on everything that is made.
                    type: object
                  mode:
                    description: How to go about it.
                    enum:
                    - Always
                    - Never
                    type: string
                  replicas:
                    format: int32
                    maximum: 100
                    minimum: 1
                    type: integer
                  targets:
                    description: Where to send it.
                    items:
                      properties:
                        name:
                          maxLength: 63
                          type: string
                        port:
                          anyOf:
                          - type: integer
                          - type: string
                          x-kubernetes-int-or-string: true
                      required:
                      - name
                      type: object
                    maxItems: 16
                    type: array
                type: object`

const rule = `
                x-kubernetes-validations:
                - message: a part that is enabled needs an interval
                  rule: '!has(self.enabled) || !self.enabled || has(self.interval)'`

const beginV1 = `  versions:
  - name: v1
    additionalPrinterColumns:
    - jsonPath: .metadata.creationTimestamp
      name: Age
      type: date
    schema:
      openAPIV3Schema:
`

const endV1 = `
    served: true
    storage: true
    subresources:
      status: {}
`

const beginV1beta1 = `  additionalPrinterColumns:
  - JSONPath: .metadata.creationTimestamp
    name: Age
    type: date
  validation:
    openAPIV3Schema:
`

const endV1beta1 = `
  preserveUnknownFields: false
  subresources:
    status: {}
  version: v1
  versions:
  - name: v1
    served: true
    storage: true
`

// YAML is the manifest.
func (c CRD) YAML() string {
	kind := fmt.Sprintf("Example%05d", c.Number)
	var body strings.Builder
	fmt.Fprintf(&body, schema, kind)
	for i := range c.Parts {
		fmt.Fprintf(&body, part, fmt.Sprintf("part%d", i))
		if i < c.Rules {
			body.WriteString(rule)
		}
	}
	begin, text, end := beginV1, body.String(), endV1
	if c.Version == "v1beta1" { // its schema stands one level further out
		begin, end = beginV1beta1, endV1beta1
		text = strings.ReplaceAll(strings.TrimPrefix(text, "  "), "\n  ", "\n")
	}
	return fmt.Sprintf(head, c.Version, strings.ToLower(kind), kind, "example.com") + begin + text + end
}

// Sized is a CRD whose manifest has about that many bytes.
func Sized(version string, number, size int) CRD {
	one, two := len(CRD{Version: version, Parts: 1}.YAML()), len(CRD{Version: version, Parts: 2}.YAML())
	return CRD{Version: version, Number: number, Parts: max(1, 1+(size-one+(two-one)/2)/(two-one))}
}
