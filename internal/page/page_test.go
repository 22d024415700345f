package page_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"github.com/crdlift/crdlift/internal/overview"
	"github.com/crdlift/crdlift/internal/page"
)

var update = flag.Bool("update", false, "write the expected pages of testdata anew")

// overviewOf reads reports in JSON, each with the name of its file.
func overviewOf(t testing.TB, reports map[string]string, order ...string) *overview.Overview {
	t.Helper()
	var all overview.Builder
	for _, name := range order {
		if err := overview.Read(strings.NewReader(reports[name]), name, all.Add); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	return all.Overview()
}

func pageOf(t testing.TB, o *overview.Overview) string {
	t.Helper()
	var b bytes.Buffer
	if err := page.Write(&b, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// reportsOf are the reports of testdata.
func reportsOf(t testing.TB) map[string]string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.json")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all[strings.TrimSuffix(filepath.Base(file), ".json")] = string(src)
	}
	return all
}

// TestGolden compares the main part of pages with files that somebody has looked at.
func TestGolden(t *testing.T) {
	t.Parallel()
	reports := reportsOf(t)
	for name, of := range map[string][]string{
		"findings": {"lint"}, "change": {"breaking"}, "migration": {"convert"}, "releases": {"plan"}, "organisation": {"lint", "convert", "clean"},
		"nothing": {},
	} {
		text := pageOf(t, overviewOf(t, reports, of...))
		_, got, _ := strings.Cut(text, "</style>")
		got, _, _ = strings.Cut(got, "<script>")
		path := filepath.Join("testdata", name+".html")
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s:\n%s", path, diff)
		}
		if again := pageOf(t, overviewOf(t, reports, of...)); again != text {
			t.Errorf("%s: a second time, the page is another", name)
		}
	}
}

// hostile are texts that do harm where they are not escaped.
var hostile = []string{
	`</script><script>alert(1)</script>`, `</style><img src=x onerror=alert(1)>`, `" onmouseover="alert(1)`, `javascript:alert(1)`, `'><svg/onload=alert(1)>`,
	"\x00\x1b[31m\u202egnp.\u2066", "{{.}}", "<!--", "]]>", "&lt;b&gt;", "\xff\xfe", "http://evil.example/", strings.Repeat("long ", 400),
}

// TestHostile puts such texts everywhere, and expects the elements and attributes of a page with harmless ones.
func TestHostile(t *testing.T) {
	t.Parallel()
	for _, several := range []bool{false, true} {
		want := elements(t, pageOf(t, everywhere(t, "harmless", several)))
		for _, text := range hostile {
			got := pageOf(t, everywhere(t, text, several))
			if diff := cmp.Diff(want, elements(t, got)); diff != "" {
				t.Errorf("%q makes other elements:\n%s", text, diff)
			}
			for _, r := range got {
				if r != '\n' && (r < ' ' || r == 0x7f || r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069) {
					t.Errorf("%q: the page has the character %U", text, r)
					break
				}
			}
		}
	}
}

// structural are the members that decide which elements there are.
var structural = map[string]bool{"severity": true, "state": true, "to": true, "rule": true, "command": true}

// everywhere is an overview of one repository or several, with a text in the place of every text of their reports.
func everywhere(t *testing.T, text string, several bool) *overview.Overview {
	t.Helper()
	var all overview.Builder
	reports := reportsOf(t)
	for i, name := range slices.Sorted(maps.Keys(reports)) {
		var report any
		if err := json.Unmarshal([]byte(reports[name]), &report); err != nil {
			t.Fatal(err)
		}
		replaced := replace(report, text)
		delete(replaced.(map[string]any), "filesURL") // with which file names decide; see TestLinks
		if several {
			replaced.(map[string]any)["repository"] = fmt.Sprint(text, i)
		}
		src, err := json.Marshal(replaced)
		if err != nil {
			t.Fatal(err)
		}
		if err := overview.Read(bytes.NewReader(src), strings.ToValidUTF8(text, "\ufffd\ufffd"), all.Add); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	return all.Overview()
}

// replace puts a text in the place of all texts in a JSON value.
func replace(value any, text string) any {
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			if !structural[name] {
				value[name] = replace(member, text)
			}
		}
	case []any:
		for i, item := range value {
			value[i] = replace(item, text)
		}
	case string:
		return text
	}
	return value
}

