package gofix

import (
	"bytes"
	"errors"
	"fmt"
	"go/format"
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

var errGenerated = errors.New("a program writes this file, as a comment in it says")

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
			return 0, fmt.Errorf("the declaration is that of %s, too, which the marker would be for as well; declare them apart", other.Name)
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
