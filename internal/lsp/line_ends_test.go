package lsp

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/limit"
)

// TestLineEndsOfEdits: what actions write into a file ends its lines as the file does.
func TestLineEndsOfEdits(t *testing.T) {
	t.Parallel()
	const crlf, lf = "\r\n", "\n"
	flagless := changed(t, widgets, "    served: true\n", "")
	list := changed(t, widgets, "scope: Namespaced", "scope: namespaced") + "---\n{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition}\n"
	for _, test := range []struct {
		name, text, at, kind, action string
	}{
		{"a comment above a line", changed(t, widgets, "Namespaced", "namespaced"), "11:9-11:9", "quickfix", "Ignore scope-invalid here"},
		{"a comment at the end of a line", changed(t, widgets, "  scope: Namespaced\n", "  scope: &s |-\n    namespaced\n"), "11:9-11:9", "quickfix", "Ignore scope-invalid here"},
		{"a fix of a word", changed(t, widgets, "Namespaced", "namespaced"), "11:9-11:9", "quickfix", "Set scope to Namespaced"},
		{"a fix of a line", flagless, "13:4-13:12", "quickfix", "Write out served"},
		{"all fixes", flagless, "0:0-0:0", "source.fixAll", "Fix all safe problems in this file"},
		{"a document among others", list, "11:9-11:9", "quickfix", "Set scope to Namespaced"},
		{"a conversion", old, "0:0-0:0", "refactor", "Convert this document to apiextensions.k8s.io/v1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			after := func(ends string) string {
				c := start(t, editor)
				text := strings.ReplaceAll(test.text, lf, ends)
				c.open("crd.yaml", text)
				return c.choose(c.actions("crd.yaml", test.at, test.kind), test.action, "crd.yaml", text)
			}
			want := after(lf)
			if want == test.text {
				t.Fatal("it writes nothing")
			}
			if got := after(crlf); got != strings.ReplaceAll(want, lf, crlf) {
				t.Errorf("%q, want the lines of %q", got, want)
			}
		})
	}
}

// TestEdgesOfActions are offered anywhere in the line of a finding, and only where there is something to do.
func TestEdgesOfActions(t *testing.T) {
	t.Parallel()
	c := start(t, editor)
	c.open("crd.yaml", changed(t, widgets, "Namespaced", "namespaced"))
	for at, want := range map[string]int{
		"11:0-11:0": 2, "11:8-11:9": 2, "11:9-11:9": 2, "11:19-11:19": 2, "11:20-11:20": 2, "10:0-11:8": 2, "10:30-12:0": 2, "11:19-12:0": 2,
		"10:0-10:20": 0, "12:0-12:9": 0,
	} {
		if all := c.actions("crd.yaml", at, "quickfix"); len(all) != want {
			t.Errorf("%s: %q, want %d", at, titles(all), want)
		}
	}
	for only, want := range map[string]int{"source": 1, "source.fixAll": 1, "source.fixAll.crdlift": 1, "source.fix": 0, "quickfix.x": 0, "refactor": 0} {
		if all := c.actions("crd.yaml", "11:9-11:9", only); len(all) != want {
			t.Errorf("%s: %q, want %d", only, titles(all), want)
		}
	}
	c.open("none.yaml", changed(t, widgets, "                type: integer\n", ""))
	for _, a := range c.actions("none.yaml", "0:0-40:0", "") {
		if strings.Contains(a.Title, "safe problems") {
			t.Errorf("%q is offered where no fix is safe", a.Title)
		}
	}
}

