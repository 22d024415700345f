package main

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
	"github.com/crdlift/crdlift/web/answer"
)

// built is the site of this repository, made once for all tests.
var built = sync.OnceValues(func() (*site, error) { return build(os.DirFS(filepath.Join("..", "..")), nil) })

func builtSite(t *testing.T) *site {
	t.Helper()
	s, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A parsedPage is a page as a browser reads it.
type parsedPage struct {
	root  *html.Node
	ids   map[string]bool
	twice []string // ids that are not the only ones of their name
}

// pagesOfSite are all pages, by the path of their file.
func pagesOfSite(t *testing.T, s *site) map[string]parsedPage {
	t.Helper()
	all := map[string]parsedPage{}
	for name, text := range s.files {
		if path.Ext(name) != ".html" {
			continue
		}
		root, err := html.Parse(bytes.NewReader(text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		p := parsedPage{root: root, ids: map[string]bool{}}
		for n := range root.Descendants() {
			if id := attribute(n, "id"); id != "" {
				if p.ids[id] {
					p.twice = append(p.twice, id)
				}
				p.ids[id] = true
			}
		}
		all[name] = p
	}
	return all
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// TestLinks follows every link, form, image, script and style sheet of every page: into the site they lead somewhere, their
// fragments too, and nothing is loaded from elsewhere.
func TestLinks(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	pages := pagesOfSite(t, s)
	home, err := url.Parse(report.Homepage + "/")
	if err != nil {
		t.Fatal(err)
	}
	followed := 0
	for name, p := range pages {
		from, err := url.Parse(absolute(strings.TrimSuffix(name, "index.html")))
		if err != nil {
			t.Fatal(err)
		}
		for n := range p.root.Descendants() {
			for _, a := range n.Attr {
				if !slices.Contains([]string{"href", "src", "action", "data-index", "data-root", "srcset", "poster", "data"}, a.Key) {
					continue
				}
				to, err := from.Parse(a.Val)
				if err != nil {
					t.Errorf("%s: %s: %v", name, a.Val, err)
					continue
				}
				if to.Host != home.Host {
					if n.DataAtom != atom.A || to.Scheme != "https" && to.Scheme != "http" {
						t.Errorf("%s: <%s> loads %s, which is not of the site", name, n.Data, a.Val)
					}
					continue
				}
				followed++
				if problem := reach(s, pages, home, to); problem != "" {
					t.Errorf("%s: %s %s", name, a.Val, problem)
				}
			}
		}
	}
	if followed < 5_000 {
		t.Errorf("only %d links were followed", followed)
	}
}

// TestOwnLinks has links that name the site lead into it, however they are written, and leaves badges out.
func TestOwnLinks(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	for markdown, want := range map[string]string{
		"See " + report.Homepage + ", please":                                       `<p>See <a href="../../">` + report.Homepage + `</a>, please</p>`,
		"<" + report.Homepage + "/playground/>":                                     `<p><a href="../../playground/">` + report.Homepage + `/playground/</a></p>`,
		"[A](" + report.Homepage + "/)":                                             `<p><a href="../../">A</a></p>`,
		"[A](" + report.Homepage + "/rules/a)":                                      `<p><a href="../../rules/a/">A</a></p>`,
		"<https://example.com/?a&b>":                                                `<p><a href="https://example.com/?a&amp;b">https://example.com/?a&amp;b</a></p>`,
		"[![A](https://a.example/b.svg)](x)\n![B](https://a.example/c.svg)\n\nText": `<p>Text</p>`,
		"![A](docs/a.svg)":                                                          `<p><img src="../../docs/a.svg" alt="A"></p>`,
	} {
		d := s.parse("README.md", "docs/readme/", markdown)
		got, err := d.html(d.root)
		if text := strings.TrimSpace(string(got)); err != nil || text != want {
			t.Errorf("%s becomes %s, %v; want %s", markdown, text, err, want)
		}
	}
}

// reach says why an address of the site leads nowhere; "" when it does not.
func reach(s *site, pages map[string]parsedPage, home, to *url.URL) string {
	below, ok := strings.CutPrefix(to.Path, home.Path)
	if !ok {
		return "leaves the site"
	}
	if slices.ContainsFunc(builtElsewhere, func(own string) bool { return strings.HasPrefix(below, own) }) {
		return ""
	}
	file := fileOf(below)
	if s.files[file] == nil {
		return "is not there"
	}
	if path.Base(file) == "index.html" && below != "" && !strings.HasSuffix(below, "/") {
		return "lacks the slash at its end, which takes another request"
	}
	if below == playgroundPath {
		return "" // where the fragment is a text: TestPlaygroundLinks opens it
	}
	if to.Fragment != "" && !pages[file].ids[to.Fragment] {
		return "names a heading that is not there"
	}
	return ""
}

// TestRules holds the addresses that findings lead to against the site, for each rule and kind of note, and for each earlier
// id: that has to lead on without a script.
func TestRules(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	for _, r := range append(rules.All(), rules.Notes()...) {
		below := strings.TrimPrefix(report.RulePage(r.ID), report.Homepage+"/")
		text := string(s.files[fileOf(below)])
		if !strings.Contains(text, "<h1>"+r.ID+"</h1>") {
			t.Errorf("%s has no page at %s", r.ID, report.RulePage(r.ID))
		}
		if strings.Contains(rules.Page(r.ID), "\n**Example**\n") != strings.Contains(text, `id="example"`) {
			t.Errorf("the page of %s does not have its example", r.ID)
		}
		if strings.Contains(rules.Page(r.ID), "\n**Before**\n") != strings.Contains(text, `id="before"`) {
			t.Errorf("the page of %s does not have the earlier manifest", r.ID)
		}
		if !strings.Contains(string(s.files["rules/index.html"]), `href="../rules/`+r.ID+`/"`) {
			t.Errorf("the catalogue does not lead to %s", r.ID)
		}
		for _, was := range r.Was {
			text := string(s.files[fileOf("rules/"+was)])
			for _, part := range []string{`content="0; url=../../rules/` + r.ID + `/"`, `rel="canonical" href="` + report.RulePage(r.ID) + `/"`, `<a href="../../rules/` + r.ID + `/">`} {
				if !strings.Contains(text, part) {
					t.Errorf("%s does not lead to %s: it lacks %s", was, r.ID, part)
				}
			}
		}
	}
}

// TestPages checks what every page has: one title, one heading of the first level and those of others in order, ids that
// are unique, no style or script of its own, which the policy would stop, and nothing that a template could not fill in.
func TestPages(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	titles := map[string]string{}
	for name, p := range pagesOfSite(t, s) {
		text := string(s.files[name])
		if len(p.twice) > 0 {
			t.Errorf("%s has the ids %s twice", name, p.twice)
		}
		level, mains := 0, 0
		for n := range p.root.Descendants() {
			switch n.DataAtom {
			case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
				next := int(n.Data[1] - '0')
				if next > level+1 || next == 1 && level > 0 {
					t.Errorf("%s: a heading of level %d follows one of level %d", name, next, level)
				}
				level = next
			case atom.Main:
				mains++
			case atom.Style:
				t.Errorf("%s has a style of its own", name)
			case atom.Script:
				if attribute(n, "src") == "" {
					t.Errorf("%s has a script of its own", name)
				}
			case atom.Title:
				title := n.FirstChild.Data
				if other := titles[title]; other != "" && !strings.Contains(text, "http-equiv=\"refresh\"") {
					t.Errorf("%s and %s have the title %q", name, other, title)
				}
				if !strings.Contains(text, "http-equiv=\"refresh\"") {
					titles[title] = name
				}
			}
			for _, a := range n.Attr {
				if a.Key == "style" || strings.HasPrefix(a.Key, "on") {
					t.Errorf("%s: <%s %s>, which the policy stops", name, n.Data, a.Key)
				}
			}
		}
		if level == 0 || mains != 1 {
			t.Errorf("%s has no heading, or %d main parts", name, mains)
		}
		for _, bad := range []string{"raw HTML omitted", "ZgotmplZ", "<no value>", "%!"} {
			if strings.Contains(text, bad) && !strings.HasPrefix(name, "docs/") {
				t.Errorf("%s has %q", name, bad)
			}
		}
		if strings.Contains(text, "raw HTML omitted") {
			t.Errorf("%s is made of Markdown with HTML, which is left out", name)
		}
	}
}

// TestDeterministic builds the site again.
func TestDeterministic(t *testing.T) {
	t.Parallel()
	one := builtSite(t)
	two, err := build(os.DirFS(filepath.Join("..", "..")), nil)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(one.names(), two.names()) {
		t.Fatal("two builds have other files")
	}
	for name, text := range one.files {
		if !bytes.Equal(text, two.files[name]) {
			t.Errorf("%s differs between two builds", name)
		}
	}
}

// TestPlaygroundLinks opens what links to the playground carry: the manifests of examples, without the comments of tests.
func TestPlaygroundLinks(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	link := regexp.MustCompile(`(?:"|\.\./)playground/#([A-Za-z0-9_-]+)"`)
	opened := 0
	for name, text := range s.files {
		for _, m := range link.FindAllSubmatch(text, -1) {
			small, err := base64.RawURLEncoding.DecodeString(string(m[1]))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			content, err := io.ReadAll(flate.NewReader(bytes.NewReader(small)))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			var carried struct {
				Files []answer.File `json:"files"`
			}
			if err := json.Unmarshal(content, &carried); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for _, f := range carried.Files {
				if strings.Contains(f.Text, "# want") {
					t.Errorf("%s: %s has the comments of tests", name, f.Name)
				}
			}
			isOf := func(f *lint.Finding) bool { return f.Rule.ID == path.Base(path.Dir(name)) }
			if name != "index.html" && !slices.ContainsFunc(answer.Findings(carried.Files), isOf) {
				t.Errorf("%s: the example in the playground has no finding of the rule", name)
			}
			opened++
		}
	}
	if opened < 100 {
		t.Errorf("only %d examples can be tried in the playground", opened)
	}
}

// TestSearchIndex checks that what is searched has each rule under each of its names, and that addresses lead somewhere.
func TestSearchIndex(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	var entries []entry
	if err := json.Unmarshal(s.files[searchIndex], &entries); err != nil {
		t.Fatal(err)
	}
	pages := pagesOfSite(t, s)
	home, err := url.Parse(report.Homepage + "/")
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for i, e := range entries {
		to, err := home.Parse(e.Address)
		if err != nil || e.Title == "" || e.ID != i {
			t.Fatalf("%+v: %v", e, err)
		}
		if problem := reach(s, pages, home, to); problem != "" {
			t.Errorf("%s %s", e.Address, problem)
		}
		for _, id := range append(strings.Fields(e.Was), e.Title) {
			named[id] = true
		}
	}
	for _, r := range append(rules.All(), rules.Notes()...) {
		for _, id := range append(r.Was, r.ID) {
			if !named[id] {
				t.Errorf("%s cannot be searched for", id)
			}
		}
	}
}

// TestContents checks that no text of the documentation lists its own sections, as the page does that beside it.
func TestContents(t *testing.T) {
	t.Parallel()
	for name, p := range pagesOfSite(t, builtSite(t)) {
		for n := range p.root.Descendants() {
			if n.DataAtom != atom.Ul || attribute(n.Parent, "aria-label") != "" {
				continue
			}
			sections := 0
			for item := range n.ChildNodes() {
				if link := item.FirstChild; link != nil && link == item.LastChild && strings.HasPrefix(attribute(link, "href"), "#") {
					sections++
				}
			}
			if sections > 2 {
				t.Errorf("%s lists %d of its sections", name, sections)
			}
		}
	}
}

// TestSchemas has the list of the documentation lead to every schema.
func TestSchemas(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	for name := range s.files {
		if path.Dir(name) == "schema" && !bytes.Contains(s.files["docs/index.html"], []byte(`"../`+name+`"`)) {
			t.Errorf("docs/ does not lead to %s", name)
		}
	}
}

// TestWrite writes the site twice: what an earlier build left goes, what others build there stays.
func TestWrite(t *testing.T) {
	t.Parallel()
	s, dir := builtSite(t), t.TempDir()
	gone := []string{"rules/gone/index.html", "playground/old.js"}
	left := append(gone, playgroundScript, "playground/crdlift-1.bin", searchScript)
	for _, name := range left {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if err := s.write(dir); err != nil {
			t.Fatal(err)
		}
	}
	for i, name := range left {
		if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name))); (err == nil) != (i >= len(gone)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, text := range s.files {
		if have, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name))); err != nil || !bytes.Equal(have, text) {
			t.Errorf("%s is not written: %v", name, err)
		}
	}
}
