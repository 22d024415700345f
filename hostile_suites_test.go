package main

import (
	"fmt"
	"strings"
)

const (
	suiteHead = "crdtest: v1\ncrd: good.yaml\nbase: {apiVersion: example.com/v1, kind: Widget}\n"
	noSuite   = "crdtest: v1\n"
)

var testAll = []string{"test", "--output", "short"}

// ofSuite is a suite with cases of a suite of good.yaml.
func ofSuite(format string, args ...any) func() string {
	return func() string { return suiteHead + "cases:\n" + fmt.Sprintf(format, args...) }
}

// thenNested are cases that follow one another.
func thenNested(n int) func() string {
	return func() string {
		return suiteHead + "cases: " + strings.Repeat("[{name: a, then: ", n) + "[{name: a}]" + strings.Repeat("}]", n) + "\n"
	}
}

// hostileSuites are suites of tests of a CRD, which have files of others looked for, values multiplied, and paths followed.
var hostileSuites = []hostileCase{
	{what: "alias bomb in a suite", args: testAll, file: "a.crdtest.yaml", text: func() string {
		return noSuite + anchors() + "cases: *x11\n"
	}},
	{what: "alias bomb as an object of a suite", args: testAll, file: "a.crdtest.yaml", text: func() string {
		return suiteHead + "cases:\n- name: a\n  stored:\n    spec:\n" + strings.ReplaceAll("      "+anchors(), "\nx", "\n      x")
	}},
	{what: "an alias inside its own anchor in a suite", args: testAll, file: "a.crdtest.yaml", text: ofSuite("- name: a\n  set: {a: &a {b: *a}}\n")},
	{what: "cases that are inside of themselves", args: testAll, file: "a.crdtest.yaml", text: func() string { return suiteHead + "cases: &c\n- {name: a, then: *c}\n" }},
	{what: "cases that follow one another 2,500 deep", args: testAll, file: "a.crdtest.yaml", text: thenNested(2500)},
	{what: "a table of 100,000 values", args: testAll, file: "a.crdtest.yaml", text: ofSuite("- name: a\n  at: a\n  accept: [%s]\n", strings.Repeat("x, ", 100_000)), heavy: true},
	{what: "a table of 1,000 values of 100 kB", args: testAll, file: "a.crdtest.yaml", text: func() string {
		return suiteHead + "cases:\n- {name: b, set: {a: &x " + strings.Repeat("x", 100_000) + "}}\n- name: a\n  at: a\n  accept: [" + strings.Repeat("*x, ", 1000) + "]\n"
	}},
	{what: "a path of 1,000,000 steps in a suite", args: testAll, file: "a.crdtest.yaml", text: ofSuite("- name: a\n  unset: [a%s]\n", strings.Repeat(".a", 1_000_000))},
	{what: "a path of 1,000,000 indexes in a suite", args: testAll, file: "a.crdtest.yaml", text: ofSuite("- name: a\n  unset: ['a%s']\n", strings.Repeat("[0]", 1_000_000))},
	{what: "a path with 1,000,000 brackets in a suite", args: testAll, file: "a.crdtest.yaml", text: ofSuite("- name: a\n  unset: ['%s']\n", strings.Repeat("[", 1_000_000))},
	{what: "an index of 1,000,000,000 in a suite", args: testAll, file: "a.crdtest.yaml", text: ofSuite("- name: a\n  set: {'a[1000000000]': 1}\n")},
	{what: "an index beyond all numbers in a suite", args: testAll, file: "a.crdtest.yaml", text: ofSuite("- name: a\n  set: {'a[99999999999999999999]': 1}\n")},
	{what: "a list of 10,000 items that are set one by one", args: testAll, file: "a.crdtest.yaml", text: func() string {
		return suiteHead + "cases:\n- name: a\n  set: {\n" + many(10_000, "    'spec[%[1]d]': %[1]d,\n") + "  }\n"
	}},
	{what: "a set that makes objects 900 deep", args: testAll, file: "a.crdtest.yaml", text: ofSuite("- name: a\n  at: a%s\n  accept: [1]\n", strings.Repeat(".a", 900))},
	{what: "a constraint of 1,000,000 steps", args: testAll, file: "a.crdtest.yaml", text: ofSuite("- name: a\n  old: {}\n  before: [a%s]\n", strings.Repeat(".a", 1_000_000))},
	{what: "a suite of a file of the system", args: testAll, file: "a.crdtest.yaml", text: content(noSuite + "crd: /etc/passwd\ncases:\n- {name: a, object: {apiVersion: example.com/v1, kind: Widget}}\n")},
	{what: "a suite of a device", args: testAll, file: "a.crdtest.yaml", text: content(noSuite + "crd: /dev/zero\ncases:\n- {name: a, object: {apiVersion: example.com/v1, kind: Widget}}\n")},
	{what: "a suite of itself", args: testAll, file: "a.crdtest.yaml", text: func() string {
		return strings.Replace(suiteHead, "good.yaml", "a.crdtest.yaml", 1) + "cases:\n- name: a\n"
	}},
	{what: "a suite of an alias bomb", args: []string{"test", "--output", "short", "--crds", "OLD", "FILE"}, file: "a.crdtest.yaml", old: bomb,
		text: func() string { return strings.Replace(suiteHead, "crd: good.yaml\n", "", 1) + "cases:\n- name: a\n" }},
	{what: "a suite of a CRD without a schema", args: testAll, file: "a.crdtest.yaml", text: func() string {
		return strings.Replace(suiteHead, "good.yaml", "a.crdtest.yaml", 1) + "cases:\n- name: a\n---\n" + crdHead + "  versions:\n  - {name: v1, served: true, storage: true}\n"
	}},
	{what: "a suite in a Helm template", args: testAll, file: "a.crdtest.yaml", text: ofSuite("- name: {{ .Values.name }}\n")},
	{what: "NUL bytes in a suite", args: testAll, file: "a.crdtest.yaml", text: ofSuite("- name: \x00\n")},
	{what: "bytes that are not UTF-8 in a suite", args: testAll, file: "a.crdtest.yaml", text: ofSuite("- name: caf\xe9\n")},
	{what: "half a surrogate pair in a suite", args: testAll, file: "a.crdtest.json", text: content(`{"crdtest": "v1", "crd": "good.yaml", "cases": [{"name": "\ud800", "object": {"kind": "\ud800"}}]}`)},
	{what: "a key of a case twice", args: testAll, file: "a.crdtest.yaml", text: ofSuite("- name: a\n  set: {a: b}\n  set: {a: c}\n")},
	{what: "a path that is set twice", args: testAll, file: "a.crdtest.yaml", text: ofSuite("- name: a\n  set: {a: b, a: c}\n")},
}
