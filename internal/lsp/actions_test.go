package lsp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
)

// A clientAction is an action as a client reads it.
type clientAction struct {
	Title       string
	Kind        string
	IsPreferred bool
	Disabled    struct{ Reason string }
	Edit        *clientEdit
	Command     struct {
		Command   string
		Arguments []json.RawMessage
	}
	Data json.RawMessage
}

// A clientEdit is an edit as a client reads it.
type clientEdit struct {
	Changes         map[string][]clientTextEdit
	DocumentChanges []struct {
		Kind         string
		URI          string
		TextDocument struct {
			URI     string
			Version *int
		}
		Edits []clientTextEdit
	}
	ChangeAnnotations map[string]struct {
		Label, Description string
		NeedsConfirmation  bool
	}
}

type clientTextEdit struct {
	Range        struct{ Start, End place }
	NewText      string
	Snippet      struct{ Value string }
	AnnotationID string
}

// editor are the capabilities of a client that can carry out every edit.
const editor = `{
	"workspace": {"workspaceEdit": {"documentChanges": true, "resourceOperations": ["create"], "changeAnnotationSupport": {}, "snippetEditSupport": true}},
	"textDocument": {"codeAction": {"disabledSupport": true, "dataSupport": true, "resolveSupport": {"properties": ["edit"]}}}
}`

// actions asks for the actions at a range, "line:character-line:character", of a kind; "" for any.
func (c *client) actions(name, at, only string) (all []clientAction) {
	c.Helper()
	var a, b, d, e int
	if n, _ := fmt.Sscanf(at, "%d:%d-%d:%d", &a, &b, &d, &e); n != 4 {
		c.Fatalf("%q is no range", at)
	}
	context := `{"diagnostics": []}`
	if only != "" {
		context = fmt.Sprintf(`{"diagnostics": [], "only": [%q]}`, only)
	}
	answer := c.call("textDocument/codeAction", fmt.Sprintf(
		`{"textDocument": {"uri": %q}, "range": {"start": {"line": %d, "character": %d}, "end": {"line": %d, "character": %d}}, "context": %s}`, c.uri(name), a, b, d, e, context))
	if answer.Error != nil {
		c.Fatalf("the actions of %s: %+v", name, answer.Error)
	}
	if err := json.Unmarshal(answer.Result, &all); err != nil {
		c.Fatal(err)
	}
	return all
}

// choose carries out the action of a title among some, and returns the text of a document after it.
func (c *client) choose(all []clientAction, title, name, text string) string {
	c.Helper()
	return c.apply(c.chosen(all, title).Edit, name, text)
}

// chosen is the action of a title, resolved.
func (c *client) chosen(all []clientAction, title string) clientAction {
	c.Helper()
	i := slices.IndexFunc(all, func(a clientAction) bool { return a.Title == title })
	if i < 0 {
		c.Fatalf("there is no action %q, only %q", title, titles(all))
	}
	one := all[i]
	if one.Edit == nil && len(one.Data) > 0 {
		answer := c.call("codeAction/resolve", fmt.Sprintf(`{"title": %q, "data": %s}`, one.Title, one.Data))
		if answer.Error != nil {
			c.Fatalf("%s: %+v", title, answer.Error)
		}
		if err := json.Unmarshal(answer.Result, &one); err != nil {
			c.Fatal(err)
		}
	}
	return one
}

func titles(all []clientAction) (titles []string) {
	for _, a := range all {
		titles = append(titles, a.Title)
	}
	return titles
}

// apply is the text of a document after an edit.
func (c *client) apply(e *clientEdit, name, text string) string {
	c.Helper()
	if e == nil {
		c.Fatal("there is no edit")
	}
	edits := e.Changes[c.uri(name)]
	for _, one := range e.DocumentChanges {
		if one.TextDocument.URI == c.uri(name) {
			edits = append(edits, one.Edits...)
		}
	}
	if len(edits) == 0 {
		c.Fatalf("there are no edits of %s: %+v", name, e)
	}
	m := newMapper([]byte(text), protocol.PositionEncodingKindUTF16)
	for _, one := range slices.Backward(edits) {
		start, _ := m.positionOffset(protocol.Position{Line: uint32(one.Range.Start.Line), Character: uint32(one.Range.Start.Character)})
		end, _ := m.positionOffset(protocol.Position{Line: uint32(one.Range.End.Line), Character: uint32(one.Range.End.Character)})
		text = text[:start] + one.NewText + one.Snippet.Value + text[end:]
	}
	return text
}

