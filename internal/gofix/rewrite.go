// Package gofix writes markers into Go files: on lines of their own above the declarations that they are for, without a
// change of anything else. It knows which of them exclude one another, and nothing of rules and manifests.
//
// Read rewrite.go first: what is done to a file, which source.go reads. merge.go puts together what is asked of one
// declaration, or says why that cannot be done, and arguments.go what is asked of one marker; meaning.go knows which markers
// are about the same thing, and spelling.go how a file calls them; above.go turns the changes into text, and proof.go proves
// the result. plan.go does it for the findings of several files.
package gofix

import (
	"slices"

	"github.com/crdlift/crdlift/lint"
)

// A Result is a file after changes of its markers.
type Result struct {
	Text []byte // equal to the original where nothing was changed
	// Refused has an error for each mark that was not made, and nil for the others.
	Refused []error
}

// Rewrite makes the changes of the markers of a file that can be made. The positions are those of the text, and that is
// gofmt's if it was before.
func Rewrite(path string, text []byte, marks []lint.Mark) Result {
	f, err := read(path, text)
	if err != nil {
		return refuseAll(text, marks, err)
	}
	out := Result{Text: text, Refused: make([]error, len(marks))}
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

func refuseAll(text []byte, marks []lint.Mark, err error) Result {
	return Result{text, slices.Repeat([]error{err}, len(marks))}
}

// refuse notes why marks are not made, if nothing else was noted before.
func refuse(refused []error, which []int, err error) {
	for _, i := range which {
		if refused[i] == nil {
			refused[i] = err
		}
	}
}
