package answer

import (
	"fmt"

	"github.com/crdlift/crdlift/internal/complete"
	"github.com/crdlift/crdlift/internal/lines"
	crds "github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/lint"
)

// A Place is one in the text of a file. Lines and columns count from 1, columns in code points.
type Place struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// An item is what may be written at a place: edits of one file, in the order in which they are shown.
type item struct {
	lint.TextEdit
	Label      string `json:"label"`
	Detail     string `json:"detail,omitempty"`
	Doc        string `json:"doc,omitempty"`
	Deprecated bool   `json:"deprecated,omitempty"`
}

// completed are the items at the place of a question.
func completed(q *Question) (any, error) {
	text, at, table, err := written(q)
	if err != nil {
		return nil, err
	}
	all := []item{}
	for _, i := range complete.Sorted(text.At(at)) {
		all = append(all, item{span(table, i.Start, i.End, i.Insert), i.Label, i.Detail, i.Doc, i.Deprecated})
	}
	return all, nil
}

// explained is what there is to say about what is written at the place of a question; the text is "" where that is nothing.
func explained(q *Question) (any, error) {
	text, at, table, err := written(q)
	if err != nil {
		return nil, err
	}
	note := text.NoteAt(at)
	if note == nil {
		return lint.TextEdit{}, nil
	}
	return span(table, note.Start, note.End, note.Text), nil
}

// written is the text that a question is about, the offset of its place there, and where offsets are.
func written(q *Question) (*complete.Text, int, *lines.Table, error) {
	if q.Place != nil {
		for _, f := range q.Files {
			table := lines.TableOf([]byte(f.Text))
			if at, found := table.Offset(q.Place.Line, q.Place.Column); f.Name == q.Place.File && found {
				return &complete.Text{Path: f.Name, Source: []byte(f.Text), CRDs: crds.Held(by(q).Definitions()).Catalogue()}, at, table, nil
			}
		}
	}
	return nil, 0, nil, fmt.Errorf("the question needs a place in one of its files")
}

func span(table *lines.Table, start, end int, text string) lint.TextEdit {
	e := lint.TextEdit{Text: text}
	e.Line, e.Column = table.Position(start)
	e.EndLine, e.EndColumn = table.Position(end)
	return e
}
