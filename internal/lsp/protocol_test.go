package lsp

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestLife is that of a server: what it answers before it is initialized, after it is shut down, and how it ends.
func TestLife(t *testing.T) {
	t.Parallel()
	code := func(m message) int {
		if m.Error == nil {
			return 0
		}
		return m.Error.Code
	}
	c := connect(t)
	if got := code(c.call("textDocument/hover", `{}`)); got != -32002 {
		t.Errorf("before it is initialized: %d", got)
	}
	c.notify("textDocument/didOpen", `{}`) // is dropped
	answer := c.initialize("", `"workspaceFolders": null`)
	var result struct {
		Capabilities map[string]any
		ServerInfo   struct{ Name, Version string }
	}
	if err := json.Unmarshal(answer.Result, &result); err != nil {
		t.Fatal(err)
	}
	if result.ServerInfo.Name != "crdlift" || result.ServerInfo.Version != "test" || result.Capabilities["positionEncoding"] != "utf-16" {
		t.Errorf("%s", answer.Result)
	}
	for _, can := range []string{"textDocumentSync", "codeActionProvider", "hoverProvider", "completionProvider", "executeCommandProvider"} {
		if result.Capabilities[can] == nil {
			t.Errorf("there is no %s", can)
		}
	}
	if got := code(c.call("initialize", `{"processId": null, "rootUri": null, "capabilities": {}}`)); got != -32600 {
		t.Errorf("initialized twice: %d", got)
	}
	if got := code(c.call("textDocument/rename", `{}`)); got != -32601 {
		t.Errorf("what there is not: %d", got)
	}
	c.notify("$/setTrace", `{"value": "verbose"}`)
	c.notify("workspace/unheardOf", `{}`)
	if got := code(c.call("shutdown", "null")); got != 0 {
		t.Errorf("shutdown: %d", got)
	}
	if got := code(c.call("textDocument/hover", `{}`)); got != -32600 {
		t.Errorf("after the shutdown: %d", got)
	}
	c.notify("exit", "null")
	if got := <-c.code; got != 0 {
		t.Errorf("the exit code is %d", got)
	}
}

// TestAbruptEnds are those without a shutdown.
func TestAbruptEnds(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*client){
		"exit":            func(c *client) { c.notify("exit", "null") },
		"no more input":   func(c *client) { _ = c.to.Close() },
		"no JSON":         func(c *client) { c.send("{") },
		"no header":       func(c *client) { _, _ = c.to.Write([]byte("hello\r\n\r\n")) },
		"no client alive": func(c *client) { c.initialize("", `"workspaceFolders": null`); _ = c.to.Close() },
	} {
		c := connect(t)
		end(c)
		if got := <-c.code; got != 1 {
			t.Errorf("%s: the exit code is %d", name, got)
		}
	}
}

// TestDeadParent ends with the process that started it.
func TestDeadParent(t *testing.T) {
	t.Parallel()
	c := connect(t)
	c.request("initialize", `{"processId": 2147483646, "rootUri": null, "capabilities": {}}`)
	if got := <-c.code; got != 1 {
		t.Errorf("the exit code is %d", got)
	}
}

// TestCancelled requests have the protocol's answer, and the next ones are answered.
func TestCancelled(t *testing.T) {
	t.Parallel()
	c := start(t, editor)
	c.open("crd.yaml", long(2000))
	var ids []int
	for range 20 {
		ids = append(ids, c.request("textDocument/codeAction", fmt.Sprintf(
			`{"textDocument": {"uri": %q}, "range": {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}, "context": {"diagnostics": []}}`, c.uri("crd.yaml"))))
		c.notify("$/cancelRequest", fmt.Sprintf(`{"id": %d}`, ids[len(ids)-1]))
	}
	c.notify("$/cancelRequest", `{"id": 999}`) // of nothing
	for _, id := range ids {
		if answer := c.answer(id); answer.Error != nil && answer.Error.Code != -32800 {
			t.Errorf("%+v", answer.Error)
		}
	}
	if got := c.hover("crd.yaml", 0, 0); got == nil {
		t.Errorf("%+v", got)
	}
}

// long is a CRD with as many fields.
func long(fields int) string {
	var b strings.Builder
	b.WriteString(strings.TrimSuffix(widgets, "                maximum: 10\n"))
	for i := range fields {
		fmt.Fprintf(&b, "              field%d: {type: string, maxLength: 10, description: one of many}\n", i)
	}
	return b.String()
}

