package main

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// headingIDs names headings as GitHub does, so that links to them work in both places.
type headingIDs map[string]int

// Generate implements parser.IDs.
func (ids headingIDs) Generate(value []byte, _ ast.NodeKind) []byte {
	id := anchor(string(value))
	n := ids[id]
	ids[id]++
	if n > 0 {
		id = fmt.Sprintf("%s-%d", id, n)
	}
	return []byte(id)
}

// anchor is the name of a heading.
func anchor(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r):
			return r
		}
		return -1
	}, strings.ToLower(strings.TrimSpace(heading)))
}

// Put implements parser.IDs.
func (ids headingIDs) Put(value []byte) { ids[string(value)]++ }

// parts renders what a browser needs more of than Markdown says.
type parts struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (parts) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(extast.KindTable, renderTable)
	r.Register(extast.KindTableHeader, renderTableHeader)
	r.Register(extast.KindTableCell, renderTableCell)
	r.Register(ast.KindFencedCodeBlock, renderCode)
	r.Register(ast.KindHeading, renderHeading)
}

// labelled is the attribute of tables that says what they are about.
var labelled = []byte("aria-label")

// label gives tables the names of their headings, each name once: wide ones are regions, which readers tell apart by name.
func label(d document) {
	heading, seen := "this page", map[string]int{}
	_ = ast.Walk(d.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n.Kind() {
		case ast.KindHeading:
			heading = d.plain(n)
		case extast.KindTable:
			name := "Table: " + heading
			if seen[name]++; seen[name] > 1 {
				name = fmt.Sprintf("%s (%d)", name, seen[name])
			}
			n.SetAttribute(labelled, []byte(name))
		}
		return ast.WalkContinue, nil
	})
}

// renderTable puts a table into a region that scrolls by itself, with the keyboard too, where it is too wide for the window.
func renderTable(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		_, _ = w.WriteString("</table></div>\n")
		return ast.WalkContinue, nil
	}
	name, _ := n.Attribute(labelled)
	_, _ = fmt.Fprintf(w, "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"%s\"><table>\n", util.EscapeHTML(name.([]byte)))
	return ast.WalkContinue, nil
}

// renderTableHeader leaves out a head without words.
func renderTableHeader(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if (document{source: source}).plain(n) == "" {
		if entering {
			_, _ = w.WriteString("<tbody>\n")
		}
		return ast.WalkSkipChildren, nil
	}
	if entering {
		_, _ = w.WriteString("<thead>\n<tr>\n")
	} else {
		_, _ = w.WriteString("</tr>\n</thead>\n<tbody>\n") // which the last row ends
	}
	return ast.WalkContinue, nil
}

// renderTableCell takes a corner without words for what it is: no head of anything.
func renderTableCell(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	tag := "td"
	if n.Parent().Kind() == extast.KindTableHeader && n.HasChildren() {
		tag = "th"
	}
	align := n.(*extast.TableCell).Alignment
	switch {
	case !entering:
		_, _ = fmt.Fprintf(w, "</%s>\n", tag)
	case align != extast.AlignNone:
		_, _ = fmt.Fprintf(w, "<%s align=\"%s\">", tag, align) // the pages' policy allows no styles of elements
	default:
		_, _ = fmt.Fprintf(w, "<%s>", tag)
	}
	return ast.WalkContinue, nil
}

// renderHeading gives headings an address that is easy to get at.
func renderHeading(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	level := n.(*ast.Heading).Level
	id, named := n.AttributeString("id")
	switch {
	case entering && named:
		_, _ = fmt.Fprintf(w, "<h%d id=\"%s\">", level, id)
	case entering:
		_, _ = fmt.Fprintf(w, "<h%d>", level)
	case named && level > 1:
		_, _ = fmt.Fprintf(w, " <a class=\"anchor\" href=\"#%s\" aria-label=\"Link to this section\">#</a></h%d>\n", id, level)
	default:
		_, _ = fmt.Fprintf(w, "</h%d>\n", level)
	}
	return ast.WalkContinue, nil
}
