package main

import (
	"cmp"
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
)

// A doc is a page of the documentation.
type doc struct {
	Address  string
	Title    string
	About    string // its first sentence
	Body     template.HTML
	Sections []section
	Source   string // on GitHub
}

// A section is a heading below the title.
type section struct {
	ID, Title string
}

// A shelf is a part of the documentation.
type shelf struct {
	Title string
	Docs  []*doc
	files []string // those that are not in its folder
	order []string // of its pages, by the last part of their addresses; others follow by name
}

// Anchor is the name of its heading.
func (s *shelf) Anchor() string { return anchor(s.Title) }

// Has reports whether a page stands on it.
func (s *shelf) Has(address string) bool {
	return slices.ContainsFunc(s.Docs, func(d *doc) bool { return d.Address == address })
}

// A shownShelf is a shelf as a page shows it.
type shownShelf struct {
	*page
	Docs []*doc
}

// Shelf is what templates/layout.html shows of a shelf.
func (p *page) Shelf(s *shelf) shownShelf { return shownShelf{p, s.Docs} }

// A docPage is the content of such a page: the document, and the others.
type docPage struct {
	*doc
	All []*shelf
}

// shelves are the parts of the documentation in the order of those who get to know the program.
func shelves() []*shelf {
	return []*shelf{
		{Title: "Guides", files: []string{"README.md", "examples/README.md"}, order: []string{
			"readme", "first-steps", "install", "ci", "kustomize", "go-types", "compare", "validate", "applying", "testing", "serve",
			"webhooks", "migrate", "convert", "audit", "helm", "crossplane", "editors", "report", "playground", "schemas",
		}},
		{Title: "Reference", files: []string{"webhooktest/README.md", "crdtest/README.md", "crdfake/README.md"}, order: []string{
			"commands", "configuration", "outputs", "roles", "errors", "faq", "comparison", "stability", "old-flags",
		}},
		{Title: "Internals", files: []string{"CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"}, order: []string{"architecture"}},
	}
}

// moved are addresses of pages that became parts of others.
var moved = map[string]string{
	"docs/integrations/":  "docs/ci/",
	"docs/comparing/":     "docs/compare/",
	"docs/upgrading/":     "docs/compare/",
	"docs/migration/":     "docs/convert/",
	"docs/audit-cluster/": "docs/audit/",
}

// addDocs adds the pages that are made from Markdown files, and the list of them.
func (s *site) addDocs() error {
	s.shelves = shelves()
	for _, shelf := range s.shelves {
		files, err := fs.Glob(s.root, "docs/"+strings.ToLower(shelf.Title)+"/*.md")
		if err != nil {
			return err
		}
		files = append(files, shelf.files...)
		place := func(file string) int {
			if i := slices.Index(shelf.order, path.Base(addressOf(file))); i >= 0 {
				return i
			}
			return len(shelf.order)
		}
		slices.SortFunc(files, func(a, b string) int {
			return cmp.Or(place(a)-place(b), strings.Compare(addressOf(a), addressOf(b)))
		})
		for _, file := range files {
			d, err := s.docOf(file)
			if err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			shelf.Docs = append(shelf.Docs, d)
		}
	}
	for _, shelf := range s.shelves {
		for _, d := range shelf.Docs {
			if err := s.addPage(&page{Path: d.Address, Kind: "doc", Title: d.Title, Description: d.About, Content: docPage{d, s.shelves}}); err != nil {
				return err
			}
		}
	}
	for from, to := range moved {
		if s.files[fileOf(from)] != nil || s.files[fileOf(to)] == nil {
			continue
		}
		if err := s.addRedirect(from, to, "Documentation"); err != nil {
			return err
		}
	}
	return s.addPage(&page{Path: "docs/", Kind: "docs", Title: "Documentation", Description: "The documentation of crdlift.", Content: s.shelves})
}

