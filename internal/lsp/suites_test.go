package lsp

import (
	"fmt"
	"strings"
	"testing"
)

// widgetTests is a suite of widgets with a case that passes.
const widgetTests = `crdtest: v1
crd: crds/widgets.yaml
base: {apiVersion: example.com/v1, kind: Widget}
cases:
- name: size
  at: spec.size
  accept: [10]
  reject: [11]
`

// TestSuites shows at a case that it fails, while the suite is typed, and while the CRD is that it names or that has its kind.
func TestSuites(t *testing.T) {
	t.Parallel()
	for name, where := range map[string]string{
		"a file": "crd: crds/widgets.yaml\n", "a folder": "crd: ./crds\n", "by its kind": "",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tests := changed(t, widgetTests, "crd: crds/widgets.yaml\n", where)
			line := strings.Count(tests, "\n") - 1
			c := start(t, rich, "crds/widgets.yaml", widgets, "widgets.crdtest.yaml", tests)
			c.open("widgets.crdtest.yaml", tests)
			c.diagnostics("widgets.crdtest.yaml")
			c.edit("widgets.crdtest.yaml", 2, fmt.Sprintf("%d:11-%d:13 9", line, line))
			got := c.diagnostics("widgets.crdtest.yaml", fmt.Sprintf("%d:11-%d:12 error test-accepted", line, line))
			if d := got.Diagnostics[0]; !strings.HasPrefix(d.Message, `case "size/reject/1" is accepted, but should be rejected`) {
				t.Errorf("%+v", d)
			}
			c.open("crds/widgets.yaml", changed(t, widgets, "maximum: 10", "maximum: 8")) // is not saved
			got = c.diagnostics("widgets.crdtest.yaml", fmt.Sprintf("%d:11-%d:13 error test-rejected", line-1, line-1))
			if d := got.Diagnostics[0]; len(d.RelatedInformation) != 1 || d.RelatedInformation[0].Location.URI != c.uri("crds/widgets.yaml") {
				t.Errorf("%+v", d)
			}
			c.close("crds/widgets.yaml")
			c.diagnostics("widgets.crdtest.yaml", fmt.Sprintf("%d:11-%d:12 error test-accepted", line, line))
			c.edit("widgets.crdtest.yaml", 3, "all "+strings.Replace(tests, "reject: [11]", "reject: [9] # crdlift:ignore test-accepted -- none is", 1))
			c.diagnostics("widgets.crdtest.yaml")
		})
	}
}

// TestSuitesElsewhere: CRDs outside of the folders that are open are read, but for those outside of the repository and in a revision, of
// which nothing is said. A suite that is wrong is shown even so, and files that are not open are judged, too.
func TestSuitesElsewhere(t *testing.T) {
	t.Parallel()
	wrong := changed(t, widgetTests, "reject: [11]", "reject: [1]")
	c := connect(t, "crds/widgets.yaml", widgets, "api/beside.crdtest.yaml", changed(t, wrong, "crds/", "../crds/"))
	c.initialize(rich, fmt.Sprintf(`"workspaceFolders": [{"uri": %q, "name": "test"}]`, c.uri("api")))
	c.diagnostics("api/beside.crdtest.yaml", "7:11-7:12 error test-accepted")
	c.open("api/outside.crdtest.yaml", changed(t, widgetTests, "crds/", "../../../crds/"))
	got := c.diagnostics("api/outside.crdtest.yaml", "6:11-6:13 error suite-invalid", "7:11-7:13 error suite-invalid")
	if d := got.Diagnostics[0]; !strings.Contains(d.Message, "is outside of the repository") {
		t.Errorf("%+v", d)
	}
	c.open("api/none.crdtest.yaml", changed(t, widgetTests, "crds/", "../none/"))
	c.diagnostics("api/none.crdtest.yaml", "6:11-6:13 error suite-invalid", "7:11-7:13 error suite-invalid")
	c.open("api/revision.crdtest.yaml", changed(t, wrong, "crds/", "git:HEAD:crds/"))
	c.diagnostics("api/revision.crdtest.yaml")
	c.open("api/before.crdtest.yaml", changed(t, wrong, "crds/", "../crds/")+"- {name: a, then: [{name: later, old: {}, before: {crd: 'git:HEAD:crds/widgets.yaml'}}]}\n")
	c.diagnostics("api/before.crdtest.yaml")
	c.open("api/no.crdtest.yaml", "cases: []\n")
	c.diagnostics("api/no.crdtest.yaml", "0:0-0:5 error suite-invalid")
}
