package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/cli"
	"github.com/crdlift/crdlift/internal/limit"
)

// A limitCase is a run with an input of some size, number or depth.
type limitCase struct {
	args []string           // FILE stands for the input, OLD for the folder with the older one
	text func(n int) string // the input
	old  func(n int) string // the older one; nil for none
	at   int                // the limit that an option sets; 0 for the one of the list
	says string             // what one more is told
	json string             // the same in JSON
}

var limitCases = map[string]limitCase{
	"file-size": {args: []string{"lint", "--max-file-size", "5000", "FILE", "GOOD"}, at: 5000, text: padded,
		says: "larger than --max-file-size=5000", json: `"unreadFiles": 1`},
	"other-file-size": {args: []string{"lint", "--max-file-size", "5000", "--new-only", "OLD", "FILE"}, at: 5000, text: func(int) string { return padded(0) }, old: padded,
		says: "this older file is larger than --max-file-size=5000B, and was not read", json: `"rule": "limit-exceeded"`},
	"nesting": {args: []string{"lint", "FILE"}, text: func(n int) string {
		return padded(0) + "---\n" + strings.Repeat("[", n) + strings.Repeat("]", n) + "\n"
	}, says: "nested deeper than 10000 levels", json: `"rule": "yaml-syntax"`},
	"template-branches": {args: []string{"lint", "FILE"}, text: func(n int) string {
		return templateOf("Namespaced", "          {{- if .c1 }}\n          a: {type: string}\n"+many(n-2, "          {{- else if .d%d }}\n          a: {type: string}\n")+
			"          {{- else }}\n          b: {type: string}\n          {{- end }}\n")
	}, says: "this template has 1 more branch that is not checked, the first in the block of {{- if .c1 }}; split the template", json: `"rule": "limit-exceeded"`},
	"template-conditions": {args: []string{"lint", "--fix", "FILE"}, text: func(n int) string {
		return templateOf("namespaced", many(n, "          {{- if .c%[1]d }}\n          p%[1]d: {type: string}\n          {{- end }}\n"))
	}, says: "each of the 5 conditions of this template was tried alone for the fixes", json: `"rule": "limit-exceeded"`},
	"template-combinations": {args: []string{"lint", "--fix", "FILE"}, text: func(n int) string {
		branches := []int{4, 4, 4, 2}
		if n > limit.Choices {
			branches[3] = 3
		}
		properties := ""
		for c, n := range branches {
			properties += fmt.Sprintf("          {{- if .c%[1]d }}\n          p%[1]d: {type: string}\n", c) +
				many(n-2, fmt.Sprintf("          {{- else if .c%dd%%d }}\n          p%d: {type: string}\n", c, c)) + fmt.Sprintf("          {{- else }}\n          q%d: {type: string}\n          {{- end }}\n", c)
		}
		return templateOf("namespaced", properties)
	}, says: "each of the 4 conditions of this template was tried alone for the fixes", json: `"rule": "limit-exceeded"`},
	"template-choices": {args: []string{"lint", "--fix", "--rule", "scope-invalid=warning", "FILE"}, text: func(n int) string {
		return templateOf("namespaced", "          a: {type: string, description: '{{ if .c1 }}a"+
			many(n-2, "{{ else if .d%d }}b")+"{{ else }}c{{ end }}'}\n")
	}, says: "no fix of this template was made, since {{ if .c1 }} begins more branches than the 64 that are tried", json: `"rule": "limit-exceeded"`},
	"crd-variants": {args: []string{"validate", "FILE"}, text: func(n int) string {
		text := "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\n"
		for i := range n {
			text += "---\n" + strings.ReplaceAll(crdHead+crdVersion+"          a: {type: string, description: 'D'}\n", "'D'", fmt.Sprint("'", i, "'"))
		}
		return text
	}, says: "there are 17 different CRDs of Widget, and objects are validated by the nearest 16; name those that count with --crds", json: `"rule": "limit-exceeded"`},
	"list-depth": {args: []string{"validate", "--crds", "GOOD", "FILE"}, text: func(n int) string {
		object := `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w"}}`
		return "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: v}\n---\n" +
			strings.Repeat(`{"apiVersion":"v1","kind":"List","items":[`, n) + object + strings.Repeat("]}", n) + "\n"
	}, says: "lists are nested more than 16 levels deep here, so their objects are not validated; nest them less deeply", json: `"rule": "limit-exceeded"`},
}

