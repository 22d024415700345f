package lsp

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// markdown are the capabilities of a client that shows Markdown.
const markdown = `{"textDocument": {
	"hover": {"contentFormat": ["markdown", "plaintext"]},
	"completion": {"completionItem": {"documentationFormat": ["markdown"]}}
}}`

// A clientHover is a hover as a client reads it.
type clientHover struct {
	Contents struct{ Kind, Value string }
	Range    *struct{ Start, End place }
}

// hover asks what is shown at a position; nil for nothing.
func (c *client) hover(name string, line, character int) *clientHover {
	c.Helper()
	answer := c.call("textDocument/hover", fmt.Sprintf(`{"textDocument": {"uri": %q}, "position": {"line": %d, "character": %d}}`, c.uri(name), line, character))
	if answer.Error != nil {
		c.Fatalf("%+v", answer.Error)
	}
	var got *clientHover
	if err := json.Unmarshal(answer.Result, &got); err != nil {
		c.Fatal(err)
	}
	return got
}

// TestHover shows the page of a rule where it has a finding, and everywhere what is written there.
func TestHover(t *testing.T) {
	t.Parallel()
	wrong := changed(t, widgets, "Namespaced", "namespaced")
	c := start(t, markdown)
	c.open("crd.yaml", wrong)
	c.diagnostics("crd.yaml", "11:9-11:19 error scope-invalid")
	got := c.hover("crd.yaml", 11, 12)
	if got == nil || got.Contents.Kind != "markdown" || got.Range != nil { // there is none that is that of both
		t.Fatalf("%+v", got)
	}
	for _, want := range []string{"**scope-invalid** ([page](https://crdlift.github.io/crdlift/rules/scope-invalid))", "Reports CRDs whose scope", "**What to do**: write `scope: Namespaced`", "**scope** string, required"} {
		if !strings.Contains(got.Contents.Value, want) {
			t.Errorf("%q is not in %s", want, got.Contents.Value)
		}
	}
	if got := c.hover("crd.yaml", 3, 4); got == nil || !strings.HasPrefix(got.Contents.Value, "**name** string") || got.Range == nil || got.Range.Start != (place{3, 2}) || got.Range.End != (place{3, 6}) {
		t.Errorf("where nothing is wrong: %+v", got)
	}
	c = start(t, "{}")
	c.open("crd.yaml", wrong)
	c.diagnostics("crd.yaml", "11:9-11:19 error scope-invalid")
	if got := c.hover("crd.yaml", 11, 12); got.Contents.Kind != "plaintext" || strings.Contains(got.Contents.Value, "**") {
		t.Errorf("without Markdown: %+v", got)
	}
}

// TestHoverOfConfiguration says what keys are for, and what rules report.
func TestHoverOfConfiguration(t *testing.T) {
	t.Parallel()
	c := start(t, markdown)
	c.open(".crdlift.yaml", "preset: all # for now\nrules:\n  schema-float: off\nignore:\n- {rule: scope-invalid, reason: old}\n")
	for _, test := range []struct {
		line, character int
		want            string
	}{
		{0, 2, "The rules to run."},
		{0, 10, "One of `recommended`, `all`."},
		{2, 5, "**schema-float** ([page]"},
		{2, 17, "One of `off`"},
		{4, 10, "**scope-invalid** ([page]"},
		{4, 34, "Why the finding is acceptable."},
		{0, 20, ""},
	} {
		got := c.hover(".crdlift.yaml", test.line, test.character)
		if (got == nil) != (test.want == "") || got != nil && !strings.Contains(got.Contents.Value, test.want) {
			t.Errorf("%d:%d: %+v", test.line, test.character, got)
		}
	}
}

// An item is what completes a text, as a client reads it.
type item struct {
	Label, Detail, SortText string
	InsertTextFormat        int
	InsertTextMode          int
	Tags                    []int
	Deprecated              bool
	TextEdit                clientTextEdit
	Documentation           doc
}

// A doc is a text with its format.
type doc struct{ Kind, Value string }

