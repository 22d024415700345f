package lsp

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/crdlift/crdlift/internal/limit"
)

// watched tells the server that files changed on the disk.
func (c *client) watched(names ...string) {
	var changes []string
	for _, name := range names {
		changes = append(changes, fmt.Sprintf(`{"uri": %q, "type": 2}`, c.uri(name)))
	}
	c.notify("workspace/didChangeWatchedFiles", fmt.Sprintf(`{"changes": [%s]}`, strings.Join(changes, ", ")))
}

// TestLateConfiguration: a configuration comes, and a document below it is opened before the client tells of it. It is for the files that
// were judged before, too.
func TestLateConfiguration(t *testing.T) {
	t.Parallel()
	wrong := changed(t, widgets, "Namespaced", "namespaced")
	c := start(t, rich, "a/crd.yaml", wrong)
	c.diagnostics("a/crd.yaml", "11:9-11:19 error scope-invalid")
	c.write(".crdlift.yaml", "rules: {scope-invalid: warning}\n")
	c.open("b/crd.yaml", wrong)
	c.diagnostics("b/crd.yaml", "11:9-11:19 warning scope-invalid")
	c.watched(".crdlift.yaml")
	c.diagnostics("a/crd.yaml", "11:9-11:19 warning scope-invalid")
}

// TestConfiguration is that of the folder: what it excludes, what it says of rules, its own errors, and what it hides.
func TestConfiguration(t *testing.T) {
	t.Parallel()
	wrong := changed(t, widgets, "Namespaced", "namespaced")
	c := start(t, rich, ".crdlift.yaml", "rules: {scope-invalid: warning}\n", "crd.yaml", wrong)
	c.diagnostics("crd.yaml", "11:9-11:19 warning scope-invalid")
	c.open(".crdlift.yaml", "rules: {scope-invalid: info}\n") // is not saved
	c.diagnostics("crd.yaml", "11:9-11:19 info scope-invalid")
	c.edit(".crdlift.yaml", 2, "all rules: {scope-invalid: fatal, schema-flaot: off}\n")
	got := c.diagnostics(".crdlift.yaml", "0:23-0:23 error configuration", "0:30-0:30 error configuration")
	if d := got.Diagnostics[1]; !strings.Contains(d.Message, `did you mean "schema-float"?`) || d.CodeDescription.Href != "" {
		t.Errorf("%+v", d)
	}
	c.edit(".crdlift.yaml", 3, "all ignore:\n- {rule: default-invalid, file: crd.yaml, reason: old}\n")
	c.diagnostics(".crdlift.yaml", "1:3-1:7 warning ignore-unused")
	c.diagnostics("crd.yaml", "11:9-11:19 error scope-invalid")
	c.edit(".crdlift.yaml", 4, "all ignore: [{rule: scope-invalid, reason: old}]\n")
	c.diagnostics(".crdlift.yaml")
	c.diagnostics("crd.yaml")
	c.edit(".crdlift.yaml", 5, "all {}\n")
	c.diagnostics("crd.yaml", "11:9-11:19 error scope-invalid")
	c.edit(".crdlift.yaml", 6, "all exclude: [crd.yaml]\n")
	c.diagnostics("crd.yaml")
	c.close(".crdlift.yaml") // the file counts again
	c.diagnostics("crd.yaml", "11:9-11:19 warning scope-invalid")
	c.write(".crdlift.yaml", "rules: {scope-invalid: error}\n")
	c.watched(".crdlift.yaml")
	c.diagnostics("crd.yaml", "11:9-11:19 error scope-invalid")
	c.write(".crdlift.yaml", "presett: all\n")
	c.watched(".crdlift.yaml")
	c.diagnostics(".crdlift.yaml", "0:0-0:0 error configuration")
	if err := os.Remove(filepath.Join(c.dir, ".crdlift.yaml")); err != nil {
		t.Fatal(err)
	}
	c.watched(".crdlift.yaml")
	c.diagnostics(".crdlift.yaml")
	c.open(".crdlift.yaml", "presett: all\n") // is not saved yet
	c.diagnostics(".crdlift.yaml", "0:0-0:0 error configuration")
	c.edit(".crdlift.yaml", 2, "all rules: {scope-invalid: info}\n")
	c.diagnostics("crd.yaml", "11:9-11:19 info scope-invalid")
	c.close(".crdlift.yaml")
	c.diagnostics("crd.yaml", "11:9-11:19 error scope-invalid")
}

