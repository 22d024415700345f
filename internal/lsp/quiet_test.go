package lsp

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// settled waits until nothing waits to be judged, and returns what all was judged by that there is: after everything is to be judged
// anew, that is another one.
func (s *server) settled(t testing.TB) *generation {
	t.Helper()
	for begun := time.Now(); time.Since(begun) < patience; time.Sleep(time.Millisecond) {
		s.workspace.scanning.Lock() // no scan is under way
		idle := s.queue.length() == 0
		s.workspace.scanning.Unlock()
		if idle {
			return s.projects.now.Load()
		}
	}
	t.Fatal("there is always something to judge")
	return nil
}

// TestCRDsWhileTyping is about a CRD that takes longer to judge than to type on: what its versions in between change for custom
// resources is not lost.
func TestCRDsWhileTyping(t *testing.T) {
	t.Parallel()
	c := start(t, "{}", "one.yaml", strings.Replace(widget, "3", "30", 1))
	c.open("crd.yaml", strings.ReplaceAll(long(3000), "idget", "adget"))
	text := changed(t, long(3000), "                type: integer\n", "                type: integer\n                maximum: 10\n")
	c.edit("crd.yaml", 2, "all "+text)
	c.edit("crd.yaml", 3, "0:0-0:0 # typed on\n")
	c.diagnostics("one.yaml", "5:8-5:10 error object-constraint")
}

// TestTwoConfigurations are open at once, one of them in a folder below that of the other, and a third outside of the workspace.
// They do not have all files judged again and again.
func TestTwoConfigurations(t *testing.T) {
	t.Parallel()
	wrong := changed(t, widgets, "Namespaced", "namespaced")
	c := connect(t, "work/a.yaml", wrong, "work/below/b.yaml", strings.ReplaceAll(wrong, "idget", "adget"))
	c.initialize("{}", fmt.Sprintf(`"workspaceFolders": [{"uri": %q, "name": "work"}]`, c.uri("work")))
	c.open("work/.crdlift.yaml", "rules: {scope-invalid: warning}\n")
	c.open("work/below/.crdlift.yaml", "rules: {scope-invalid: info}\n")
	c.open("elsewhere/.crdlift.yaml", "presett: all\n")
	c.diagnostics("work/a.yaml", "11:9-11:19 warning scope-invalid")
	c.diagnostics("work/below/b.yaml", "11:9-11:19 info scope-invalid")
	c.diagnostics("elsewhere/.crdlift.yaml", "0:0-0:0 error configuration")
	c.call("textDocument/hover", fmt.Sprintf(`{"textDocument": {"uri": %q}, "position": {"line": 0, "character": 0}}`, c.uri("work/.crdlift.yaml")))
	before := c.server.settled(t)
	c.edit("work/.crdlift.yaml", 2, "0:0-0:0 # the same\n")
	c.call("textDocument/hover", fmt.Sprintf(`{"textDocument": {"uri": %q}, "position": {"line": 0, "character": 0}}`, c.uri("work/.crdlift.yaml")))
	if after := c.server.settled(t); after != before {
		t.Error("the configurations were read again, though they say the same")
	}
}

// TestEmptySettings are none, and those that are the same change nothing.
func TestEmptySettings(t *testing.T) {
	t.Parallel()
	c := connect(t, "crd.yaml", changed(t, widgets, "Namespaced", "namespaced"))
	c.initialize("{}", fmt.Sprintf(`"initializationOptions": {"preset": "all"}, "workspaceFolders": [{"uri": %q, "name": "w"}]`, c.uri(".")))
	isAll := func(p clientDiagnostics) bool {
		return slices.ContainsFunc(p.Diagnostics, func(d clientDiagnostic) bool { return d.Code == "schema-description-missing" })
	}
	c.published("crd.yaml", isAll)
	before := c.server.settled(t)
	for _, settings := range []string{`{}`, `{"crdlift": null}`, `{"yaml": {"schemas": {}}}`, `{"crdlift": {"preset": "all"}}`} {
		c.notify("workspace/didChangeConfiguration", fmt.Sprintf(`{"settings": %s}`, settings))
	}
	c.open("crd.yaml", changed(t, widgets, "Namespaced", "cluster"))
	c.published("crd.yaml", isAll)
	if after := c.server.settled(t); after != before {
		t.Error("all was judged again")
	}
}

