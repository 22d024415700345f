package gofix

import (
	"errors"
	"maps"
	"slices"

	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/lint"
)

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

// asked returns what the findings that are not refused ask for, by file.
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