// changed is a text with one part of it replaced.
func changed(t testing.TB, text, old, new string) string {
	t.Helper()
	if strings.Count(text, old) != 1 {
		t.Fatalf("%q is there %d times", old, strings.Count(text, old))
	}
	return strings.Replace(text, old, new, 1)
}

// TestFixes fixes one finding, those of a rule, and all, in clients that can do little and much.
func TestFixes(t *testing.T) {
	t.Parallel()
	wrong := changed(t, widgets, "Namespaced", "namespaced")
	for _, capabilities := range []string{"{}", editor} {
		c := start(t, capabilities)
		c.open("crd.yaml", wrong)
		all := c.actions("crd.yaml", "11:9-11:9", "")
		if !slices.Equal(titles(all), []string{`Set scope to Namespaced`, "Fix all safe problems in this file", "Ignore scope-invalid here"}) || !all[0].IsPreferred || all[0].Kind != "quickfix" {
			t.Errorf("%+v", all)
		}
		if got := c.choose(all, `Set scope to Namespaced`, "crd.yaml", wrong); got != widgets {
			t.Errorf("fixed: %s", got)
		}
		all = c.actions("crd.yaml", "0:0-0:0", "source.fixAll")
		if len(all) != 1 || all[0].Kind != "source.fixAll.crdlift" {
			t.Errorf("%+v", all)
		}
		if got := c.choose(all, "Fix all safe problems in this file", "crd.yaml", wrong); got != widgets {
			t.Errorf("all fixed: %s", got)
		}
		if all := c.actions("crd.yaml", "3:0-3:1", "quickfix"); len(all) > 0 {
			t.Errorf("elsewhere there are %q", titles(all))
		}
	}
}

// TestUnsafeFixes asks before a fix is made that may not be what is meant.
func TestUnsafeFixes(t *testing.T) {
	t.Parallel()
	wrong := changed(t, widgets, "type: integer\n                maximum: 10\n", "enum: [a, b]\n              other:\n                enum: [1, 2]\n")
	c := start(t, editor)
	c.open("crd.yaml", wrong)
	all := c.actions("crd.yaml", "0:0-40:0", "quickfix")
	i := slices.IndexFunc(all, func(a clientAction) bool { return strings.HasSuffix(a.Title, "(unsafe)") })
	if i < 0 {
		t.Fatalf("none of %q is unsafe", titles(all))
	}
	edit := c.chosen(all, all[i].Title).Edit
	if a := edit.ChangeAnnotations["crdlift"]; !a.NeedsConfirmation || a.Label != "Unsafe fixes" || edit.DocumentChanges[0].Edits[0].AnnotationID != "crdlift" || all[i].IsPreferred {
		t.Errorf("%+v", edit)
	}
	rule := "Fix all schema-type-missing problems in this file (unsafe)"
	if got := c.choose(all, rule, "crd.yaml", wrong); strings.Count(got, "type: string")+strings.Count(got, "type: integer") != 2 {
		t.Errorf("%s", got)
	}
}

// TestStaleActions are rejected: those for a text that has changed, and those that do nothing.
func TestStaleActions(t *testing.T) {
	t.Parallel()
	c := start(t, editor)
	c.open("crd.yaml", changed(t, widgets, "Namespaced", "namespaced"))
	all := c.actions("crd.yaml", "11:9-11:9", "quickfix")
	c.edit("crd.yaml", 2, "0:0-0:0 # more\n")
	answer := c.call("codeAction/resolve", fmt.Sprintf(`{"title": "x", "data": %s}`, all[0].Data))
	if answer.Error == nil || answer.Error.Code != -32801 {
		t.Errorf("of another text: %+v", answer.Error)
	}
	if answer := c.call("codeAction/resolve", `{"title": "x", "data": 12}`); answer.Error == nil {
		t.Error("an order that is none was carried out")
	}
	if all := c.actions("nowhere.yaml", "0:0-0:0", ""); len(all) > 0 {
		t.Errorf("of a file that is not open: %q", titles(all))
	}
}

