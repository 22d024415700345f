package engine

import (
	"slices"
	"sync"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/template"
	"github.com/crdlift/crdlift/lint"
)

// look lints a text to fix, which is that of a manifest or, with a mask, of a template in one of its worlds. It keeps what findings point
// into. Else that is released before the next document is parsed: trees take many times the memory of their text, and a
// file may have thousands of documents.
func (l *Linter) look(path string, text []byte, mask *template.MaskedTemplate) *FileReport {
	out := newFileReport(path)
	l.documents(l.kind().Split(path, text, mask, true), true, out)
	return out
}

// Part lints a part of a file by itself, with positions in the file.
func (l *Linter) Part(part *manifest.File) *FileReport {
	out := newFileReport(part.Path)
	l.documents(part, false, out)
	return out
}

func newFileReport(path string) *FileReport {
	return &FileReport{FileReport: lint.FileReport{Path: path}}
}

// documents lints the documents of a file; nil is one that has nothing to judge.
func (l *Linter) documents(split *manifest.File, toFix bool, out *FileReport) {
	if split == nil {
		out.Others++
		return
	}
	config := config.ForFile(l.Configuration(), out.Path)
	judge := l.kind().Judge(l, split, out)
	out.Judge = judge
	mayHold := sync.OnceValue(func() bool { return l.kind().MayHold(split.Source) })
	for d := range split.All() {
		if !toFix && l.repeats(d, config, out) {
			for _, f := range out.Found {
				out.Findings = append(out.Findings, f.Finding)
			}
			out.release()
			continue
		}
		d = d.Tree()
		if l.Parsed != nil {
			l.Parsed(d)
		}
		if d.Root != nil && !toFix && split.Mask == nil {
			d.Keep(d.Root.YNode()) // looking at a tree does not change it; only fixes do
		}
		if d.Err != nil && !mayHold() {
			out.Others++
			out.Broken++
			continue
		}
		before, crds, summaries := len(out.Found), out.CRDs, len(out.summaries)
		judge.Document(d, config)
		for _, f := range out.Found[before:] {
			f.complete()
			out.Findings = append(out.Findings, f.Finding)
			if f.ofOld {
				l.Record.DependsOnUnseen()
			}
		}
		if !toFix {
			l.keep(d, config, out, crds, summaries)
			out.release()
		}
	}
	judge.End(split)
	slices.SortStableFunc(out.Findings, (*lint.Finding).Compare)
	slices.SortStableFunc(out.Found, func(a, b *Finding) int { return a.Compare(b.Finding) })
}