// TestSize: a file of exactly as many bytes as are judged is judged, on the disk and open.
func TestSize(t *testing.T) {
	t.Parallel()
	wrong := changed(t, widgets, "Namespaced", "namespaced")
	exact := wrong + "#" + strings.Repeat("x", limit.EditorSize-len(wrong)-1)
	c := start(t, "{}", "exact.yaml", exact, "over.yaml", exact+"x")
	c.diagnostics("exact.yaml", "11:9-11:19 error scope-invalid")
	c.await("that the other is too large", func(m message) bool {
		return m.Method == "window/logMessage" && strings.Contains(string(m.Params), "over.yaml is larger than 8 MiB")
	})
	c.open("new.yaml", exact)
	c.diagnostics("new.yaml", "11:9-11:19 error scope-invalid")
}

// TestWrongCommands are rejected with what is wrong with them.
func TestWrongCommands(t *testing.T) {
	t.Parallel()
	c := start(t, "{}")
	c.open("crd.yaml", changed(t, widgets, "Namespaced", "namespaced"))
	c.diagnostics("crd.yaml", "11:9-11:19 error scope-invalid")
	at := func(name, reason string, line int) string {
		return fmt.Sprintf(`[{"uri": %q, "rule": "scope-invalid", "kind": "comment", "position": {"line": %d, "character": 9}, "reason": %q}]`, c.uri(name), line, reason)
	}
	for _, test := range []struct{ command, arguments, want string }{
		{"crdlift.ignore", `[]`, "takes one argument"},
		{"crdlift.ignore", `[1, 2]`, "takes one argument"},
		{"crdlift.ignore", `[12]`, "cannot unmarshal"},
		{"crdlift.ignore", at("crd.yaml", " \n ", 11), "an ignore needs a reason"},
		{"crdlift.ignore", at("crd.yaml", "old", 12), "there is nothing to change"},
		{"crdlift.ignore", at("closed.yaml", "old", 11), "content modified"},
		{"crdlift.notes", `[12]`, "cannot unmarshal"},
		{"crdlift.other", `[12]`, "there is no command crdlift.other"},
	} {
		answer := c.call("workspace/executeCommand", fmt.Sprintf(`{"command": %q, "arguments": %s}`, test.command, test.arguments))
		if answer.Error == nil || !strings.Contains(answer.Error.Message, test.want) {
			t.Errorf("%s %s: %+v, want %q", test.command, test.arguments, answer.Error, test.want)
		}
	}
	id := c.request("workspace/executeCommand", `{"command": "crdlift.notes", "arguments": [["one", "two"]]}`)
	shown := c.await("a message", func(m message) bool { return m.Method == "window/showMessage" })
	var params struct{ Message string }
	if err := json.Unmarshal(shown.Params, &params); err != nil || params.Message != "one\ntwo" {
		t.Errorf("%s, %v", shown.Params, err)
	}
	if answer := c.answer(id); answer.Error != nil {
		t.Errorf("%+v", answer.Error)
	}
}

// TestNotesOfConversions: what a conversion changes is annotated, or shown by a command where the client has no annotations.
func TestNotesOfConversions(t *testing.T) {
	t.Parallel()
	loose := changed(t, old, "  version: v1\n", "  version: v1\n  validation:\n    openAPIV3Schema:\n      properties:\n        spec: {anyOf: [{properties: {a: {type: string}}}]}\n")
	for _, test := range []struct {
		capabilities, text string
		command, annotated bool
	}{
		{editor, old, false, true},
		{"{}", old, false, false},
		{editor, loose, false, true},
		{"{}", loose, true, false},
	} {
		c := start(t, test.capabilities, ".crdlift.yaml", "convert: {policy: idiomatic}\n")
		c.open("crd.yaml", test.text)
		all := c.actions("crd.yaml", "0:0-0:0", "refactor.rewrite")
		if len(all) != 1 || all[0].Edit == nil {
			t.Fatalf("%+v", all)
		}
		if is := all[0].Command.Command == "crdlift.notes"; is != test.command {
			t.Errorf("that a command shows notes is %t: %+v", is, all[0])
		}
		if is := len(all[0].Edit.ChangeAnnotations) > 0; is != test.annotated {
			t.Errorf("that there are annotations is %t: %+v", is, all[0].Edit)
		}
	}
}