// TestSettings are those of the client, and win over the configuration.
func TestSettings(t *testing.T) {
	t.Parallel()
	c := start(t, "{}", ".crdlift.yaml", "minSeverity: info\n")
	plain := changed(t, widgets, "    listKind: WidgetList\n", "")
	c.open("crd.yaml", changed(t, plain, "Namespaced", "namespaced"))
	c.diagnostics("crd.yaml", "10:9-10:19 error scope-invalid")
	c.notify("workspace/didChangeConfiguration", `{"settings": {"crdlift": {"preset": "all"}}}`)
	c.published("crd.yaml", func(p clientDiagnostics) bool {
		return slices.ContainsFunc(p.Diagnostics, func(d clientDiagnostic) bool { return d.Code == "schema-description-missing" })
	})
	c.notify("workspace/didChangeConfiguration", `{"settings": {"crdlift": {"preset": "all", "minSeverity": "error"}}}`)
	c.diagnostics("crd.yaml", "10:9-10:19 error scope-invalid")
	c.notify("workspace/didChangeConfiguration", `{"settings": {"crdlift": {"preset": "everything"}}}`)
	c.await("a word about it", func(m message) bool {
		return m.Method == "window/logMessage" && strings.Contains(string(m.Params), "everything")
	})
}

// TestFilesOnDisk come, change and go.
func TestFilesOnDisk(t *testing.T) {
	t.Parallel()
	wrong := changed(t, widgets, "Namespaced", "namespaced")
	c := start(t, rich, "crd.yaml", wrong, ".gitignore", "/built/\n", "built/crd.yaml", wrong)
	registered := c.await("the watchers", func(m message) bool { return m.Method == "client/registerCapability" })
	for _, glob := range []string{"**/*.{yaml,yml,json}", "**/.gitignore", "**/*.go"} {
		if !strings.Contains(string(registered.Params), glob) {
			t.Errorf("%s is not watched: %s", glob, registered.Params)
		}
	}
	c.diagnostics("crd.yaml", "11:9-11:19 error scope-invalid")
	c.write("new.yaml", changed(t, widgets, "served: true", "served: yess"))
	c.watched("new.yaml")
	c.published("new.yaml", func(p clientDiagnostics) bool { return len(p.Diagnostics) > 0 })
	if err := os.Remove(filepath.Join(c.dir, "crd.yaml")); err != nil {
		t.Fatal(err)
	}
	c.watched("crd.yaml")
	c.diagnostics("crd.yaml")
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, m := range c.all {
		if strings.Contains(string(m.Params), "built/crd.yaml") {
			t.Errorf("git ignores it: %s", m.Params)
		}
	}
}

// TestFolders are opened and closed.
func TestFolders(t *testing.T) {
	t.Parallel()
	c := connect(t, "a/crd.yaml", changed(t, widgets, "  scope:", "    shortNames: [po]\n  scope:"), "b/one.yaml", strings.Replace(widget, "3", "30", 1))
	c.initialize("{}", fmt.Sprintf(`"workspaceFolders": [{"uri": %q, "name": "b"}]`, c.uri("b")))
	c.open("b/none.yaml", strings.ReplaceAll(changed(t, widgets, "Namespaced", "cluster"), "idget", "adget"))
	c.published("b/none.yaml", func(p clientDiagnostics) bool { return len(p.Diagnostics) == 1 })
	c.close("b/none.yaml")
	c.notify("workspace/didChangeWorkspaceFolders", fmt.Sprintf(`{"event": {"added": [{"uri": %q, "name": "a"}], "removed": []}}`, c.uri("a")))
	c.diagnostics("a/crd.yaml", "11:17-11:19 warning names-shadows-builtin")
	c.diagnostics("b/one.yaml", "5:8-5:10 error object-constraint")
	c.notify("workspace/didChangeWorkspaceFolders", fmt.Sprintf(`{"event": {"added": [], "removed": [{"uri": %q, "name": "a"}]}}`, c.uri("a")))
	c.diagnostics("a/crd.yaml")
	c.diagnostics("b/one.yaml")
}

// TestUnsavedDocuments have no file yet.
func TestUnsavedDocuments(t *testing.T) {
	t.Parallel()
	c := start(t, rich, ".crdlift.yaml", "rules: {scope-invalid: warning}\n", "crd.yaml", widgets)
	c.open("untitled:Untitled-1", changed(t, widgets, "Namespaced", "namespaced"))
	c.published("untitled:Untitled-1", func(p clientDiagnostics) bool {
		return slices.Contains(p.lines(), "11:9-11:19 warning scope-invalid")
	})
	c.close("untitled:Untitled-1")
	c.diagnostics("untitled:Untitled-1")
	c.open("untitled:Untitled-2", strings.Replace(widget, "3", "30", 1))
	c.published("untitled:Untitled-2", func(p clientDiagnostics) bool {
		return slices.Contains(p.lines(), "5:8-5:10 error object-constraint")
	})
}

