package main

import (
	"fmt"
	"html/template"
	"io/fs"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// A doc is a page of the documentation.
type doc struct {
	Address  string
	Title    string
	Body     template.HTML
	Sections []section
	Source   string // on GitHub
}

// A section is a heading below the title.
type section struct {
	ID, Title string
}

// A docPage is the content of such a page: the document, and the others.
type docPage struct {
	*doc
	All []*doc
}

// guides are the pages of the documentation in the order of those who get to know the program; others follow by name.
var guides = []string{
	"README.md", "docs/guides/playground.md", "docs/reference/roles.md", "docs/reference/configuration.md", "docs/reference/outputs.md", "docs/guides/report.md", "docs/guides/comparing.md",
	"docs/guides/validate.md", "docs/guides/applying.md", "docs/guides/upgrading.md", "docs/guides/migrate.md", "docs/guides/testing.md", "docs/guides/serve.md", "docs/guides/schemas.md", "docs/guides/webhooks.md", "docs/guides/convert.md", "docs/guides/migration.md",
	"docs/guides/go-types.md", "docs/guides/helm.md", "docs/guides/crossplane.md", "docs/guides/editors.md", "docs/guides/integrations.md", "docs/reference/faq.md",
}

// addDocs adds the pages that are made from Markdown files, and the list of them.
func (s *site) addDocs() error {
	files, err := fs.Glob(s.root, "docs/*/*.md")
	if err != nil {
		return err
	}
	for file := range pagesOf {
		if addressOf(file) != rulesPath {
			files = append(files, file)
		}
	}
	slices.SortFunc(files, func(a, b string) int {
		if at, other := guideOf(a), guideOf(b); at != other {
			return at - other
		}
		return strings.Compare(addressOf(a), addressOf(b))
	})
	var all []*doc
	for _, file := range files {
		d, err := s.docOf(file)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		all = append(all, d)
	}
	for _, d := range all {
		description := "Documentation of crdlift: " + d.Title + "."
		if err := s.addPage(&page{Path: d.Address, Kind: "doc", Title: d.Title, Description: description, Content: docPage{d, all}}); err != nil {
			return err
		}
	}
	return s.addPage(&page{Path: "docs/", Kind: "docs", Title: "Documentation", Description: "The documentation of crdlift.", Content: all})
}

func guideOf(file string) int {
	if i := slices.Index(guides, file); i >= 0 {
		return i
	}
	return len(guides)
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
	for n := d.root.FirstChild(); n != nil; n = n.NextSibling() {
		heading, ok := n.(*ast.Heading)
		if !ok {
			at.Text += d.plain(n) + " "
			continue
		}
		id, _ := heading.AttributeString("id")
		title := d.plain(n)
		if heading.Level == 1 {
			if file == "README.md" {
				title = "Overview" // its heading is the name of all
			}
			one.Title, at.Title = title, title
			continue
		}
		s.entries = append(s.entries, at)
		at = entry{Kind: "documentation", Title: one.Title + ": " + title, Address: one.Address + "#" + string(id.([]byte))}
		if heading.Level == 2 {
			one.Sections = append(one.Sections, section{string(id.([]byte)), title})
		}
	}
	s.entries = append(s.entries, at)
	if one.Title == "" {
		return nil, fmt.Errorf("it has no title")
	}
	one.Body, err = d.html(d.root)
	return one, err
}
