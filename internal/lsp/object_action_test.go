package lsp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// defaulting is a CRD with defaults.
var defaulting = strings.Replace(widgets, "                maximum: 10\n", "                maximum: 10\n                default: 3\n              color:\n                type: string\n                default: red\n", 1)

// The titles of actions on custom resources.
const (
	writeDefaults = "Write the defaults the server adds"
	removeDropped = "Remove what the server drops"
	showsStored   = "Show what the server stores"
)

// TestObjectActions writes what a server adds and removes what it drops, in the document at the cursor, and nothing else.
func TestObjectActions(t *testing.T) {
	t.Parallel()
	const head = "apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: one # the name\n"
	for _, test := range []struct {
		name, before      string
		defaults, dropped string // the texts after the actions; "" where one is not offered
		stored            bool
	}{
		{"both", head + "spec:\n  # as it is\n  size: 4 # four\n  wrong: 1 # gone\n",
			head + "spec:\n  color: red\n  # as it is\n  size: 4 # four\n  wrong: 1 # gone\n", head + "spec:\n  # as it is\n  size: 4 # four\n  # gone\n", true},
		{"flow style", head + "spec: {size: 4, wrong: 1}\n", head + "spec: {color: red, size: 4, wrong: 1}\n", head + "spec: {size: 4}\n", true},
		{"neither", head + "spec: {size: 4, color: blue}\n", "", "", true},
		{"metadata that only a server writes", head + "  generation: 2\n  selfLink: /a\nspec: {size: 4, color: blue}\n", "", head + "spec: {size: 4, color: blue}\n", true},
		{"null", head + "spec: {size: 4, color: null, more: null}\n", head + "spec: {size: 4, color: red, more: null}\n", head + "spec: {size: 4}\n", true},
		{"what may be misspelt", head + "spec: {size: 4, colour: blue}\n", head + "spec: {size: 4, colour: blue, color: red}\n", "", true},
		{"what is rejected", head + "spec: {size: 40, wrong: 1}\n", "", head + "spec: {size: 40}\n", false},
		{"JSON", `{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "one"}, "spec": {"size": 4, "wrong": 1}}` + "\n",
			`{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "one"}, "spec": {"color": "red", "size": 4, "wrong": 1}}` + "\n",
			`{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "one"}, "spec": {"size": 4}}` + "\n", true},
		{"another kind", "apiVersion: example.net/v1\nkind: Widget\nmetadata: {name: one}\nspec: {}\n", "", "", false},
		{"one of Kubernetes", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one}\n", "", "", false},
		{"no object", "a: 1\n", "", "", false},
		{"what does not parse", head + "spec: {\n", "", "", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, more := range []string{"", "---\n" + head + "spec: {size: 2, other: 1}\n"} {
				if more != "" && strings.HasPrefix(test.before, "{") {
					continue
				}
				c := start(t, editor, "crd.yaml", defaulting)
				c.scanned()
				c.open("one.yaml", test.before+more)
				all := c.actions("one.yaml", "0:0-0:0", "refactor.object")
				for title, want := range map[string]string{writeDefaults: test.defaults, removeDropped: test.dropped} {
					if want == "" {
						if slices.Contains(titles(all), title) {
							t.Errorf("%q is offered: %s", title, c.choose(all, title, "one.yaml", test.before+more))
						}
					} else if got := c.choose(all, title, "one.yaml", test.before+more); got != want+more {
						t.Errorf("%q: %s", title, got)
					}
				}
				if slices.Contains(titles(all), showsStored) != test.stored {
					t.Errorf("%q", titles(all))
				}
			}
		})
	}
}

// TestObjectActionsOnRequest are not made for a light bulb, nor for those who ask for another kind, and come before those that ignore.
func TestObjectActionsOnRequest(t *testing.T) {
	t.Parallel()
	c := start(t, editor, "crd.yaml", defaulting)
	c.scanned()
	c.open("one.yaml", strings.Replace(widget, "size", "wrong", 1))
	want := []string{"Remove spec.wrong", "Fix all safe problems in this file", writeDefaults, removeDropped, showsStored, "Ignore object-unknown-field here"}
	if got := titles(c.actions("one.yaml", "5:0-5:0", "")); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	for context, want := range map[string]int{`"only": ["quickfix"]`: 0, `"only": ["refactor.rewrite"]`: 0, `"only": ["refactor"]`: 3, `"triggerKind": 2`: 0, `"triggerKind": 1`: 3} {
		answer := c.call("textDocument/codeAction", fmt.Sprintf(
			`{"textDocument": {"uri": %q}, "range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}, "context": {"diagnostics": [], %s}}`, c.uri("one.yaml"), context))
		if n := strings.Count(string(answer.Result), "refactor.object.crdlift"); n != want {
			t.Errorf("%s: %d, want %d", context, n, want)
		}
	}
}

