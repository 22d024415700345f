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
