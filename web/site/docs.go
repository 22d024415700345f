package main

import (
	"cmp"
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
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

// A docPage is the content of such a page: the document, and the others.
type docPage struct {
	*doc
	Shelf *shelf // that it stands on
	All   []*shelf
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
			if err := s.addPage(&page{Path: d.Address, Kind: "doc", Title: d.Title, Description: d.About, Content: docPage{d, shelf, s.shelves}}); err != nil {
				return err
			}
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
	one := &doc{Address: addressOf(file), Source: s.onGitHub("blob", file)}
	d := s.parse(file, one.Address, text)
	at := entry{Kind: "documentation", Address: one.Address}
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
		default:
			if one.About == "" && n.Kind() == ast.KindParagraph {
				one.About = firstSentence.FindStringSubmatch(d.plain(n))[1] + "."
			}
			at.Text += d.plain(n) + " "
		}
	}
	s.entries = append(s.entries, at)
	if one.Title == "" || one.About == "" {
		return nil, fmt.Errorf("it has no title, or no first sentence")
	}
	one.Body, err = d.html(d.root)
	return one, err
}

// firstSentence is how a text begins.
var firstSentence = regexp.MustCompile(`^(.+?)[.:]?(?:[.:] |$)`)

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
