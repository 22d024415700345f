package specimen

import (
	"embed"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A Kind is a kind of custom resources, with its own choice of fields. Its CRD has what those of operators have: defaults,
// enums, formats, maps, lists of objects with keys, quantities, CEL rules, preserved fields, a status.
type Kind struct{ Number int }

// A field is one of a kind's spec.
type field struct {
	name   string
	schema string // as controller-gen writes it
	value  string // with choices: fill says how they are written
}

// files has a file for each field, with its schema and its value.
//
//go:embed testdata/fields
var files embed.FS

// fields are all there are, in the order of their names.
var fields = func() (all []field) {
	entries, err := files.ReadDir("testdata/fields")
	if err != nil {
		panic(err) // they are in the program
	}
	for _, e := range entries {
		text, err := files.ReadFile("testdata/fields/" + e.Name())
		if err != nil {
			panic(err)
		}
		schema, value, _ := strings.Cut(string(text), "---\n")
		all = append(all, field{strings.TrimSuffix(e.Name(), ".yaml"), schema, value})
	}
	return all
}()

var groups = []string{"apps", "data", "messaging", "networking", "storage"}

// Group is the API group.
func (k Kind) Group() string { return groups[k.Number%len(groups)] + ".example.com" }

// Name is what objects have as their kind.
func (k Kind) Name() string { return fmt.Sprintf("Example%03d", k.Number) }

// fields are those of the spec and those of each component, in the order of their names.
func (k Kind) fields() (spec, component []field) {
	random := rand.New(rand.NewPCG(uint64(k.Number), 0))
	choose := func(count int) (chosen []field) {
		for _, i := range random.Perm(len(fields))[:count] {
			chosen = append(chosen, fields[i])
		}
		slices.SortFunc(chosen, func(a, b field) int { return strings.Compare(a.name, b.name) })
		return chosen
	}
	return choose(4 + random.IntN(len(fields)-4)), choose(2 + random.IntN(len(fields)/2))
}

const kindSchema = `  versions:
  - name: v1
    additionalPrinterColumns:
    - jsonPath: .status.phase
      name: Phase
      type: string
    - jsonPath: .metadata.creationTimestamp
      name: Age
      type: date
    schema:
      openAPIV3Schema:
        description: %[3]s is the Schema for the %[2]ss API.
        properties:
          apiVersion:
            description: |-
              APIVersion defines the versioned schema of this representation of an object.
              Servers should convert recognized schemas to the latest internal value, and
              may reject unrecognized values.
            type: string
          kind:
            description: |-
              Kind is a string value representing the REST resource this object represents.
              Servers may infer this from the endpoint the client submits requests to.
            type: string
          metadata:
            type: object
`

// CRD is the manifest of its definition.
func (k Kind) CRD() string {
	spec, component := k.fields()
	var b strings.Builder
	fmt.Fprintf(&b, head+kindSchema, "v1", strings.ToLower(k.Name()), k.Name(), k.Group())
	b.WriteString(indent(10, "spec:\n  description: What is wanted.\n  properties:\n"))
	b.WriteString(indent(14, common))
	b.WriteString(indent(14, "components:\n  additionalProperties:\n    description: What one of the components has of its own.\n    properties:\n"))
	for _, f := range component {
		b.WriteString(indent(20, f.name+":\n"+indent(2, f.schema)))
	}
	b.WriteString(indent(14, "    type: object\n  description: The components, by name.\n  maxProperties: 8\n  type: object\n"))
	for _, f := range spec {
		b.WriteString(indent(14, f.name+":\n"+indent(2, f.schema)))
	}
	b.WriteString(indent(10, commonEnd))
	b.WriteString(indent(10, status))
	b.WriteString("        required:\n        - spec\n        type: object" + endV1)
	return b.String()
}

// indent moves lines to the right.
func indent(by int, text string) string {
	space := strings.Repeat(" ", by)
	return space + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+space) + "\n"
}
