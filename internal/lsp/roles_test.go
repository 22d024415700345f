package lsp

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/lint"
)

// A tree has a CRD with a mistake in its source, a copy, and a test, and an object that is a test's.
func tree(t *testing.T) []string {
	wrong := changed(t, widgets, "              size:\n", "              at: {type: string, format: quantity}\n              size:\n")
	return []string{
		"PROJECT", "domain: example.com\nresources:\n- kind: Widget\n  version: v1\n- kind: Wadget\n  version: v1\n",
		"config/crd/bases/w.yaml", wrong,
		"deploy/all.yaml", "# of both\n" + strings.ReplaceAll(widgets, "idget", "adget") + "---\n# ü\n" + wrong,
		"pkg/testdata/w.yaml", wrong,
		"pkg/testdata/one.yaml", strings.Replace(widget, "3", "30", 1),
	}
}

// quiet wants nothing to have been said of documents but that there is nothing.
func (c *client) quiet(names ...string) {
	c.Helper()
	c.server.settled(c.TB.(*testing.T))
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, m := range c.all {
		for _, name := range names {
			if m.Method == "textDocument/publishDiagnostics" && strings.Contains(string(m.Params), c.uri(name)) && strings.Contains(string(m.Params), "message") {
				c.Errorf("%s: %s", name, m.Params)
			}
		}
	}
}

// TestRoles: of the files that are not open, a mistake is told once, at its source. Who opens another file is told all of it, and what
// the file is.
func TestRoles(t *testing.T) {
	t.Parallel()
	files := tree(t)
	c := start(t, rich, files...)
	c.diagnostics("config/crd/bases/w.yaml", "23:41-23:49 warning schema-format-unrecognized")
	c.quiet("deploy/all.yaml", "pkg/testdata/w.yaml", "pkg/testdata/one.yaml")

	c.open("config/crd/bases/w.yaml", files[3])
	c.diagnostics("config/crd/bases/w.yaml", "23:41-23:49 warning schema-format-unrecognized")
	c.open("pkg/testdata/w.yaml", files[7])
	got := c.diagnostics("pkg/testdata/w.yaml", "1:6-1:30 hint role", "23:41-23:49 warning schema-format-unrecognized")
	if d := got.Diagnostics[0]; d.Message != "this CRD is a test's, and crdlift lint leaves it out: the go command ignores pkg/testdata" || d.Source != "crdlift" || d.CodeDescription.Href != "" {
		t.Errorf("%s: %+v", d.Message, d)
	}
	c.open("pkg/testdata/one.yaml", files[9])
	c.diagnostics("pkg/testdata/one.yaml", "5:8-5:10 error object-constraint")
	c.open("deploy/all.yaml", files[5])
	got = c.diagnostics("deploy/all.yaml", "30:6-30:30 hint role", "52:41-52:49 warning schema-format-unrecognized")
	d := got.Diagnostics[0]
	if d.Message != "this CRD is a copy of config/crd/bases/w.yaml; fix it there" || len(d.RelatedInformation) != 1 || d.RelatedInformation[0].Location.URI != c.uri("config/crd/bases/w.yaml") {
		t.Errorf("%s: %+v", d.Message, d)
	}
	if actions := c.actions("deploy/all.yaml", "30:6-30:30", ""); slices.ContainsFunc(titles(actions), func(title string) bool { return strings.Contains(title, "role") }) {
		t.Errorf("it can be ignored: %q", titles(actions))
	}

	c.edit("deploy/all.yaml", 2, "0:0-0:0 #\n")
	c.diagnostics("deploy/all.yaml", "31:6-31:30 hint role", "53:41-53:49 warning schema-format-unrecognized")
	c.close("pkg/testdata/w.yaml")
	c.diagnostics("pkg/testdata/w.yaml")
	c.close("pkg/testdata/one.yaml")
	c.diagnostics("pkg/testdata/one.yaml")
}

// TestRolesOfCRDs: a test's CRD judges what is in the test, and nothing else.
func TestRolesOfCRDs(t *testing.T) {
	t.Parallel()
	other := func(text string) string { return strings.ReplaceAll(text, "idget", "odget") }
	large := other(strings.Replace(widget, "3", "30", 1))
	c := start(t, rich, append(tree(t), "pkg/testdata/crds/other.yaml", other(widgets), "pkg/testdata/other.yaml", large, "samples/other.yaml", large)...)
	c.open("pkg/testdata/other.yaml", large)
	c.open("samples/other.yaml", large)
	c.diagnostics("samples/other.yaml")
	c.diagnostics("pkg/testdata/other.yaml", "5:8-5:10 error object-constraint")
	c.open(".crdlift.yaml", "roles: {source: [pkg/testdata/crds/*]}\n")
	c.diagnostics("samples/other.yaml", "5:8-5:10 error object-constraint")
	c.edit(".crdlift.yaml", 2, "all roles: {test: [pkg/testdata/crds/*]}\n")
	c.diagnostics("samples/other.yaml")
}