// docOf reads a Markdown file. Its first heading is the title.
func (s *site) docOf(file string) (*doc, error) {
	text, err := s.read(file)
	if err != nil {
		return nil, err
	}
	one := &doc{Address: addressOf(file), Source: repository + "/blob/main/" + file}
	d := s.parse(file, one.Address, text)
	at := entry{Kind: "documentation", Address: one.Address}
	var contents []ast.Node
	for n := d.root.FirstChild(); n != nil; n = n.NextSibling() {
		heading, ok := n.(*ast.Heading)
		switch {
		case ok && heading.Level == 1:
			one.Title = d.plain(n)
			if file == "README.md" {
				one.Title = "Overview" // its heading is the name of all
			}
			at.Title = one.Title
		case ok:
			id, _ := heading.AttributeString("id")
			title := d.plain(n)
			s.entries = append(s.entries, at)
			at = entry{Kind: "documentation", Title: one.Title + ": " + title, Address: one.Address + "#" + string(id.([]byte))}
			if heading.Level == 2 {
				one.Sections = append(one.Sections, section{string(id.([]byte)), title})
			}
		case d.isContents(n):
			contents = append(contents, n) // the page has its own
		default:
			if one.About == "" && n.Kind() == ast.KindParagraph {
				one.About = firstSentence(d.plain(n))
			}
			at.Text += d.plain(n) + " "
			if file == "docs/reference/errors.md" {
				s.addErrors(d, n, at.Address)
			}
		}
	}
	s.entries = append(s.entries, at)
	if one.Title == "" || one.About == "" {
		return nil, fmt.Errorf("it has no title, or no first sentence")
	}
	for _, n := range contents {
		d.root.RemoveChild(d.root, n)
	}
	one.Body, err = d.html(d.root)
	return one, err
}

// firstSentence is the beginning of a text, with a full stop.
func firstSentence(text string) string {
	for i, r := range text {
		if strings.ContainsRune(".:", r) && (i+1 == len(text) || text[i+1] == ' ' && !strings.HasSuffix(text[:i], "e.g")) {
			return text[:i] + "."
		}
	}
	return text + "."
}

// isContents reports whether a node is a list of nothing but links within the page.
func (d document) isContents(n ast.Node) bool {
	within := false
	for item := n.FirstChild(); item != nil && n.Kind() == ast.KindList; item = item.NextSibling() {
		link, ok := item.FirstChild().FirstChild().(*ast.Link)
		if within = ok && link.NextSibling() == nil && strings.HasPrefix(string(link.Destination), "#"); !within {
			break
		}
	}
	return within
}

// addErrors has the search find each error of the API server in a table of the page about them, not only their section.
func (s *site) addErrors(d document, table ast.Node, address string) {
	for row := table.FirstChild(); row != nil; row = row.NextSibling() {
		if row.Kind() != extast.KindTableRow {
			continue
		}
		var cells []string
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			cells = append(cells, d.plain(cell))
		}
		if len(cells) > 3 {
			title := cells[1] + " of " + cells[0]
			s.entries = append(s.entries, entry{Kind: "error", Title: title, Address: address, Text: "Message: " + cells[2] + "; rule: " + cells[3]})
		}
	}
}

// serverSays are words of the API server's errors about custom resources, by the rule that reports them.
var serverSays = map[string]string{
	"object-type": "invalid value: in body must be of type integer, must be of type string, must be of type boolean, must be of type number, " +
		"must be of type array, must be of type object",
	"object-required":       "required value",
	"object-enum":           "unsupported value: supported values",
	"object-constraint":     "in body should match, should be at least, should be at most, should be less than or equal to, should be greater than or equal to",
	"object-list-duplicate": "duplicate value",
	"object-format":         "in body must be of type date-time, uuid, duration, email, byte, uri",
	"object-rule":           "failed rule",
	"object-unknown-field":  "strict decoding error: unknown field",
	"object-duplicate-key":  "strict decoding error: already set",
	"object-kind-unknown":   "no matches for kind, ensure CRDs are installed first",
	"object-crd-missing":    "no matches for kind, ensure CRDs are installed first",
}
