package cli

import (
	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// workPiece judges a piece.
func (r *lintRun) workPiece(in run.Input) (out lintOutcome) {
	out.Input = in
	if in.Piece.Whole.Load() {
		return out
	}
	text, parts, err := in.Piece.Text()
	if err != nil {
		out.trouble = err
		return out
	}
	defer run.Survive(in, true, &out.trouble)
	out.report = r.linter.Piece(run.Shown(in.Path), text, parts)
	return out
}

// collectPiece takes the outcome of the next piece of a stream.
func (r *lintRun) collectPiece(out lintOutcome) {
	st := out.Piece.Stream
	if st.Whole.Load() {
		return
	}
	r.Inputs.Settle(out.From)
	first := st.Members == 0
	st.Members++
	if first {
		r.files = append(r.files, nil)
		st.Listed = r.list.len()
	}
	last := &r.files[len(r.files)-1]
	if out.report != nil && !out.report.Parses() && st.Fits() {
		// Where a line only looks like the beginning of an item, the text as a whole may be right.
		st.Whole.Store(true)
		r.list.rewind(st.Listed)
		*last, out.trouble = r.wholly(out.Input)
		if out.trouble != nil {
			r.Fail(out.trouble)
		}
		r.list.add(*last)
		return
	}
	if out.trouble != nil {
		r.Fail(out.trouble)
		out.report = rules.NoReport(run.Shown(st.Path))
	}
	if out.trouble != nil || !out.report.Parses() {
		r.missItems(out.Piece, out.report)
	}
	r.list.add(out.report)
	*last = r.linter.Join(*last, out.report)
}

// wholly judges a stream as a whole.
func (r *lintRun) wholly(in run.Input) (report *rules.FileReport, err error) {
	defer run.Survive(in, true, &err)
	report = rules.NoReport(run.Shown(in.Path))
	src, err := in.Piece.All()
	if err != nil {
		return report, err
	}
	return r.linter.File(run.Shown(in.Path), src), nil
}

// missItems counts the items of a piece that cannot be read.
func (r *lintRun) missItems(p *run.Piece, report *rules.FileReport) {
	n := p.List.Sections[p.Index].Items
	if report.Objects == nil {
		report.Objects = &lint.Objects{}
	}
	report.Objects.Unread += n
	from, to := p.List.Lines(p.Index)
	r.Note("%s: %s in the lines from %d to %d cannot be read and %s not checked", p.Path, text.Count(n, "item"), from, to, text.Verb(n, "is", "are"))
}