// TestRolesChange when files come and go, and with what is saved.
func TestRolesChange(t *testing.T) {
	t.Parallel()
	files := tree(t)
	c := start(t, rich, files...)
	c.open("deploy/all.yaml", files[5])
	c.diagnostics("deploy/all.yaml", "30:6-30:30 hint role", "52:41-52:49 warning schema-format-unrecognized")
	source := filepath.Join(c.dir, "config", "crd", "bases", "w.yaml")
	if err := os.Remove(source); err != nil {
		t.Fatal(err)
	}
	c.watched("config/crd/bases/w.yaml")
	c.edit("deploy/all.yaml", 2, "0:0-0:0 #\n") // so that what was said before is not taken for what is said now
	c.diagnostics("deploy/all.yaml", "53:41-53:49 warning schema-format-unrecognized")
	c.write("config/crd/bases/w.yaml", files[3])
	c.watched("config/crd/bases/w.yaml")
	c.edit("deploy/all.yaml", 3, "0:0-0:0 #\n")
	c.diagnostics("deploy/all.yaml", "32:6-32:30 hint role", "54:41-54:49 warning schema-format-unrecognized")
	c.write("PROJECT", "domain: example.com\nresources:\n- kind: Wadget\n  version: v1\n")
	c.notify("textDocument/didSave", fmt.Sprintf(`{"textDocument": {"uri": %q}}`, c.uri("PROJECT")))
	got := c.published("deploy/all.yaml", func(p clientDiagnostics) bool {
		return slices.Equal(p.lines(), []string{"32:6-32:30 hint role", "54:41-54:49 warning schema-format-unrecognized"}) && !strings.Contains(p.Diagnostics[0].Message, "copy")
	})
	if d := got.Diagnostics[0]; d.Message != "this CRD is another project's, and crdlift lint leaves it out: no code here declares Widget of example.com" {
		t.Errorf("%s: %+v", d.Message, d)
	}
	c.diagnostics("config/crd/bases/w.yaml")
}

// TestRolesSettings of the configuration hold in editors, and switch roles off.
func TestRolesSettings(t *testing.T) {
	t.Parallel()
	files := tree(t)
	c := start(t, rich, files...)
	c.open("deploy/all.yaml", files[5])
	c.diagnostics("config/crd/bases/w.yaml", "23:41-23:49 warning schema-format-unrecognized")
	c.open(".crdlift.yaml", "roles: {old: [deploy/*.yaml]}\n")
	got := c.diagnostics("deploy/all.yaml", "2:6-2:30 hint role", "30:6-30:30 hint role", "52:41-52:49 warning schema-format-unrecognized")
	if d := got.Diagnostics[1]; d.Message != "this CRD is that of an older release, and crdlift lint leaves it out: .crdlift.yaml:1 says so" {
		t.Errorf("%s", d.Message)
	}
	c.edit(".crdlift.yaml", 2, "all roles: off\n")
	c.edit("deploy/all.yaml", 2, "0:0-0:0 #\n")
	c.diagnostics("deploy/all.yaml", "53:41-53:49 warning schema-format-unrecognized")
	c.diagnostics("pkg/testdata/w.yaml", "23:41-23:49 warning schema-format-unrecognized")
}

// TestNoRoles: a document that is no file has none, no file outside of all repositories and folders, around which nobody wants to be
// looked, and none of a project that wants none.
func TestNoRoles(t *testing.T) {
	t.Parallel()
	c := start(t, rich, tree(t)...)
	for _, p := range []*project{
		c.server.newProject(&generation{}, "", ""),
		c.server.newProject(&generation{}, t.TempDir(), ""),
		{config: &lint.Config{Roles: lint.RoleSettings{Off: true}}, dir: c.dir, top: c.dir},
	} {
		if roles, known := c.server.rolesOf(p); roles != nil || !known {
			t.Errorf("%+v: %v, %v", p, roles, known)
		}
	}
	if p := c.server.newProject(&generation{}, filepath.Join(c.dir, "config"), ""); p.top != c.dir {
		t.Errorf("the repository is %q", p.top)
	}
}