// testedElsewhere are the limits that take too large an input, with their tests.
var testedElsewhere = map[string]string{
	"fix-rounds": "internal/engine/fix_test.go: TestFixWithoutEnd",
	"fix-edits":  "internal/engine/fix_test.go: TestEditsUpToTheBound", "fix-attempts": "internal/engine/fix_test.go: TestAttempts",
	"fix-text":          "internal/engine/fix_test.go: TestAttempts",
	"remedy-nodes":      "internal/origin/origin_test.go: TestRemediesUpToTheBound",
	"alias-bytes":       "internal/yaml11/json_test.go: TestToJSONLimits",
	"older-alias-bytes": "internal/engine/excess_test.go: TestExcessiveAliases",
	"server-errors":     "internal/apiserver/foresee_test.go: TestForeseeOfManyErrors",
	"witness-values":    "internal/compare/refusal_test.go: TestWitnessBound",
	"ignore-pairs":      "internal/suppress/cap_test.go: TestTooManyIgnores",
	"submodules":        "internal/gitrev/module_test.go: TestModuleBounds",
	"submodule-depth":   "internal/gitrev/module_test.go: TestModuleBounds",
	"request-size":      "convert/robust_test.go: TestCopies",
	"editor-size":       "internal/lsp/workspace_test.go: TestTooLarge",
	"answer-size":       "internal/review/client_test.go: TestEndless",
	"answer-depth":      "internal/webhook/webhook_test.go: TestAnswerDepth",
}

// padded is a CRD of so many bytes, at least as many as it needs.
func padded(n int) string {
	text := crdHead + crdVersion + "          a: {type: string}\n"
	return text + "#" + strings.Repeat("x", max(n-len(text)-2, 0)) + "\n"
}

// templateOf is a template of a CRD with a scope and properties.
func templateOf(scope, properties string) string {
	return strings.Replace(crdHead, "scope: Namespaced", "scope: "+scope, 1) + crdVersion + "          z:\n            type: string\n            description: {{ .Values.z }}\n" + properties
}

// TestLimits: of each limit, an input that keeps to it is judged without a word about it, and one that goes beyond is said to, in
// text and in JSON, with the exit code of the list. docs/internals/robustness.md has the list.
func TestLimits(t *testing.T) {
	rows := "\n| limit | value | of what | what is not judged beyond it | how a run says so | exit code |\n|---|---|---|---|---|---|\n"
	for _, l := range limit.All {
		rows += fmt.Sprintf("| %s | %s | %s | %s | %s | %d |\n", l.Name, l.Shown(), l.Unit, l.Behind, l.Said, l.Exit)
		c, tried := limitCases[l.Name]
		if !tried {
			file, name, _ := strings.Cut(testedElsewhere[l.Name], ": ")
			if src, err := os.ReadFile(file); err != nil || !bytes.Contains(src, []byte("\nfunc "+name+"(")) {
				t.Errorf("no test tries the limit %s", l.Name)
			}
			continue
		}
		t.Run(l.Name, func(t *testing.T) {
			t.Parallel()
			at := l.Value
			if c.at > 0 {
				at = c.at
			}
			if code, said := c.run(t, at, "short"); code != 0 || strings.Contains(said, c.says) {
				t.Errorf("with %d, exit code %d:\n%s", at, code, said)
			}
			if code, said := c.run(t, at+1, "short"); code != l.Exit || !strings.Contains(said, c.says) {
				t.Errorf("with one more, exit code %d, want %d and %q:\n%s", code, l.Exit, c.says, said)
			}
			if code, said := c.run(t, at+1, "json"); code != l.Exit || !strings.Contains(said, c.json) {
				t.Errorf("with one more, in JSON, exit code %d, want %d and %q:\n%s", code, l.Exit, c.json, said)
			}
		})
	}
	replaceTable(t, limitsStart, rows+"\n")
}

const limitsStart = "<!-- made of: go test . -run Limits -update -->\n"

func (c limitCase) run(t *testing.T, n int, format string) (code int, said string) {
	t.Helper()
	dir := t.TempDir()
	write := func(path, text string) string {
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	places := map[string]string{"FILE": write("input.yaml", c.text(n)), "GOOD": write("good.yaml", strings.ReplaceAll(padded(0), "widget", "gadget"))}
	if c.args[0] == "validate" {
		places["GOOD"] = write("good.yaml", padded(0))
	}
	if c.old != nil {
		places["OLD"] = filepath.Dir(write("old/large.yaml", c.old(n)))
		write("old/good.yaml", padded(0))
	}
	args := append(slices.Clone(c.args), "--config", "off", "--output", format)
	for i, a := range args {
		if place, is := places[a]; is {
			args[i] = place
		}
	}
	var stdout, stderr bytes.Buffer
	code = cli.Run(args, strings.NewReader(""), &stdout, &stderr)
	return code, stdout.String() + stderr.String()
}
