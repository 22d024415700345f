package engine

import (
	"errors"
	"slices"
	"sync"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/suppress"
	"github.com/crdlift/crdlift/internal/vicinity"
	"github.com/crdlift/crdlift/internal/wire"
	"github.com/crdlift/crdlift/lint"
)

// A transcript is a report on a file as it is written down.
type transcript struct {
	Counts    lint.Counts
	Template  *lint.Template
	Unedited  int
	Findings  []*lint.Finding // without First
	First     []int           // indexes of those, from 1; 0 for none
	Patchable []patchableIndex
	Comments  []*suppress.Comment
	Summaries []*Summary
	Patches   []crd.Patch

	Added []lint.Addition

	Answers map[vicinity.Question]string // as a Record has them
	Notes   []vicinity.GoNote
}

// A patchableIndex is the index of a finding that a patch may settle.
type patchableIndex struct {
	Finding   int
	PatchedBy *crd.Lack
}

// coder writes findings with the ids of their rules.
func coder(rules lint.Rules) *wire.Coder {
	byID := map[string]*lint.Rule{}
	for _, r := range rules {
		byID[r.ID] = r
	}
	c := &wire.Coder{}
	wire.Refer(c, func(r *lint.Rule) string { return r.ID }, func(id string) *lint.Rule { return byID[id] })
	return c
}

// A Keeper writes reports down, and reads them.
type Keeper struct {
	known  lint.Rules
	coder  *wire.Coder
	linter *Linter
}

// NewKeeper returns a Keeper for reports of a Linter.
func NewKeeper(l *Linter) *Keeper {
	known, asks := l.known(), *l
	asks.Places = &sync.Map{}
	return &Keeper{known, coder(known), &asks}
}

var errNoTranscript = errors.New("the report depends on what cannot be told again")

// Keep writes down a report that the Linter has just made, with its Record. Not every report can be: the error says why.
func (k *Keeper) Keep(f *FileReport, record *vicinity.Record) ([]byte, error) {
	out := &transcript{
		Counts: f.Counts, Template: f.Template, Unedited: f.Unedited, Summaries: f.summaries, Patches: f.patches,
		Added: f.Added, Answers: record.Answers, Notes: record.Notes,
	}
	if record.Unseen || len(f.Judged) > 0 || f.Objects != nil || f.Gone || f.Sources != nil {
		return nil, errNoTranscript
	}
	index := map[*lint.Finding]int{}
	for i, one := range f.Findings {
		index[one] = i + 1
	}
	for _, one := range f.Findings {
		plain := *one
		plain.First = nil
		first := 0
		if one.First != nil {
			if first = index[one.First]; first == 0 {
				return nil, errNoTranscript
			}
		}
		out.Findings, out.First = append(out.Findings, &plain), append(out.First, first)
	}
	for _, one := range f.patchable {
		if i := index[one.Finding]; i > 0 { // else another world of a template says the same
			out.Patchable = append(out.Patchable, patchableIndex{i - 1, one.PatchedBy})
		}
	}
	out.Comments = f.comments
	return k.coder.Append(nil, out)
}

// Recall returns the report on the file of a path that Keep has written down; nil where it is not what the Linter would say
// now.
func (k *Keeper) Recall(path, text string) *FileReport {
	var in *transcript
	if err := k.coder.Read(text, &in); err != nil || !in.holds(path) {
		return nil
	}
	if !k.knows(in.Comments) || !k.sameAnswers(path, in) {
		return nil
	}
	for _, n := range in.Notes {
		k.linter.Go.Note(n)
	}
	out := &FileReport{
		FileReport: lint.FileReport{Path: path, Counts: in.Counts, Template: in.Template, Findings: in.Findings, Added: in.Added, Unedited: in.Unedited},
		summaries:  in.Summaries, patches: in.Patches, comments: in.Comments,
	}
	for i, first := range in.First {
		if first > 0 {
			out.Findings[i].First = out.Findings[first-1]
		}
	}
	for _, one := range in.Patchable {
		out.patchable = append(out.patchable, &Finding{Finding: out.Findings[one.Finding], PatchedBy: one.PatchedBy})
	}
	return out
}

// knows reports whether there are the rules that comments name.
func (k *Keeper) knows(comments []*suppress.Comment) bool {
	for _, c := range comments {
		for _, n := range c.Names {
			if k.known.ByID(n.ID) == nil {
				return false
			}
		}
	}
	return true
}

// sameAnswers asks again what was asked when the report was made, and reports whether all answers are the same.
func (k *Keeper) sameAnswers(path string, in *transcript) bool {
	if k.linter.Go == nil && len(in.Notes) > 0 {
		return false
	}
	return k.linter.around(path).Holds(in.Answers)
}

// holds reports whether what was read holds together, as all does that Keep writes of the file of a path.
func (in *transcript) holds(path string) bool {
	if in == nil || len(in.First) != len(in.Findings) {
		return false
	}
	ruled := func(f *lint.Finding) bool { return f != nil && f.Rule != nil }
	for i, f := range in.Findings {
		if !ruled(f) || in.First[i] < 0 || in.First[i] > len(in.Findings) {
			return false
		}
	}
	for _, one := range in.Patchable {
		if one.Finding < 0 || one.Finding >= len(in.Findings) || one.PatchedBy == nil {
			return false
		}
	}
	for _, c := range in.Comments {
		if c == nil {
			return false
		}
		for _, n := range c.Names {
			if n.Unused != nil && n.Unused.Rule == nil {
				return false
			}
		}
	}
	elsewhere := func(n Name) bool { return n.Pos.File != path }
	return !slices.ContainsFunc(in.Summaries, func(s *Summary) bool {
		return s == nil || slices.ContainsFunc(append(slices.Clone(s.ShortNames), s.Group, s.Resource, s.Plural, s.Singular, s.Kind, s.ListKind), elsewhere)
	})
}
