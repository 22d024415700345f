package engine

import (
	"slices"
	"sync"

	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// Repeats are what was said of documents whose text is in several files: a copy costs a hash then, and not a verdict. What is said of
// a copy is what would be said of it by itself, but for rules that ask where a file is.
type Repeats struct {
	Same func(file string, document int) lint.Sameness

	mu   sync.Mutex
	said map[string]*said
}

// A said is the report on one document.
type said struct {
	crds      int
	line      int
	found     []*Finding
	summaries []*Summary
}

// repeats adds what was said of another document with the same text, and reports whether there was one.
func (l *Linter) repeats(d *manifest.Document, c *lint.Config, out *FileReport) bool {
	same := l.sameness(d, c)
	if same.Text == "" || same.Judge {
		return false
	}
	l.Repeats.mu.Lock()
	was := l.Repeats.said[same.Text]
	l.Repeats.mu.Unlock()
	if was == nil {
		return false
	}
	was.repeat(d, out, same)
	return true
}

// keep notes what was said of a document, as long as it is all in the findings and summaries that were added to the report.
func (l *Linter) keep(d *manifest.Document, c *lint.Config, out *FileReport, crds, summaries int) {
	same := l.sameness(d, c)
	if same.Text == "" || d.Err != nil || out.Unedited > 0 || len(out.summaries)-summaries != 1 ||
		slices.ContainsFunc(out.Found, func(f *Finding) bool { return namesLine().MatchString(f.Message) }) {
		return
	}
	l.Repeats.mu.Lock()
	defer l.Repeats.mu.Unlock()
	if l.Repeats.said == nil {
		l.Repeats.said = map[string]*said{}
	}
	if l.Repeats.said[same.Text] == nil {
		l.Repeats.said[same.Text] = &said{out.CRDs - crds, same.Line, slices.Clone(out.Found), out.summaries[summaries:]}
	}
}

// namesLine matches messages with the number of a line, which is another one in each file.
var namesLine = text.Pattern(`\bline \d`)

func (l *Linter) sameness(d *manifest.Document, c *lint.Config) lint.Sameness {
	if l.Repeats == nil || l.Record != nil || d.File.Mask != nil || l.judgesFiles(c) {
		return lint.Sameness{}
	}
	return l.Repeats.Same(d.File.Path, d.Index)
}

// judgesFiles reports whether a rule runs that says something else of each file.
func (l *Linter) judgesFiles(c *lint.Config) bool {
	return slices.ContainsFunc(l.Rules, func(r *Rule) bool { return r.AboutFile && r.SeverityIn(c) > lint.Off })
}

// repeat adds the report to that on a file with the same document.
func (s *said) repeat(d *manifest.Document, out *FileReport, same lint.Sameness) {
	down := same.Line - s.line
	move := func(p lint.Position, from string) lint.Position {
		if p.File == from {
			p.File, p.Line, p.EndLine = d.File.Path, p.Line+down, p.EndLine+down
		}
		return p
	}
	out.CRDs += s.crds
	moved := map[*lint.Finding]*lint.Finding{}
	for _, f := range s.found {
		if f.By.AtSource && !same.Written {
			continue
		}
		one, from := *f.Finding, f.Pos.File
		moved[f.Finding] = &one
		one.Document, one.Pos, one.First = d.Index, move(one.Pos, from), moved[f.First]
		one.Related = slices.Clone(one.Related)
		for i := range one.Related {
			one.Related[i].Pos = move(one.Related[i].Pos, from)
		}
		if f.Finding.Fix != nil {
			fix := *f.Finding.Fix
			fix.Edits = slices.Clone(fix.Edits)
			for i := range fix.Edits {
				fix.Edits[i].Line, fix.Edits[i].EndLine = fix.Edits[i].Line+down, fix.Edits[i].EndLine+down
			}
			one.Fix = &fix
		}
		out.Found = append(out.Found, &Finding{Finding: &one, PatchedBy: f.PatchedBy, By: f.By, Index: f.Index})
	}
	for _, was := range s.summaries {
		sum := *was
		sum.ShortNames = slices.Clone(was.ShortNames)
		for n := range sum.names() {
			n.Pos = move(n.Pos, was.Told.File)
		}
		sum.Document, sum.Told.Document, sum.Told.Line, sum.Told.File = d.Index, d.Index, was.Told.Line+down, d.File.Path
		out.summaries = append(out.summaries, &sum)
	}
}