// TestTemplates of Helm are judged as lint does, their actions untouched by fixes.
func TestTemplates(t *testing.T) {
	t.Parallel()
	text := "{{- if .Values.crds }}\n" + changed(t, widgets, "Namespaced", "namespaced") + "{{- end }}\n"
	c := start(t, editor, "chart/Chart.yaml", "apiVersion: v2\nname: chart\nversion: 0.1.0\n")
	c.open("chart/templates/crd.yaml", text)
	c.diagnostics("chart/templates/crd.yaml", "12:9-12:19 error scope-invalid")
	got := c.choose(c.actions("chart/templates/crd.yaml", "12:9-12:9", ""), "Set scope to Namespaced", "chart/templates/crd.yaml", text)
	if want := changed(t, text, "namespaced", "Namespaced"); got != want {
		t.Errorf("%s", got)
	}
	old := "{{- if .Values.crds }}\n" + old + "{{- end }}\n"
	c.open("chart/templates/old.yaml", old)
	got = c.choose(c.actions("chart/templates/old.yaml", "3:0-3:0", "refactor"), "Convert this template to apiextensions.k8s.io/v1", "chart/templates/old.yaml", old)
	if !strings.HasPrefix(got, "{{- if .Values.crds }}\napiVersion: apiextensions.k8s.io/v1\n") || !strings.HasSuffix(got, "{{- end }}\n") {
		t.Errorf("%s", got)
	}
}

// TestPatches of kustomize are not whole CRDs or objects, and are not judged as such.
func TestPatches(t *testing.T) {
	t.Parallel()
	patch := "apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: one\nspec:\n  size: 30\n"
	c := start(t, rich, "crd.yaml", widgets, "kustomization.yaml", "resources: [crd.yaml]\n", "patch.yaml", patch)
	c.diagnostics("patch.yaml", "5:8-5:10 error object-constraint")
	named := "resources: [crd.yaml]\npatches: [{path: patch.yaml}]\n"
	c.open("kustomization.yaml", named)
	c.write("kustomization.yaml", named)
	c.watched("kustomization.yaml")
	c.diagnostics("patch.yaml")
	c.edit("kustomization.yaml", 2, "all resources: [crd.yaml]\n") // and saved, in a client that watches no files
	c.notify("textDocument/didSave", fmt.Sprintf(`{"textDocument": {"uri": %q}}`, c.uri("kustomization.yaml")))
	c.diagnostics("patch.yaml", "5:8-5:10 error object-constraint")
}

// TestCopies: what Go types say is compared with the manifest that is generated from them, and not with the copy in a chart.
func TestCopies(t *testing.T) {
	t.Parallel()
	story, err := txtar.ParseFile("../../testdata/script/manifest-stale.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, f := range story.Files {
		files = append(files, f.Name, string(f.Data))
	}
	c := start(t, rich, files...)
	for name, want := range map[string][]string{
		"config/crd/bases/example.com_widgets.yaml":     {"22:10-22:14 warning manifest-stale"},
		"deploy/operator/crds/example.com_widgets.yaml": {"1:6-1:30 hint role"},
	} {
		c.open(name, files[slices.Index(files, name)+1])
		c.diagnostics(name, want...)
	}
}

// TestProgress is shown while many files are judged.
func TestProgress(t *testing.T) {
	t.Parallel()
	var files []string
	for i := range 2 * progressFrom {
		files = append(files, fmt.Sprintf("many/%d.yaml", i), strings.ReplaceAll(widgets, "idget", fmt.Sprintf("idget%d", i)))
	}
	c := start(t, rich, files...)
	for _, want := range []string{`"kind":"begin"`, `"kind":"report"`, `"kind":"end"`} {
		c.await(want, func(m message) bool { return m.Method == "$/progress" && strings.Contains(string(m.Params), want) })
	}
}

// TestSpellings of the address of a file differ between clients, which write other characters with per cent signs: it is one
// file all the same, and not a second one with the same CRD.
func TestSpellings(t *testing.T) {
	t.Parallel()
	c := start(t, "{}", "a+b (c)/crd.yaml", widgets)
	c.open("file://"+c.dir+"/a+b%20(c)/crd.yaml", changed(t, widgets, "Namespaced", "namespaced"))
	c.diagnostics("a+b (c)/crd.yaml", "11:9-11:19 error scope-invalid")
	c.close("file://" + c.dir + "/a%2Bb%20(c)/crd.yaml")
	c.diagnostics("a+b (c)/crd.yaml")
}

// TestTooLarge: of a file that is too large to be judged while it is typed, in the folder or open, the log says so.
func TestTooLarge(t *testing.T) {
	t.Parallel()
	large := widgets + "#" + strings.Repeat("x", limit.EditorSize)
	c := start(t, rich, "large.yaml", large)
	said := func(name string) {
		t.Helper()
		c.await(name, func(m message) bool {
			return m.Method == "window/logMessage" && strings.Contains(string(m.Params), name+" is larger than 8 MiB, and is not checked here; run crdlift lint on it")
		})
	}
	said("large.yaml")
	c.open("new.yaml", large)
	said("new.yaml")
}