// TestIgnores ignores findings with a reason that the user gives in the text, or is asked for.
func TestIgnores(t *testing.T) {
	t.Parallel()
	wrong := changed(t, widgets, "Namespaced", "namespaced")
	const title = "Ignore scope-invalid here"
	c := start(t, editor)
	c.open("crd.yaml", wrong)
	got := c.choose(c.actions("crd.yaml", "11:9-11:9", ""), title, "crd.yaml", wrong)
	if want := changed(t, wrong, "  scope:", "  # crdlift:ignore scope-invalid -- ${1:why this is right here}\n  scope:"); got != want {
		t.Errorf("as a snippet: %s", got)
	}
	c = start(t, "{}")
	c.open("crd.yaml", wrong)
	got = c.choose(c.actions("crd.yaml", "11:9-11:9", ""), title, "crd.yaml", wrong)
	if want := changed(t, wrong, "  scope:", "  # crdlift:ignore scope-invalid -- why this is right here\n  scope:"); got != want {
		t.Errorf("as text: %s", got)
	}
	c.edit("crd.yaml", 2, "all "+got) // nobody is fooled by the words
	c.diagnostics("crd.yaml", "11:2-11:58 warning ignore-reason-missing")
	c.edit("crd.yaml", 3, "all "+changed(t, got, "why this is right here", "an old cluster"))
	c.diagnostics("crd.yaml")

	c = start(t, `{"experimental": {"crdliftPrompt": true}}`)
	c.open("crd.yaml", wrong)
	one := c.chosen(c.actions("crd.yaml", "11:9-11:9", ""), title)
	if one.Command.Command != "crdlift.ignoreWithReason" || one.Edit != nil || len(one.Command.Arguments) != 1 {
		t.Fatalf("%+v", one)
	}
	argument := strings.TrimSuffix(string(one.Command.Arguments[0]), "}") + `, "reason": "an old\ncluster"}`
	id := c.request("workspace/executeCommand", fmt.Sprintf(`{"command": "crdlift.ignore", "arguments": [%s]}`, argument))
	asked := c.await("an edit", func(m message) bool { return m.Method == "workspace/applyEdit" })
	var params struct{ Edit *clientEdit }
	if err := json.Unmarshal(asked.Params, &params); err != nil {
		t.Fatal(err)
	}
	if got := c.apply(params.Edit, "crd.yaml", wrong); got != changed(t, wrong, "  scope:", "  # crdlift:ignore scope-invalid -- an old cluster\n  scope:") {
		t.Errorf("asked: %s", got)
	}
	if answer := c.answer(id); answer.Error != nil {
		t.Errorf("%+v", answer.Error)
	}
}

// TestIgnoresInConfiguration ignores findings where a comment cannot be, or would not stay.
func TestIgnoresInConfiguration(t *testing.T) {
	t.Parallel()
	manifest := `{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "as.example.com"},
"spec": {"group": "example.com", "scope": "none", "names": {"kind": "A", "plural": "as"},
"versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {"type": "object"}}}]}}
`
	const title = "Ignore scope-invalid here, in .crdlift.yaml"
	const entry = `  - rule: scope-invalid
    crd: as.example.com
    path: spec.scope
    file: crds/a.json
    reason: why this is right here
`
	for _, test := range []struct{ before, after string }{
		{"", "ignore:\n" + entry},
		{"preset: all\r\n", "preset: all\r\nignore:\r\n" + strings.ReplaceAll(entry, "\n", "\r\n")},
		{"preset: all # for now", "preset: all # for now\nignore:\n" + entry},
		{"ignore:\n  # The first.\n  - rule: schema-float\n    reason: measured\npreset: all\n", "ignore:\n  # The first.\n  - rule: schema-float\n    reason: measured\n" + entry + "preset: all\n"},
	} {
		var files []string
		if test.before != "" {
			files = []string{".crdlift.yaml", test.before}
		}
		c := start(t, editor, files...)
		c.open("crds/a.json", manifest)
		one := c.chosen(c.actions("crds/a.json", "1:40-1:45", ""), title)
		if got := c.apply(one.Edit, ".crdlift.yaml", test.before); got != test.after {
			t.Errorf("%q became\n%s", test.before, got)
		}
		if creates := one.Edit.DocumentChanges[0].Kind == "create"; creates != (test.before == "") {
			t.Errorf("%q: creates the file: %v", test.before, creates)
		}
	}
}

const old = `apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com # the name
spec:
  group: example.com
  names: {kind: Widget, plural: widgets}
  scope: Namespaced
  version: v1
`