// complete asks for what completes a text at a position.
func (c *client) complete(name string, line, character int) (all []item) {
	c.Helper()
	answer := c.call("textDocument/completion", fmt.Sprintf(`{"textDocument": {"uri": %q}, "position": {"line": %d, "character": %d}}`, c.uri(name), line, character))
	if answer.Error != nil {
		c.Fatalf("%+v", answer.Error)
	}
	if err := json.Unmarshal(answer.Result, &all); err != nil {
		c.Fatal(err)
	}
	return all
}

// TestCompletion offers keys, values and rules where they belong, and replaces what is typed of them.
func TestCompletion(t *testing.T) {
	t.Parallel()
	c := start(t, markdown)
	text := "pre\nrules:\n  sch\nfailOn: \n"
	c.open(".crdlift.yaml", text)
	for _, test := range []struct {
		line, character   int
		label, doc, after string
	}{
		{0, 3, "preset", "Each preset includes", "preset: \nrules:\n  sch\nfailOn: \n"},
		{2, 5, "schema-float", "Reports ", "pre\nrules:\n  schema-float: \nfailOn: \n"},
		{3, 8, "warning", "", "pre\nrules:\n  sch\nfailOn: warning\n"},
	} {
		// One line at a time is unfinished.
		now := strings.Split(text, "\n")
		for i, finished := range []string{"preset: all", "", "  schema-float: off", "failOn: info"} {
			if i != test.line && finished != "" {
				now[i] = finished
			}
		}
		c.edit(".crdlift.yaml", test.line+2, "all "+strings.Join(now, "\n"))
		all := c.complete(".crdlift.yaml", test.line, test.character)
		i := slices.IndexFunc(all, func(one item) bool { return one.Label == test.label })
		if i < 0 {
			t.Errorf("%d:%d: %+v", test.line, test.character, all)
			continue
		}
		if one := all[i]; !strings.Contains(one.Documentation.Value, test.doc) || test.doc != "" && one.Documentation.Kind != "markdown" {
			t.Errorf("%+v", one)
		}
		edit := all[i].TextEdit
		line := now[test.line]
		now[test.line] = line[:edit.Range.Start.Character] + edit.NewText + line[edit.Range.End.Character:]
		if want := strings.Split(test.after, "\n")[test.line]; now[test.line] != want {
			t.Errorf("%s became %q, not %q", test.label, now[test.line], want)
		}
	}
	c.open("crd.yaml", changed(t, widgets, "  scope: Namespaced", "  # crdlift:ignore sc\n  scope: namespaced"))
	all := c.complete("crd.yaml", 11, 21)
	i := slices.IndexFunc(all, func(one item) bool { return one.Label == "scope-invalid" })
	if i < 0 || all[i].TextEdit.NewText != "scope-invalid" || all[i].TextEdit.Range.Start != (place{11, 19}) {
		t.Errorf("in a comment: %+v", all)
	}
	if all := c.complete("crd.yaml", 12, 9); len(all) != 2 || all[0].Label != "Namespaced" || all[1].Label != "Cluster" {
		t.Errorf("in a manifest: %+v", all)
	}
}