// TestLinks tests that only addresses of the web become links to files, and that names do not get out of them.
func TestLinks(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]bool{"https://example.com/x/": true, "javascript:alert(1)//": false, "file:///etc/": false, "//example.com/": false} {
		report := strings.Replace(reportsOf(t)["convert"], "https://example.com/example/users/blob/main/", url, 1)
		if got := strings.Contains(pageOf(t, overviewOf(t, map[string]string{"a": report}, "a")), "crds/b.yaml#L14"); got != want {
			t.Errorf("%s: links to files: %v, want %v", url, got, want)
		}
	}
	const base = "https://example.com/example/users/blob/main/"
	for _, name := range hostile {
		quoted, err := json.Marshal(name)
		if err != nil {
			t.Fatal(err)
		}
		report := strings.ReplaceAll(reportsOf(t)["convert"], `"crds/b.yaml"`, string(quoted))
		for _, element := range elements(t, pageOf(t, overviewOf(t, map[string]string{"a": report}, "a"))) {
			if strings.HasPrefix(element, "a ") && element != "a href=https" && !strings.HasPrefix(element, "a href=#") && element != "a class href=#main" {
				t.Errorf("%q makes the element %s in links below %s", name, element, base)
			}
		}
	}
}

// elements are the elements of a page with the names of their attributes, and the schemes of links.
func elements(t *testing.T, source string) (all []string) {
	t.Helper()
	z := html.NewTokenizer(strings.NewReader(source))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return all
		case html.StartTagToken, html.SelfClosingTagToken:
			token := z.Token()
			said := token.Data
			for _, a := range token.Attr {
				said += " " + a.Key
				if a.Key == "href" || a.Key == "src" {
					scheme, _, _ := strings.Cut(a.Val, ":")
					said += fmt.Sprintf("=%.8s", scheme)
				}
			}
			all = append(all, said)
		case html.EndTagToken:
			all = append(all, "/"+z.Token().Data)
		}
	}
}

// TestMany tests that a page with more CRDs than it shows counts all of them, and shows those that need a decision first of
// all, wherever they are.
func TestMany(t *testing.T) {
	t.Parallel()
	var crds []string
	for i := range 410 {
		crds = append(crds, fmt.Sprintf(`{"name": "crd%d.example.com", "file": "crds.yaml", "line": %d, "apiVersion": "apiextensions.k8s.io/v1beta1", "state": "converted"}`, i, i+1))
	}
	crds = append(crds, `{"name": "last.example.com", "file": "last.yaml", "line": 1, "apiVersion": "apiextensions.k8s.io/v1beta1", "state": "needsPerson"}`)
	page := pageOf(t, overviewOf(t, map[string]string{"many": `{"version": 1, "findings": [], "summary": {"files": 2}, "migration": {"to": "v1"}, "crds": [` +
		strings.Join(crds, ",") + `]}`}, "many"))
	for _, want := range []string{
		`CRDs <span class="n">411</span>`, `To convert <span class="n">410</span>`, `10 more not shown`, `<details>` + "\n" + `<summary><h3>To convert`,
		`<th scope="row">last.example.com<br>`, `11 more CRDs`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %s", want)
		}
	}
}

// removedFields is a report that compares, with so many fields that are removed and so many that are added.
func removedFields(removed, added int, more ...string) string {
	findings, additions := more, []string{}
	for i := range removed {
		findings = append(findings, changeAt("field-removed", "warning", i+1, ""))
	}
	for i := range added {
		additions = append(additions, fmt.Sprintf(`{"resource": "foos.example.com", "field": "spec.new%d", "text": "added (string)"}`, i))
	}
	return `{"version": 1, "command": "breaking", "against": "v1", "findings": [` + strings.Join(findings, ",") + `], "added": [` + strings.Join(additions, ",") + `],
		"crds": [{"name": "foos.example.com", "file": "new.yaml", "line": 1, "document": 0, "apiVersion": "apiextensions.k8s.io/v1"}]}`
}

