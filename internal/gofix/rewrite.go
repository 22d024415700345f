// Package gofix writes markers into Go files: on lines of their own above the declarations that they are for, without a
// change of anything else. It knows which of them exclude one another, and nothing of rules and manifests.
//
// Read rewrite.go first: what is done to a file, and to several for findings. source.go reads one, and proves the result;
// merge.go puts together what is asked of one declaration, or says why that cannot be done; meaning.go knows which markers
// are about the same thing, and which requests one marker can meet, spelling.go how a file calls them; above.go turns the
// changes into text.
package gofix

import (
	"errors"
	"maps"
	"slices"

	"github.com/crdlift/crdlift/internal/gotypes"
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

// A File is a Go file that is to be changed.
type File struct {
	gotypes.Source
	Shown string // its path as positions have it
	After []byte
}

// A Plan is the changes of files that fix what they can of several findings.
type Plan struct {
	Files []File // those that change, by their paths
	// Refused has an error for each finding that is not fixed, and nil for the others.
	Refused []error
}

var errUnread = errors.New("its file was not read")

// PlanFor plans the marks of findings, each of which is fixed by all of its own or not at all. The source function returns
// a file by the path that positions in it have.
func PlanFor(findings [][]lint.Mark, source func(path string) (gotypes.Source, bool)) Plan {
	plan := Plan{Refused: make([]error, len(findings))}
	for {
		asked := plan.asked(findings)
		plan.Files = nil
		refused := false
		for _, path := range slices.Sorted(maps.Keys(asked)) {
			file, ok := source(path)
			out := refuseAll(file.Text, asked[path].marks, errUnread)
			if ok {
				out = Rewrite(path, file.Text, asked[path].marks)
			}
			for i, err := range out.Refused {
				if of := asked[path].of[i]; err != nil && plan.Refused[of] == nil {
					plan.Refused[of], refused = err, true
				}
			}
			if !slices.Equal(out.Text, file.Text) {
				plan.Files = append(plan.Files, File{file, path, out.Text})
			}
		}
		// The marks of a finding that is not fixed elsewhere must not stay here.
		if !refused {
			return plan
		}
	}
}

// marksOf are the marks in a file, and the findings that they are of.
type marksOf struct {
	marks []lint.Mark
	of    []int
}

// asked returns what the findings that are not rejected ask for, by file.
func (p *Plan) asked(findings [][]lint.Mark) map[string]*marksOf {
	all := map[string]*marksOf{}
	for i, marks := range findings {
		if p.Refused[i] != nil {
			continue
		}
		for _, mark := range marks {
			at := all[mark.Pos.File]
			if at == nil {
				at = &marksOf{}
				all[mark.Pos.File] = at
			}
			at.marks, at.of = append(at.marks, mark), append(at.of, i)
		}
	}
	return all
}