// TestShowStored shows what a server stores: as a message, or as a text for a client that has a view for it.
func TestShowStored(t *testing.T) {
	t.Parallel()
	stored := strings.TrimSuffix(widget, "  size: 3\n") + "  size: 3\n  color: red\n"
	for _, capabilities := range []string{"{}", `{"experimental": {"crdliftShow": true}}`} {
		shows := strings.Contains(capabilities, "Show")
		c := start(t, capabilities, "crd.yaml", defaulting)
		c.scanned()
		c.open("one.yaml", changed(t, widget, "one", "zero")+"---\n"+strings.Replace(widget, "size: 3", "{}", 1))
		one := c.chosen(c.actions("one.yaml", "8:0-8:0", "refactor"), showsStored)
		if want := map[bool]string{true: "crdlift.showStored", false: "crdlift.stored"}[shows]; one.Command.Command != want {
			t.Errorf("%s: the command is %s", capabilities, one.Command.Command)
		}
		answer := c.call("workspace/executeCommand", fmt.Sprintf(`{"command": "crdlift.stored", "arguments": [%s]}`, one.Command.Arguments[0]))
		var text string
		if shows {
			_ = json.Unmarshal(answer.Result, &text)
		} else {
			message := c.await("a message", func(m message) bool { return m.Method == "window/showMessage" })
			var params struct{ Message string }
			_ = json.Unmarshal(message.Params, &params)
			text = strings.TrimPrefix(params.Message, "The server stores\n") + "\n"
		}
		for _, line := range strings.Split(stored, "\n")[:5] {
			if !strings.Contains(text, line+"\n") {
				t.Errorf("%s: %q lacks %q", capabilities, text, line)
			}
		}
		if !strings.Contains(text, "color: red") || strings.Contains(text, "zero") || !strings.Contains(text, "size: 3") {
			t.Errorf("%s: %q", capabilities, text)
		}
		c.open("none.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")
		for _, argument := range []string{`12`, fmt.Sprintf(`{"uri": %q}`, c.uri("nowhere.yaml")), fmt.Sprintf(`{"uri": %q}`, c.uri("none.yaml"))} {
			if answer := c.call("workspace/executeCommand", fmt.Sprintf(`{"command": "crdlift.stored", "arguments": [%s]}`, argument)); answer.Error == nil {
				t.Errorf("%s was carried out", argument)
			}
		}
	}
}