// TestPositions counts columns as the client does, in each encoding.
func TestPositions(t *testing.T) {
	t.Parallel()
	before := "          spec: {description: \"é💾\", type: objekt}\n"
	wrong := changed(t, widgets, "          spec:\n            type: object\n            properties:\n              size:\n                type: integer\n                maximum: 10\n", before)
	for encoding, columns := range map[string][2]int{"utf-8": {46, 52}, "utf-16": {43, 49}, "utf-32": {42, 48}} {
		c := start(t, fmt.Sprintf(`{"general": {"positionEncodings": ["nonsense", %q]}}`, encoding))
		c.open("crd.yaml", wrong)
		c.diagnostics("crd.yaml", fmt.Sprintf("20:%d-20:%d error schema-type-invalid", columns[0], columns[1]))
		c.edit("crd.yaml", 2, fmt.Sprintf("20:%d-20:%d object", columns[0], columns[1]))
		c.diagnostics("crd.yaml")
	}
}

// TestLineEnds are those of the protocol: "\n", "\r\n" and "\r", and no other that YAML knows.
func TestLineEnds(t *testing.T) {
	t.Parallel()
	c := start(t, "{}")
	wrong := "\ufeff" + strings.ReplaceAll(changed(t, widgets, "Namespaced", "namespaced"), "\n", "\r\n")
	c.open("crd.yaml", wrong)
	c.diagnostics("crd.yaml", "11:9-11:19 error scope-invalid")
	c.edit("crd.yaml", 2, "4:0-4:0   annotations: {a: \"\u2028\"}\r\n")
	c.diagnostics("crd.yaml", "12:9-12:19 error scope-invalid")
	c.edit("crd.yaml", 3, "12:9-12:99 Namespaced") // beyond the line is its end
	c.diagnostics("crd.yaml")
}

// TestEditsOutOfOrder lose the text: nothing is said until the client sends all of it again.
func TestEditsOutOfOrder(t *testing.T) {
	t.Parallel()
	wrong := changed(t, widgets, "Namespaced", "namespaced")
	for name, edit := range map[string]func(c *client){
		"an older version":      func(c *client) { c.edit("crd.yaml", 1, "0:0-0:0 # x\n") },
		"behind the end":        func(c *client) { c.edit("crd.yaml", 6, "99:0-99:0 x") },
		"backwards":             func(c *client) { c.edit("crd.yaml", 6, "5:0-4:0 x") },
		"one of several, wrong": func(c *client) { c.edit("crd.yaml", 6, "0:0-0:0 # x\n", "99:0-99:0 x") },
	} {
		c := start(t, rich)
		c.openVersion("crd.yaml", 5, wrong)
		c.diagnostics("crd.yaml", "11:9-11:19 error scope-invalid")
		edit(c)
		c.await(name, func(m message) bool {
			return m.Method == "window/logMessage" && strings.Contains(string(m.Params), "crd.yaml")
		})
		c.diagnostics("crd.yaml")
		if answer := c.call("textDocument/hover", fmt.Sprintf(`{"textDocument": {"uri": %q}, "position": {"line": 11, "character": 9}}`, c.uri("crd.yaml"))); answer.Error == nil || answer.Error.Code != -32801 {
			t.Errorf("%s: %+v", name, answer)
		}
		if answer := c.call("textDocument/completion", fmt.Sprintf(`{"textDocument": {"uri": %q}, "position": {"line": 11, "character": 9}}`, c.uri("crd.yaml"))); answer.Error != nil || string(answer.Result) != "null" {
			t.Errorf("%s: completed by %+v", name, answer)
		}
		c.edit("crd.yaml", 7, "all "+wrong)
		c.diagnostics("crd.yaml", "11:9-11:19 error scope-invalid")
	}
	c := start(t, rich)
	c.edit("crd.yaml", 2, "0:0-0:0 x") // that is not open
	c.await("a word about it", func(m message) bool {
		return m.Method == "window/logMessage" && strings.Contains(string(m.Params), "is not open")
	})
	c.close("crd.yaml")
	c.open("crd.yaml", wrong)
	c.diagnostics("crd.yaml", "11:9-11:19 error scope-invalid")
}

// TestSeveralEdits are made one after the other, each in the text that those before it made.
func TestSeveralEdits(t *testing.T) {
	t.Parallel()
	c := start(t, "{}")
	c.open("crd.yaml", widgets)
	c.edit("crd.yaml", 2, "0:0-0:0 # one\n# two\n", "13:9-13:19 namespaced", "0:0-1:0 ")
	c.diagnostics("crd.yaml", "12:9-12:19 error scope-invalid")
	// The line after the last is the end for some clients.
	c.edit("crd.yaml", 3, fmt.Sprintf("%d:0-%d:0 # end\n", strings.Count(widgets, "\n")+2, strings.Count(widgets, "\n")+2))
	c.diagnostics("crd.yaml", "12:9-12:19 error scope-invalid")
}
