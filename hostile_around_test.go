package main

import (
	"fmt"
	"strings"
)

const listHead = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n"

// item makes an item of a ResourceList of a manifest.
func item(manifest string) string {
	return "- " + strings.ReplaceAll(strings.TrimSpace(manifest), "\n", "\n  ") + "\n"
}

// anchors returns an alias bomb that is not a manifest.
func anchors() string {
	var b strings.Builder
	b.WriteString("x0: &x0 [a]\n")
	for i := 1; i < 12; i++ {
		fmt.Fprintf(&b, "x%d: &x%d [%s]\n", i, i, strings.Repeat(fmt.Sprintf("*x%d, ", i-1), 9))
	}
	return b.String()
}

// lists returns an alias bomb of lists in lists of objects.
func lists() string {
	var b strings.Builder
	b.WriteString("apiVersion: v1\nkind: List\nx0: &x0 {apiVersion: example.com/v1, kind: Foo, metadata: {name: a}}\n")
	for i := 1; i < 12; i++ {
		fmt.Fprintf(&b, "x%d: &x%d {kind: List, items: [%s]}\n", i, i, strings.Repeat(fmt.Sprintf("*x%d, ", i-1), 9))
	}
	return b.String() + "items: [*x11]\n"
}

// hostileAround are cases of input that is not linted or converted itself, but decides how that is done, or comes by
// another way.
var hostileAround = []hostileCase{
	{what: "alias bomb in the older manifests", args: []string{"lint", "--output", "short", "--new-only", "FILE", "GOOD"}, file: "bomb.yaml", text: bomb},
	{what: "alias bomb on the new side", args: []string{"lint", "--output", "short", "--new-only", "GOOD", "FILE"}, file: "bomb.yaml", text: bomb},
	{what: "alias bomb, planned from", args: []string{"plan", "FILE", "GOOD"}, file: "bomb.yaml", text: bomb},
	{what: "lists nested 100,000 deep in the older manifests", args: []string{"plan", "FILE", "GOOD"}, file: "lists.yaml", text: named(nested("- ", "x", "", 100_000))},
	{what: "NUL bytes in the older manifests", args: []string{"plan", "FILE", "GOOD"}, file: "nul.yaml", text: named(content("a: b\x00c\n"))},
	{what: "a pattern that unfolds to a million states, compared", args: []string{"lint", "--output", "short", "--new-only", "FILE", "GOOD"}, file: "pattern.yaml",
		text: content(crdHead + crdVersion + "          a: {type: string, pattern: '((a{0,100}){0,100}){0,100}'}\n")},
	{what: "alias bomb of lists of objects", args: []string{"validate", "--output", "short", "--crds", "GOOD", "FILE"}, file: "lists.yaml", text: lists},
	{what: "alias bomb in a ResourceList", args: []string{"fn"}, stdin: true, text: func() string { return listHead + item(bomb()) }},
	{what: "ResourceList nested 100,000 deep", args: []string{"fn"}, stdin: true, text: func() string { return listHead + "- " + nested("[", "", "]", 100_000)() }},
	{what: "NUL bytes in a ResourceList", args: []string{"fn"}, stdin: true, text: func() string { return listHead + "- \x00\n" }},
	{what: "a ResourceList of 100 MB", args: []string{"fn"}, stdin: true, text: func() string { return listHead + "- a: " + strings.Repeat("x", 100<<20) }, heavy: true},
	{what: "a ResourceList of 1,000 CRDs", args: []string{"fn"}, stdin: true, heavy: true,
		text: func() string { return listHead + strings.Repeat(item(crdHead+crdVersion+"          a: {}\n"), 1000) }},
	{what: "alias bomb as configuration", args: []string{"lint", "--config", "FILE", "GOOD"}, file: "config.yaml", text: func() string { return anchors() + "exclude: *x11\n" }},
	{what: "configuration nested 100,000 deep", args: []string{"lint", "--config", "FILE", "GOOD"}, file: "config.yaml", text: nested("[", "", "]", 100_000)},
	{what: "a glob that stands for a million", args: []string{"lint", "--config", "FILE", "GOOD"}, file: "config.yaml",
		text: func() string { return "exclude: ['" + strings.Repeat("{a,b}", 20) + "']\n" }},
	{what: "10,000 ignores in the configuration", args: []string{"lint", "--config", "FILE", "GOOD"}, file: "config.yaml", heavy: true,
		text: func() string { return "ignore:\n" + many(10_000, "- {path: 'spec.**.p%d', crd: '*.com', reason: r}\n") }},
	{what: "alias bomb as a baseline", args: []string{"lint", "--baseline", "FILE", "GOOD"}, file: "known.yaml", text: func() string { return anchors() + "files: *x11\n" }},
	{what: "a baseline of 100,000 findings", args: []string{"lint", "--baseline", "FILE", "GOOD"}, file: "known.yaml", heavy: true, text: func() string {
		return "version: 1\nfiles:\n- path: good.yaml\n  findings:\n" + many(100_000, "  - {rule: a, path: 'p%d'}\n")
	}},
	{what: "4,000 ignore comments", file: "comments.yaml", heavy: true, text: func() string {
		return crdHead + crdVersion + many(4000, "          p%d: {description: d} # crdlift:ignore schema-type-missing -- why\n")
	}},
	{what: "40,000 ignore comments, of which none is used", file: "comments.yaml", heavy: true, text: func() string {
		return crdHead + crdVersion + many(40_000, "          p%d: {type: string} # crdlift:ignore schema-type-missing -- why\n")
	}},
	{what: "100,000 rules in .gitignore", args: []string{"lint", "--output", "short", "DIR"}, file: ".gitignore", text: func() string { return many(100_000, "p%d\n") }, heavy: true},
}