// TestSample writes a custom resource of a CRD beside it, for clients that make files.
func TestSample(t *testing.T) {
	t.Parallel()
	const title = "Make a sample of this kind"
	required := changed(t, widgets, "        properties:\n          spec:\n", "        required: [spec]\n        properties:\n          spec:\n")
	required = changed(t, required, "            type: object\n            properties:\n              size:\n", "            type: object\n            required: [size]\n            properties:\n              size:\n                description: How large it is.\n")
	want := "apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: widget-sample\nspec:\n  # How large it is.\n  size: 2\n"
	for _, test := range []struct{ name, text, at, file, want string }{
		{"a CRD", strings.Replace(required, "required: [size]", "required: [size]\n            # nothing", 1), "0:0-0:0", "crds/widget-sample.yaml", want},
		{"anywhere above its versions", required, "11:0-11:0", "crds/widget-sample.yaml", want},
		{"above it", "# a comment\n" + required, "0:0-0:0", "crds/widget-sample.yaml", want},
		{"the second one", required + "---\n" + strings.ReplaceAll(required, "idget", "adget"), "40:0-40:0", "crds/wadget-sample.yaml", strings.ReplaceAll(want, "idget", "adget")},
		{"one of a list", "apiVersion: v1\nkind: List\nitems:\n- " + strings.ReplaceAll(strings.TrimSpace(required), "\n", "\n  ") + "\n- " +
			strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(required), "\n", "\n  "), "idget", "adget") + "\n", "12:0-12:0", "crds/widget-sample.yaml", want},
		{"the second one of a list", "apiVersion: v1\nkind: List\nitems:\n- " + strings.ReplaceAll(strings.TrimSpace(required), "\n", "\n  ") + "\n- " +
			strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(required), "\n", "\n  "), "idget", "adget") + "\n", "36:0-36:0", "crds/wadget-sample.yaml", strings.ReplaceAll(want, "idget", "adget")},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := start(t, editor)
			c.open("crds/crd.yaml", test.text)
			all := c.actions("crds/crd.yaml", test.at, "")
			edit := c.chosen(all, title).Edit
			if got := c.apply(edit, test.file, ""); got != test.want || edit.DocumentChanges[0].Kind != "create" {
				t.Errorf("%+v: %s", edit, got)
			}
		})
	}
	c := start(t, editor, "crds/widget-sample.yaml", "")
	for name, text := range map[string]string{"crds/crd.yaml": required, "a/none.yaml": widget, "a/other.yaml": strings.Replace(required, "apiextensions.k8s.io/v1", "example.net/v1", 1), "a/refused.yaml": changed(t, widgets, "maximum: 10", "maximum: ten")} {
		c.open(name, text)
		all := c.actions(name, "0:0-0:0", "refactor")
		i := slices.IndexFunc(all, func(a clientAction) bool { return a.Title == title })
		if i < 0 {
			continue
		}
		if answer := c.call("codeAction/resolve", fmt.Sprintf(`{"title": %q, "data": %s}`, title, all[i].Data)); answer.Error == nil {
			t.Errorf("%s: %s", name, answer.Result)
		}
	}
	if all := c.actions("crds/crd.yaml", "22:0-22:0", "refactor"); len(all) > 0 {
		t.Errorf("in its versions: %q", titles(all))
	}
	c.open("untitled:one", required)
	if all := c.actions("untitled:one", "0:0-0:0", "refactor"); len(all) > 0 {
		t.Errorf("of what is in no folder: %q", titles(all))
	}
	c = start(t, `{}`)
	c.open("crd.yaml", required)
	if all := c.actions("crd.yaml", "0:0-0:0", "refactor"); len(all) > 0 {
		t.Errorf("for a client that makes no files: %q", titles(all))
	}
}

// TestShowStoredInClear shows what somebody has open as it is: values of what may come from a cluster, and lines that end as on Windows.
func TestShowStoredInClear(t *testing.T) {
	t.Parallel()
	c := start(t, "{}", "crd.yaml", defaulting)
	c.scanned()
	c.open("one.yaml", "---\r\n"+strings.ReplaceAll(changed(t, widget, "  name: one\n", "  name: one\n  uid: u\n"), "\n", "\r\n"))
	one := c.chosen(c.actions("one.yaml", "3:0-3:0", "refactor"), showsStored)
	c.call("workspace/executeCommand", fmt.Sprintf(`{"command": "crdlift.stored", "arguments": [%s]}`, one.Command.Arguments[0]))
	shown := c.await("a message", func(m message) bool { return m.Method == "window/showMessage" })
	var params struct{ Message string }
	if err := json.Unmarshal(shown.Params, &params); err != nil {
		t.Fatal(err)
	}
	if want := "The server stores\napiVersion: example.com/v1\nkind: Widget\n"; !strings.HasPrefix(params.Message, want) || !strings.Contains(params.Message, "size: 3") {
		t.Errorf("%q", params.Message)
	}
}

// TestNoActionThatFails: what cannot be carried out is not offered.
func TestNoActionThatFails(t *testing.T) {
	t.Parallel()
	c := start(t, editor, "crds/widget-sample.yaml", "a: 1\n")
	c.open("crds/crd.yaml", widgets)
	if all := titles(c.actions("crds/crd.yaml", "0:0-0:0", "refactor")); len(all) > 0 {
		t.Errorf("there is a sample, and offered is %q", all)
	}
	c.open("one.yaml", widget+"  more: [\n")
	c.published("one.yaml", func(p clientDiagnostics) bool {
		return len(p.Diagnostics) == 1 && p.Diagnostics[0].Code == "yaml-syntax"
	})
	for line := range 8 {
		if all := titles(c.actions("one.yaml", fmt.Sprintf("%d:0-%d:0", line, line), "")); len(all) > 0 {
			t.Errorf("no comment is read in a text that does not parse, and offered is %q", all)
		}
	}
}
