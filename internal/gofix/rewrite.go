// Package gofix writes markers into Go files: on lines of their own above the declarations that they are for, without a
// change of anything else. It knows which of them exclude one another, and nothing of rules and manifests.
//
// Read rewrite.go first: what is done to a file. merge.go puts together what is asked of one declaration, or says why that
// cannot be done; meaning.go knows which markers are about the same thing, and spelling.go how a file
// calls them; above.go turns the changes into text, and proof.go proves the result. plan.go does it for the findings of
// several files.
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

// A Rewritten is a file after changes of its markers.
type Rewritten struct {
	Text []byte // equal to the original where nothing was changed
	// Refused has an error for each mark that was not made, and nil for the others.
	Refused []error
}

// Rewrite makes the changes of the markers of a file that can be made. The positions are those of the text, and that is
// gofmt's if it was before.
func Rewrite(path string, text []byte, marks []lint.Mark) Rewritten {
	f, err := read(path, text)
	if err != nil {
		return refuseAll(text, marks, err)
	}
	out := Rewritten{Text: text, Refused: make([]error, len(marks))}
	asked := map[int][]int{} // marks by declaration
	for i, mark := range marks {
		at, err := f.find(mark)
		if err != nil {
			out.Refused[i] = err
			continue
		}
		asked[at] = append(asked[at], i)
	}
	want := f.markers()
	var edits []edit
	for at, d := range f.All {
		if len(asked[at]) == 0 {
			continue
		}
		change := f.merge(d, marks, asked[at], out.Refused)
		more, err := f.above(d, change)
		if err != nil {
			refuse(out.Refused, asked[at], err)
			continue
		}
		edits = append(edits, more...)
		want[at] = change.result(want[at])
	}
	if len(edits) == 0 {
		return out
	}
	changed, err := f.prove(apply(text, edits), want)
	if err != nil {
		return refuseAll(text, marks, err)
	}
	out.Text = changed
	return out
}

func refuseAll(text []byte, marks []lint.Mark, err error) Rewritten {
	return Rewritten{text, slices.Repeat([]error{err}, len(marks))}
}

// refuse notes why marks are not made, if nothing else was noted before.
func refuse(refused []error, which []int, err error) {
	for _, i := range which {
		if refused[i] == nil {
			refused[i] = err
		}
	}
}

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