// TestCompletionOfObjects offers the fields of the CRD as it is typed, in the form that the client can show and write.
func TestCompletionOfObjects(t *testing.T) {
	t.Parallel()
	typed := changed(t, widgets, "              size:", "              shape:\n                description: \"Deprecated: **not** used.\"\n                type: object\n                required: [round]\n                properties: {round: {type: boolean}}\n              size:")
	for _, test := range []struct {
		name, item string
		written    []item
	}{
		{"everything", `{"snippetSupport": true, "documentationFormat": ["markdown"], "tagSupport": {"valueSet": [1]}, "insertTextModeSupport": {"valueSet": [1, 2]}}`, []item{
			{Label: "size", Detail: "integer, at most 10", InsertTextFormat: 2, InsertTextMode: 2, TextEdit: clientTextEdit{NewText: "size: ${1}"}},
			{Label: "shape", Detail: "object", InsertTextFormat: 2, InsertTextMode: 2, Tags: []int{1}, TextEdit: clientTextEdit{NewText: "shape:\n  round: ${1|true,false|}"}, Documentation: doc{"markdown", "Deprecated: **not** used."}},
		}},
		{"nothing", `{}`, []item{
			{Label: "size", Detail: "integer, at most 10", InsertTextFormat: 1, TextEdit: clientTextEdit{NewText: "size: "}},
			{Label: "shape", Detail: "object", InsertTextFormat: 1, TextEdit: clientTextEdit{NewText: "shape:\n    "}, Documentation: doc{"plaintext", "Deprecated: not used."}},
		}},
		{"old", `{"deprecatedSupport": true}`, []item{
			{Label: "size", Detail: "integer, at most 10", InsertTextFormat: 1, TextEdit: clientTextEdit{NewText: "size: "}},
			{Label: "shape", Detail: "object", InsertTextFormat: 1, Deprecated: true, TextEdit: clientTextEdit{NewText: "shape:\n    "}, Documentation: doc{"plaintext", "Deprecated: not used."}},
		}},
	} {
		c := start(t, `{"textDocument": {"completion": {"completionItem": `+test.item+`}}}`)
		c.open("crd.yaml", typed)
		c.diagnostics("crd.yaml")
		c.open("one.yaml", "apiVersion: example.com/v1\nkind: Widget\nspec:\n  s")
		got := c.complete("one.yaml", 3, 3)
		for i := range got {
			if got[i].TextEdit.Range.Start != (place{3, 2}) || got[i].TextEdit.Range.End != (place{3, 3}) {
				t.Errorf("%s: %+v", test.name, got[i].TextEdit)
			}
			got[i].TextEdit.Range, got[i].SortText = test.written[0].TextEdit.Range, ""
		}
		if !reflect.DeepEqual(got, test.written) {
			t.Errorf("%s:\n%+v\nwant\n%+v", test.name, got, test.written)
		}
	}
}

// TestFieldsOff leaves fields to another server.
func TestFieldsOff(t *testing.T) {
	t.Parallel()
	c := start(t, markdown)
	c.open("crd.yaml", widgets)
	c.diagnostics("crd.yaml")
	c.open("one.yaml", changed(t, widget, "size: 3", "s"))
	if got := c.complete("one.yaml", 5, 3); len(got) != 1 {
		t.Errorf("before: %+v", got)
	}
	c.notify("workspace/didChangeConfiguration", `{"settings": {"crdlift": {"fields": "off"}}}`)
	if got := c.complete("one.yaml", 5, 3); len(got) > 0 {
		t.Errorf("after: %+v", got)
	}
	if got := c.hover("one.yaml", 1, 7); got != nil {
		t.Errorf("after: %+v", got)
	}
}

// TestHoverOfObjects shows the finding and the field.
func TestHoverOfObjects(t *testing.T) {
	t.Parallel()
	c := start(t, markdown)
	c.open("crd.yaml", widgets)
	c.diagnostics("crd.yaml")
	c.open("one.yaml", changed(t, widget, "size: 3", "size: 11 # 😀"))
	c.published("one.yaml", func(p clientDiagnostics) bool {
		return len(p.Diagnostics) == 1 && p.Diagnostics[0].Code == "object-constraint"
	})
	for _, test := range []struct {
		line, character int
		want            []string
	}{
		{5, 3, []string{"**spec.size** integer, at most 10"}},
		{5, 9, []string{"Reports ", "**spec.size** integer, at most 10"}},
		{1, 7, []string{"**Widget** object"}},
	} {
		got := c.hover("one.yaml", test.line, test.character)
		for _, want := range test.want {
			if got == nil || !strings.Contains(got.Contents.Value, want) {
				t.Errorf("%d:%d: %+v, not %q", test.line, test.character, got, want)
			}
		}
	}
	if got := c.hover("one.yaml", 5, 14); got != nil {
		t.Errorf("in a comment: %+v", got)
	}
}
