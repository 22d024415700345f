package gotypes

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/crdlift/crdlift/lint"
)

// A Marker is a comment that begins with a plus sign.
type Marker struct {
	Text string // from the plus sign on
	Pos  lint.Position
}

// Name returns the marker up to the first equals sign, such as kubebuilder:validation:MaxItems.
func (m Marker) Name() string {
	name, _, _ := strings.Cut(m.Text[1:], "=")
	return name
}

// value returns what comes after the name, a Go string without its quotes.
func (m Marker) value() string {
	_, value, _ := strings.Cut(m.Text, "=")
	if plain, err := strconv.Unquote(value); err == nil {
		return plain
	}
	return strings.TrimSpace(value)
}

// markerText returns a comment from its plus sign on, if it is a marker.
func markerText(comment string) (text string, ok bool) {
	text, line := strings.CutPrefix(comment, "//")
	text = strings.TrimSpace(text)
	return text, line && strings.HasPrefix(text, "+")
}

// markers returns the markers of comments.
func (f *File) markers(groups ...*ast.CommentGroup) (all []Marker) {
	for _, group := range groups {
		if group == nil {
			continue
		}
		for _, c := range group.List {
			if text, ok := markerText(c.Text); ok {
				all = append(all, Marker{text, f.span(c.Pos(), c.End())})
			}
		}
	}
	return all
}

// detached returns the last comment after a node that ends at a position, up to another node, which it is no
// documentation of. Controller-gen counts its markers as that node's, too.
func (f *File) detached(after, until token.Pos, doc *ast.CommentGroup) *ast.CommentGroup {
	if doc != nil {
		until = doc.Pos()
	}
	comments := f.syntax.Comments
	i, _ := slices.BinarySearchFunc(comments, until, func(g *ast.CommentGroup, at token.Pos) int { return int(g.Pos() - at) })
	if i > 0 && comments[i-1].Pos() >= after && f.line(comments[i-1].Pos()) > f.line(after) {
		return comments[i-1]
	}
	return nil
}

// description returns a comment as controller-gen writes it into a schema: without markers, lines that begin with TODO,
// and everything after a line of dashes, except in blocks of code.
func description(doc *ast.CommentGroup) string {
	if doc == nil {
		return ""
	}
	var prose ast.CommentGroup
	block := false // there is a comment of the form /* */, in which go/ast leaves the indentation
	for _, c := range doc.List {
		if _, marker := markerText(c.Text); !marker {
			prose.List = append(prose.List, c)
			block = block || strings.HasPrefix(c.Text, "/*")
		}
	}
	var lines []string
	code := false
	for line := range strings.SplitSeq(strings.TrimSuffix(prose.Text(), "\n"), "\n") {
		if block {
			line = strings.TrimSpace(line)
		}
		if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
			code = !code
		}
		if !code && strings.HasPrefix(line, "---") {
			break
		}
		if code || !strings.HasPrefix(line, "TODO") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}
