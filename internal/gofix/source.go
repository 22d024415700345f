package gofix

import (
	"bytes"
	"errors"
	"fmt"
	"go/format"
	"go/scanner"
	"go/token"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/lint"
)

// A source is a file to change.
type source struct {
	gotypes.Declarations
	path  string
	text  []byte
	table *lines.Table
}

var errGenerated = errors.New("the file is generated, as a comment in it says")

func read(path string, text []byte) (*source, error) {
	all, err := gotypes.DeclarationsOf(path, text)
	if err != nil {
		return nil, fmt.Errorf("its Go is broken: %w", err)
	}
	if all.Generated {
		return nil, errGenerated
	}
	return &source{all, path, text, lines.TableOf(text)}, nil
}

// find returns the declaration that a mark is for.
func (f *source) find(mark lint.Mark) (int, error) {
	name := mark.Symbol[strings.LastIndexByte(mark.Symbol, '.')+1:]
	at := slices.IndexFunc(f.All, func(d gotypes.Declaration) bool {
		return d.Pos.Line == mark.Pos.Line && d.Pos.Column == mark.Pos.Column && d.Name == name
	})
	if at < 0 {
		return 0, fmt.Errorf("%s is no longer declared there", mark.Symbol)
	}
	for i, other := range f.All {
		if i != at && other.Begin == f.All[at].Begin {
			return 0, fmt.Errorf("the declaration also declares %s, which would get the marker too; declare them separately", other.Name)
		}
	}
	return at, nil
}

// markers are the texts of those of each declaration.
func (f *source) markers() (all [][]string) {
	for _, d := range f.All {
		var texts []string
		for _, m := range d.Markers {
			texts = append(texts, m.Text)
		}
		all = append(all, texts)
	}
	return all
}

// An edit replaces a part of the text.
type edit struct {
	lines.Span
	text string
}

// apply makes edits that do not overlap. Those at the same place are made in their order.
func apply(text []byte, edits []edit) []byte {
	slices.SortStableFunc(edits, func(a, b edit) int { return a.Start - b.Start })
	var out bytes.Buffer
	at := 0
	for _, e := range edits {
		out.Write(text[at:e.Start])
		out.WriteString(e.text)
		at = e.End
	}
	out.Write(text[at:])
	return out.Bytes()
}

// formatted returns a text as gofmt writes it, if it wrote the original.
func (f *source) formatted(text []byte) ([]byte, error) {
	if clean, err := format.Source(f.text); err != nil || !bytes.Equal(clean, f.text) {
		return text, nil
	}
	return format.Source(text)
}

// prove returns a changed text as it is to be written. It fails unless the Go in it is the same, its comments are those
// that were written, and gotypes finds in them the markers that every declaration is to have.
func (f *source) prove(changed []byte, want [][]string) ([]byte, error) {
	out, err := f.formatted(changed)
	if err != nil {
		return nil, fmt.Errorf("it would not parse with the markers: %w", err)
	}
	before, _ := tokens(f.text)
	_, written := tokens(changed)
	after, comments := tokens(out)
	switch {
	case !slices.Equal(before, after):
		return nil, errors.New("the markers would change more than comments")
	case !slices.Equal(written, comments):
		return nil, errors.New("gofmt would change its comments")
	}
	return out, f.finds(out, want)
}

// finds fails unless a text declares the same, with other markers.
func (f *source) finds(text []byte, want [][]string) error {
	all, err := gotypes.DeclarationsOf(f.path, text)
	if err != nil {
		return fmt.Errorf("it would not parse with the markers: %w", err)
	}
	changed := &source{Declarations: all}
	for i, markers := range changed.markers() {
		slices.Sort(markers)
		slices.Sort(want[i])
		if now, was := all.All[i], f.All[i]; now.Name != was.Name || now.Doc != was.Doc || !slices.Equal(markers, want[i]) {
			return fmt.Errorf("the markers would change other comments of %s", was.Name)
		}
	}
	same := func(a, b gotypes.Marker) bool { return a.Text == b.Text }
	if !slices.EqualFunc(all.Package, f.Package, same) {
		return errors.New("the markers of the package would change")
	}
	return nil
}

// tokens returns the tokens of a text and the lines of its comments, without what only depends on where lines end:
// semicolons at the end of a block, white space, and comments without text.
func tokens(text []byte) (code, comments []string) {
	set := token.NewFileSet()
	var s scanner.Scanner
	s.Init(set.AddFile("", -1, len(text)), text, nil, scanner.ScanComments)
	for {
		_, tok, literal := s.Scan()
		switch tok {
		case token.EOF:
			return code, comments
		case token.SEMICOLON:
			code = append(code, ";")
		case token.COMMENT:
			for line := range strings.Lines(literal) {
				if line = strings.Trim(line, "/ \t\r\n"); line != "" {
					comments = append(comments, line)
				}
			}
		default:
			if n := len(code); n > 0 && code[n-1] == ";" && (tok == token.RBRACE || tok == token.RPAREN) {
				code = code[:n-1]
			}
			code = append(code, tok.String()+" "+literal)
		}
	}
}