// changeAt is a finding about a change, with further members.
func changeAt(rule, severity string, line int, members string) string {
	return fmt.Sprintf(`{"rule": %q, "severity": %q, "message": "change %d", "file": "new.yaml", "line": %d, "column": 1, "document": 0,
		"resource": "foos.example.com", "field": "spec.f%d", "related": [{"file": "old.yaml", "line": 3}]%s}`, rule, severity, line, line, line, members)
}

// TestManyChanges tests that changes are shown up to a limit, the gravest first, and that what is left out is counted.
func TestManyChanges(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		removed, added, rows int
		want                 []string
	}{
		{120, 0, 121, nil},
		{100, 3000, 1000, []string{"2101 more changes not shown: 2101 compatible. The gravest", "2101 more changes of this CRD not shown"}},
		{1500, 0, 1000, []string{"501 more changes not shown: 501 warnings", "501 more changes of this CRD not shown"}},
	} {
		got := pageOf(t, overviewOf(t, map[string]string{"a": removedFields(c.removed, c.added, changeAt("crd-removed", "error", 9000, ""))}, "a"))
		if rows := strings.Count(got, "<tr class="); rows != c.rows {
			t.Errorf("%d removed and %d added: %d rows, want %d", c.removed, c.added, rows, c.rows)
		}
		if first := strings.Index(got, "change 9000"); first < 0 || first > strings.Index(got, "change 1<") && strings.Contains(got, "change 1<") {
			t.Errorf("%d removed and %d added: the error is not the first", c.removed, c.added)
		}
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%d removed and %d added: the page does not say %q", c.removed, c.added, want)
			}
		}
		if len(c.want) == 0 && strings.Contains(got, "not shown") {
			t.Errorf("%d removed and %d added: the page says that something is not shown", c.removed, c.added)
		}
	}
}

// TestSides tests the words on both sides where values would mislead, and that a file of all rows is named once.
func TestSides(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ finding, old, new string }{
		{changeAt("field-newly-required", "error", 1, `, "new": "bucket"`), `optional<br><small><code>line 3`, `required<br><small><code>line 1<`},
		{changeAt("field-removed", "error", 1, ""), `there<br><small><code>line 3<`, `removed<br><small><code>line 1<`},
		{changeAt("crd-removed", "error", 1, ""), `there<br>`, `removed</td>`},
		{changeAt("constraint-tightened", "error", 1, `, "old": 30, "new": 7`), `<code>30</code>`, `<code>7</code>`},
	} {
		got := pageOf(t, overviewOf(t, map[string]string{"a": removedFields(0, 0, c.finding)}, "a"))
		if !strings.Contains(got, `<td class="old" data-label="before">`+c.old) || !strings.Contains(got, `<td class="new" data-label="now">`+c.new) {
			t.Errorf("%s: the sides are not %q and %q:\n%s", c.finding, c.old, c.new, got[strings.Index(got, `<table class="changes`):])
		}
		if n := strings.Count(got, "old.yaml"); n != 1 {
			t.Errorf("%s: the old file is named %d times", c.finding, n)
		}
	}
}

// TestDeprecated tests that a deprecation which the line of versions shows is no row as well, and says both sides where it is one.
func TestDeprecated(t *testing.T) {
	t.Parallel()
	const report = `{"version": 1, "command": "breaking", "against": "old", "findings": [], "added": [{"resource": "a.b", "versions": ["v1"], "text": "deprecated%s"}],
		"crds": [{"name": "a.b", "file": "a", "line": 1, "document": 0, "versions": [{"name": "v1", "served": true, "storage": true, "deprecated": true}],
		"before": [{"name": "v1", "served": true, "storage": true, "deprecated": false}]}]}`
	for text, rows := range map[string]int{"": 0, ": use v2": 1} {
		got := pageOf(t, overviewOf(t, map[string]string{"a": fmt.Sprintf(report, text)}, "a"))
		if n := strings.Count(got, ">not deprecated<"); n != rows || strings.Count(got, ">deprecated</td>") != rows {
			t.Errorf("deprecated%s: %d rows, want %d", text, n, rows)
		}
	}
}

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
