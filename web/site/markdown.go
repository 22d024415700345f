package main

import (
	"bytes"
	"html/template"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdown reads what GitHub reads: its tables, its bare addresses, its names of headings. Raw HTML is left out, as pages of
// the repository have none but comments, and so are badges: images of other hosts, which the site does not load.
var markdown = goldmark.New(
	goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.Linkify),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(parts{}, 100))),
)

// A document is a parsed Markdown file.
type document struct {
	source []byte
	root   ast.Node
}

// parse reads the text of a Markdown file that becomes the page at an address.
func (s *site) parse(file, address, source string) document {
	ids := headingIDs{}
	d := document{[]byte(source), nil}
	d.root = markdown.Parser().Parse(text.NewReader(d.source), parser.WithContext(parser.NewContext(parser.WithIDs(ids))))
	var left []ast.Node
	var addresses []*ast.AutoLink
	_ = ast.Walk(d.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			n.Destination = []byte(s.resolve(file, address, string(n.Destination)))
		case *ast.AutoLink:
			addresses = append(addresses, n)
		case *ast.Image:
			if isElsewhere(string(n.Destination)) {
				left = append(left, n)
				break
			}
			n.Destination = []byte(s.resolve(file, address, string(n.Destination)))
		case *ast.HTMLBlock:
			if n.HTMLBlockType == ast.HTMLBlockType2 {
				left = append(left, n)
			}
		case *ast.RawHTML:
			if bytes.HasPrefix(n.Segments.Value(d.source), []byte("<!--")) {
				left = append(left, n)
			}
		}
		return ast.WalkContinue, nil
	})
	for _, n := range left {
		d.leaveOut(n)
	}
	for _, n := range addresses {
		d.link(n, s.resolve(file, address, string(n.URL(d.source))))
	}
	label(d)
	return d
}

// leaveOut removes a node, and what is around it and has nothing else: the link of a badge, and a line of them.
func (d document) leaveOut(n ast.Node) {
	around := n.Parent()
	around.RemoveChild(around, n)
	if around.Kind() == ast.KindLink || around.Kind() == ast.KindParagraph {
		if d.plain(around) == "" && !holds(around, ast.KindImage) {
			d.leaveOut(around)
		}
	}
}

// holds reports whether a node of a kind is below another.
func holds(n ast.Node, kind ast.NodeKind) bool {
	found := false
	_ = ast.Walk(n, func(n ast.Node, _ bool) (ast.WalkStatus, error) {
		found = found || n.Kind() == kind
		return ast.WalkContinue, nil
	})
	return found
}

// link makes a bare address a link that leads elsewhere and still reads as it did.
func (d document) link(n *ast.AutoLink, to string) {
	link := ast.NewLink()
	link.Destination = []byte(to)
	label := ast.NewString(n.Label(d.source))
	label.SetRaw(true) // no Markdown, as the address of a page
	link.AppendChild(link, label)
	n.Parent().ReplaceChild(n.Parent(), n, link)
}

// html renders a node of a document.
func (d document) html(n ast.Node) (template.HTML, error) {
	var out bytes.Buffer
	err := markdown.Renderer().Render(&out, d.source, n)
	return template.HTML(out.String()), err // goldmark escapes what it is given
}

// inline renders a line of Markdown, such as the summary of a rule.
func (s *site) inline(line, address string) (template.HTML, error) {
	d := s.parse("README.md", address, line)
	out, err := d.html(d.root)
	return template.HTML(strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(string(out)), "<p>"), "</p>")), err
}

// plain is the text of a node, without marks. Blocks end with a space.
func (d document) plain(n ast.Node) string {
	var out strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Text:
			if entering {
				out.Write(n.Segment.Value(d.source))
				if n.SoftLineBreak() || n.HardLineBreak() {
					out.WriteByte(' ')
				}
			}
		case *ast.String:
			if entering {
				out.Write(n.Value)
			}
		case *ast.AutoLink:
			if entering {
				out.Write(n.URL(d.source))
			}
		default:
			if entering && n.Type() == ast.TypeBlock && n.Lines() != nil && (n.Kind() == ast.KindFencedCodeBlock || n.Kind() == ast.KindCodeBlock) {
				out.Write(n.Lines().Value(d.source))
			}
			if !entering && (n.Type() == ast.TypeBlock || n.Kind() == extast.KindTableCell) {
				out.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(out.String()), " ")
}
