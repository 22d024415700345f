package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
)

// A result is the part that counts of the file that gremlins writes.
type result struct {
	Files []struct {
		Name    string `json:"file_name"`
		Mutants []struct {
			Type, Status string
			Line, Column int
		} `json:"mutations"`
	} `json:"files"`
}

// A line is a line of a file of the package.
type line struct {
	file string
	line int
}

func (l line) compare(other line) int {
	return cmp.Or(cmp.Compare(l.file, other.file), cmp.Compare(l.line, other.line))
}

// A mutant is one change of an operator.
type mutant struct {
	line
	column int
	change string // such as CONDITIONALS_NEGATION
}

// An outcome is what became of the mutants of a package.
type outcome struct {
	mutants map[string][]mutant // by their status
	covered int                 // how many there are to take the sample from
}

func (r *result) outcome() *outcome {
	o := &outcome{mutants: map[string][]mutant{}}
	for _, f := range r.Files {
		for _, m := range f.Mutants {
			o.mutants[m.Status] = append(o.mutants[m.Status], mutant{line{f.Name, m.Line}, m.Column, m.Type})
		}
	}
	return o
}

// percent is how many of the mutants were killed that were not so slow that nobody knows.
func (o *outcome) percent() float64 {
	killed, lived := len(o.mutants["KILLED"]), len(o.mutants["LIVED"])
	if killed+lived == 0 {
		return 0
	}
	return 100 * float64(killed) / float64(killed+lived)
}

// print prints the figures and every survivor.
func (o *outcome) print(w io.Writer, path string) {
	fmt.Fprintf(w, "%s: %.1f%% killed: %d killed, %d lived, %d timed out, %d not viable, of %d covered mutants; %d not covered\n", path, o.percent(),
		len(o.mutants["KILLED"]), len(o.mutants["LIVED"]), len(o.mutants["TIMED OUT"]), len(o.mutants["NOT VIABLE"]), o.covered, len(o.mutants["NOT COVERED"]))
	lived := slices.SortedFunc(slices.Values(o.mutants["LIVED"]), func(a, b mutant) int {
		return cmp.Or(a.compare(b.line), cmp.Compare(a.column, b.column))
	})
	for _, m := range lived {
		fmt.Fprintf(w, "  lived: %s/%s:%d:%d %s\n", path, m.file, m.line.line, m.column, m.change)
	}
}
