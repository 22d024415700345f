package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// block is a part of a schema as controller-gen writes them: descriptions, nested objects, lists, maps, bounds.
const block = `
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

const head = `apiVersion: apiextensions.k8s.io/%[1]s
kind: CustomResourceDefinition
metadata:
  name: %[2]ss.example.com
spec:
  group: example.com
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

const tailV1 = `
    served: true
    storage: true
    subresources:
      status: {}
`

const tailV1beta1 = `
  preserveUnknownFields: false
  subresources:
    status: {}
  version: v1
  versions:
  - name: v1
    served: true
    storage: true
`

// manifest writes a CRD of either API version, whose kind is its own, with as many blocks in its schema.
func manifest(version string, number, blocks int) string {
	kind := fmt.Sprintf("Example%05d", number)
	var b strings.Builder
	fmt.Fprintf(&b, head, version, strings.ToLower(kind), kind)
	indent := ""
	if version == "v1" {
		b.WriteString("  versions:\n  - name: v1\n    additionalPrinterColumns:\n    - jsonPath: .metadata.creationTimestamp\n      name: Age\n      type: date\n" +
			"    schema:\n      openAPIV3Schema:\n")
	} else {
		b.WriteString("  additionalPrinterColumns:\n  - JSONPath: .metadata.creationTimestamp\n    name: Age\n    type: date\n" +
			"  validation:\n    openAPIV3Schema:\n")
		indent = "  "
	}
	var body strings.Builder
	fmt.Fprintf(&body, schema, kind)
	for i := range blocks {
		fmt.Fprintf(&body, block, fmt.Sprintf("part%d", i))
	}
	for i, line := range strings.Split(body.String(), "\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(strings.TrimPrefix(line, indent))
	}
	if version == "v1" {
		b.WriteString(tailV1)
	} else {
		b.WriteString(tailV1beta1)
	}
	return b.String()
}

// blocksFor is how many blocks make a manifest of about that many bytes.
func blocksFor(size int) int {
	one, two := len(manifest("v1", 0, 1)), len(manifest("v1", 0, 2))
	return max(1, 1+(size-one+(two-one)/2)/(two-one))
}

// writeFiles fills a new folder with as many files of one CRD each, and says how many bytes they have.
func writeFiles(dir, version string, count, blocks int) (size int64, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return 0, err
	}
	for i := range count {
		text := manifest(version, i, blocks)
		size += int64(len(text))
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%05d.yaml", i)), []byte(text), 0o644); err != nil {
			return 0, err
		}
	}
	return size, nil
}

// writeDocuments writes a file of about that many bytes with many CRDs in it, each of about 20 KB, without holding it in
// memory; measure says why.
func writeDocuments(path, version string, size int64) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	blocks := blocksFor(20_000)
	for n := 0; size > 0 && err == nil; n++ {
		var written int
		written, err = f.WriteString("---\n" + manifest(version, n, blocks))
		size -= int64(written)
	}
	if failed := f.Close(); err == nil {
		err = failed
	}
	return err
}

// writeOlder writes what the first file of a folder was before a part was added to it.
func writeOlder(dir string) (path string, err error) {
	path = filepath.Join(dir, "older")
	return path, os.WriteFile(path, []byte(manifest("v1", 0, blocksFor(20_000)-1)), 0o644)
}
