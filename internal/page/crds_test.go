package page_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestProgress tests that the page lists the CRDs of a migration by how far they are, also when all is done.
func TestProgress(t *testing.T) {
	t.Parallel()
	report := func(states ...string) map[string]string {
		var crds []string
		for i, state := range states {
			crds = append(crds, fmt.Sprintf(`{"name": "crd%d.example.com", "file": "a.yaml", "line": %d, "document": %d, "apiVersion": "apiextensions.k8s.io/v1beta1", "state": %q}`, i, i+1, i, state))
		}
		return map[string]string{"a": `{"version": 1, "command": "convert", "migration": {"to": "v1", "written": true}, "findings": [], "crds": [` + strings.Join(crds, ",") + `]}`}
	}
	got := pageOf(t, overviewOf(t, report("converted", "alreadyThere", "needsPerson"), "a"))
	for _, want := range []string{
		`<h3>Converted <span class="n">1</span>`, `<li>crd0.example.com <code>a.yaml:1</code></li>`, `<h3>Already there <span class="n">1</span>`,
		`<li>crd1.example.com <code>a.yaml:2</code></li>`, `<strong>needs you</strong>`, `<strong>converted</strong>`, `<strong>already there</strong>`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the page does not say %s", want)
		}
	}
	if got := pageOf(t, overviewOf(t, report("alreadyThere"), "a")); !strings.Contains(got, "done: 1 of 1 CRD<") {
		t.Error("a migration that is over has no share")
	}
}

// TestGravestCRDs tests that the CRDs with most errors are shown, wherever they are, with what is wrong.
func TestGravestCRDs(t *testing.T) {
	t.Parallel()
	var crds []string
	for i := range 450 {
		crds = append(crds, fmt.Sprintf(`{"name": "crd%d.example.com", "file": "new.yaml", "line": %d, "document": %d}`, i, i+1, i))
	}
	crds = append(crds, `{"name": "foos.example.com", "file": "new.yaml", "line": 500, "document": 0}`)
	got := pageOf(t, overviewOf(t, map[string]string{"a": `{"version": 1, "findings": [` + changeAt("scope-invalid", "error", 500, "") + `], "crds": [` + strings.Join(crds, ",") + `]}`}, "a"))
	_, list, _ := strings.Cut(got, "<article>")
	if !strings.HasPrefix(strings.TrimSpace(list), "<h3>foos.example.com") || !strings.Contains(list, "change 500 <a href") {
		t.Errorf("the list of CRDs begins with %.300s", list)
	}
}

// TestMixed tests that severities of one rule are told apart.
func TestMixed(t *testing.T) {
	t.Parallel()
	findings := []string{}
	for i := range 60 {
		findings = append(findings, changeAt("unknown-field", "warning", i+1, ""))
	}
	findings = append(findings, changeAt("unknown-field", "error", 99, ""))
	got := pageOf(t, overviewOf(t, map[string]string{"a": `{"version": 1, "findings": [` + strings.Join(findings, ",") + `]}`}, "a"))
	for _, want := range []string{`61: 1 error and 60 warnings`, `<tr data-severity="error"><td><span class="badge error">error</span> change 99`, "11 more findings of this rule not shown"} {
		if !strings.Contains(got, want) {
			t.Errorf("the page does not say %s", want)
		}
	}
}

// TestClean tests that a CRD is said to have no findings only where somebody looked for some: validate looks at objects.
func TestClean(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]bool{"lint": true, "validate": false} {
		got := pageOf(t, overviewOf(t, map[string]string{"a": fmt.Sprintf(`{"version": 1, "command": %q, "findings": [], "summary": {"objects": 1},
			"crds": [{"name": "a.b", "file": "a", "line": 1, "document": 0}]}`, command)}, "a"))
		if strings.Contains(got, "no findings</p>") != want || strings.Contains(got, "No findings in 1 CRD") != want {
			t.Errorf("%s: it is said to be clean: %v, want %v", command, !want, want)
		}
	}
}
