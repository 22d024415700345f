package main

import (
	"fmt"
	"strings"
)

var against = []string{"lint", "--output", "short", "--new-only", "OLD", "FILE"}

// hostileCompared are cases in which whatever is looked for in a list of the other side makes it the square of the work.
var hostileCompared = []hostileCase{
	{what: "an enum of 100,000 values, all replaced", args: against, file: "enum.yaml", text: enum("e%d,"), old: enum("f%d,"), heavy: true},
	{what: "16,000 properties, all of another type", args: against, file: "properties.yaml", text: properties(16_000, "string"), old: properties(16_000, "integer"), heavy: true},
	{what: "4,000 CRDs in one file, all changed", args: against, file: "crds.yaml", text: bundle(4000, "string"), old: bundle(4000, "integer"), heavy: true},
	{what: "a oneOf of 2,000 branches, all replaced", args: against, file: "oneof.yaml", text: oneOf(2000, 0), old: oneOf(2000, 1_000_000), heavy: true},
	{what: "4,000 versions, of which half are removed", args: []string{"plan", "OLD", "FILE"}, file: "versions.yaml", text: versions(2000), old: versions(4000), heavy: true},
}

func enum(value string) func() string {
	return func() string {
		return crdHead + crdVersion + "          a: {type: string, enum: [" + many(100_000, value) + "]}\n"
	}
}

func properties(n int, typ string) func() string {
	return func() string { return crdHead + crdVersion + many(n, "          p%d: {type: "+typ+"}\n") }
}

func oneOf(n, from int) func() string {
	return func() string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "{minLength: %d}, ", from+i)
		}
		return crdHead + crdVersion + "          a: {type: string, oneOf: [" + b.String() + "]}\n"
	}
}

// bundle is many CRDs with one field.
func bundle(n int, typ string) func() string {
	return func() string {
		var b strings.Builder
		for i := range n {
			name := fmt.Sprintf("widget%d", i)
			b.WriteString("---\n" + strings.NewReplacer("widget", name, "Widget", "W"+name[1:]).Replace(crdHead+crdVersion) + "          a: {type: " + typ + "}\n")
		}
		return b.String()
	}
}

// versions are so many, of which the first is stored.
func versions(n int) func() string {
	return func() string {
		return crdHead + "  versions:\n" + strings.Replace(many(n, "  - {name: v%d, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}\n"), "false", "true", 1)
	}
}