// TestNewFiles that are saved are found without a watcher, and stay when they are closed.
func TestNewFiles(t *testing.T) {
	t.Parallel()
	c := start(t, "{}", "one.yaml", strings.Replace(widget, "3", "30", 1))
	c.open("crd.yaml", widgets)
	c.diagnostics("one.yaml", "5:8-5:10 error object-constraint")
	c.write("crd.yaml", widgets)
	c.notify("textDocument/didSave", fmt.Sprintf(`{"textDocument": {"uri": %q}}`, c.uri("crd.yaml")))
	c.call("textDocument/hover", fmt.Sprintf(`{"textDocument": {"uri": %q}, "position": {"line": 0, "character": 0}}`, c.uri("crd.yaml")))
	c.server.settled(t)
	c.close("crd.yaml")
	c.open("two.yaml", strings.Replace(widget, "3", "40", 1))
	c.diagnostics("two.yaml", "5:8-5:10 error object-constraint")
}

// TestBaseline is read again when it changes.
func TestBaseline(t *testing.T) {
	t.Parallel()
	c := start(t, rich, ".crdlift.yaml", "baseline: known.yaml\n", "known.yaml", "version: 1\nfiles: []\n", "crd.yaml", changed(t, widgets, "Namespaced", "namespaced"))
	c.diagnostics("crd.yaml", "11:9-11:19 error scope-invalid")
	c.write("known.yaml", "version: 1\nfiles:\n- path: crd.yaml\n  findings:\n  - {rule: scope-invalid, resource: widgets.example.com, path: spec.scope}\n")
	c.watched("known.yaml")
	c.diagnostics("crd.yaml")
}

// TestExtended: a file that the configuration extends is read again when it changes, and when what was wrong with it is gone.
func TestExtended(t *testing.T) {
	t.Parallel()
	const invalid = "11:9-11:19 error scope-invalid"
	c := start(t, rich, ".crdlift.yaml", "extends: policy/crds.yaml\n", "policy/crds.yaml", "rules: {scope-invalid: error}\n", "crd.yaml", changed(t, widgets, "Namespaced", "namespaced"))
	c.diagnostics("crd.yaml", invalid)
	c.write("policy/crds.yaml", "rules: {scope-invalid: off}\n")
	c.watched("policy/crds.yaml")
	c.diagnostics("crd.yaml")
	c.write("policy/crds.yaml", "rule: {}\n")
	c.watched("policy/crds.yaml")
	c.diagnostics(".crdlift.yaml", "0:0-0:0 error configuration")
	c.write("policy/crds.yaml", "rules: {scope-invalid: error}\n")
	c.watched("policy/crds.yaml")
	c.diagnostics("crd.yaml", invalid)
	c.diagnostics(".crdlift.yaml")
}

// TestPartialConversion says which CRDs of a document stay as they are.
func TestPartialConversion(t *testing.T) {
	t.Parallel()
	indented := func(text string) string {
		return "- " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n  ") + "\n"
	}
	list := "apiVersion: v1\nkind: List\nitems:\n" + indented(old) + indented(strings.ReplaceAll(changed(t, old, "  group: example.com\n", ""), "idget", "adget"))
	c := start(t, editor)
	c.open("list.yaml", list)
	all := c.actions("list.yaml", "0:0-0:0", "refactor.rewrite")
	if len(all) != 1 || all[0].Edit == nil {
		t.Fatalf("%+v", all)
	}
	if more := all[0].Edit.ChangeAnnotations["crdlift"].Description; !strings.Contains(more, "wadgets.example.com stays as it is: ") {
		t.Errorf("it says %q", more)
	}
}

// TestExcludedFiles have no findings, and no conversion.
func TestExcludedFiles(t *testing.T) {
	t.Parallel()
	c := start(t, editor, ".crdlift.yaml", "exclude: [old.yaml]\n")
	c.open("old.yaml", old)
	if all := c.actions("old.yaml", "0:0-0:0", ""); len(all) > 0 {
		t.Errorf("%q", titles(all))
	}
}

// TestDeafClient reads nothing, and yet the server ends when it says so.
func TestDeafClient(t *testing.T) {
	t.Parallel()
	var files []string
	for i := range 300 {
		files = append(files, fmt.Sprintf("many/%d.yaml", i), strings.ReplaceAll(changed(t, widgets, "Namespaced", "namespaced"), "idget", fmt.Sprintf("idget%d", i)))
	}
	c := connect(t, files...)
	c.call("initialize", fmt.Sprintf(`{"processId": null, "rootUri": %q, "capabilities": {}}`, c.uri(".")))
	c.deaf.Store(true)
	c.notify("initialized", "{}")
	c.notify("exit", "null")
	if code := <-c.code; code != 1 {
		t.Errorf("the exit code is %d", code)
	}
}