// TestConversion converts the document that the cursor is in, and no other.
func TestConversion(t *testing.T) {
	t.Parallel()
	two := old + "---\n" + strings.ReplaceAll(old, "idget", "adget")
	c := start(t, editor)
	c.open("crd.yaml", two)
	all := c.actions("crd.yaml", "14:0-14:0", "refactor.rewrite")
	if len(all) != 1 || all[0].Kind != "refactor.rewrite.crdlift" {
		t.Fatalf("%+v", all)
	}
	got := c.choose(all, "Convert this document to apiextensions.k8s.io/v1", "crd.yaml", two)
	if !strings.HasPrefix(got, old+"---\napiVersion: apiextensions.k8s.io/v1\n") || !strings.Contains(got, "name: wadgets.example.com # the name\n") {
		t.Errorf("%s", got)
	}
	if a := all[0].Edit.ChangeAnnotations["crdlift"]; !a.NeedsConfirmation || a.Label != "Convert to apiextensions.k8s.io/v1" {
		t.Errorf("%+v", a)
	}
	c.open("new.yaml", widgets)
	if all := c.actions("new.yaml", "0:0-0:0", "refactor.rewrite"); len(all) > 0 {
		t.Errorf("v1 has %q", titles(all))
	}
	// A document has its own first line, and not the end of another.
	for at, want := range map[string]int{"9:3-9:3": 1, "10:0-10:0": 1, "40:0-40:0": 1} {
		if all := c.actions("crd.yaml", at, "refactor.rewrite"); len(all) != want {
			t.Errorf("%s has %q", at, titles(all))
		}
	}
	c.open("mixed.yaml", widgets+"---\n"+old)
	for at, want := range map[string]int{"0:0-0:0": 0, "24:0-24:0": 0, "26:0-26:0": 1} {
		if all := c.actions("mixed.yaml", at, "refactor.rewrite"); len(all) != want {
			t.Errorf("%s of two versions has %q", at, titles(all))
		}
	}
	c.open("stuck.yaml", changed(t, old, "  group: example.com\n", ""))
	if all := c.actions("stuck.yaml", "0:0-0:0", "refactor.rewrite"); len(all) != 1 || all[0].Disabled.Reason == "" || all[0].Edit != nil {
		t.Errorf("%+v", all)
	}
}

// TestNearActions are those on the finding at the cursor alone, and where there is none, on all in the line.
func TestNearActions(t *testing.T) {
	t.Parallel()
	text := changed(t, widgets, "  scope: Namespaced\n  versions:\n  - name: v1\n    served: true\n", "  scope: namespaced\n  versions:\n  - {name: v1, servd: true,\n    ")
	text = changed(t, text, "    storage: true\n", "storge: true,\n")
	text = changed(t, text, "    schema:\n      openAPIV3Schema:\n", "    schema: {openAPIV3Schema: {type: object}}}\n")
	text = text[:strings.Index(text, "        type: object\n")]
	c := start(t, editor)
	c.open("crd.yaml", text)
	count := func(at string) (fixes int) {
		for _, a := range c.actions("crd.yaml", at, "quickfix") {
			if !strings.HasPrefix(a.Title, "Ignore") && !strings.HasPrefix(a.Title, "Fix all") {
				fixes++
			}
		}
		return fixes
	}
	all := count("0:0-20:0")
	if at, line := count("13:16-13:16"), count("13:0-13:0"); at != 1 || line < at || all <= line {
		t.Errorf("at the finding %d, in its line %d, in all %d: %q", at, line, all, titles(c.actions("crd.yaml", "0:0-20:0", "quickfix")))
	}
}

// TestFixAllButOne has eleven findings to fix, of which one cannot be: its fix would lose an anchor that others use. The other ten are
// made.
func TestFixAllButOne(t *testing.T) {
	t.Parallel()
	var fields strings.Builder
	for i := range 10 {
		fmt.Fprintf(&fields, "  wrong%d: %d\n", i, i)
	}
	text := "apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: one\nspec:\n" + fields.String() + "  wrong: &a 3\n  size: *a\n"
	want := "apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: one\nspec:\n  wrong: &a 3\n  size: *a\n"
	c := start(t, editor, "crd.yaml", widgets)
	c.scanned()
	c.open("one.yaml", text)
	if got := c.choose(c.actions("one.yaml", "5:0-5:0", ""), "Fix all safe problems in this file", "one.yaml", text); got != want {
		t.Errorf("all: %s", got)
	}
	if got := c.choose(c.actions("one.yaml", "5:0-5:0", ""), "Fix all object-unknown-field problems in this file", "one.yaml", text); got != want {
		t.Errorf("those of the rule: %s", got)
	}
}
