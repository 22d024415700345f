package cli

import (
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// workPiece judges a piece.
func (r *lintRun) workPiece(in input) (out lintOutcome) {
	out.input = in
	if in.piece.whole.Load() {
		return out
	}
	text, parts, err := in.piece.text()
	if err != nil {
		out.trouble = err
		return out
	}
	defer survive(in, true, &out.trouble)
	out.report = r.linter.Piece(shown(in.path), text, parts)
	return out
}

// collectPiece takes the outcome of the next piece of a stream.
func (r *lintRun) collectPiece(out lintOutcome) {
	st := out.piece.stream
	if st.whole.Load() {
		return
	}
	r.found.settle(out.from)
	first := st.members == 0
	st.members++
	if first {
		r.files = append(r.files, nil)
		st.listed = r.list.len()
	}
	last := &r.files[len(r.files)-1]
	if out.report != nil && !out.report.Parses() && st.fits() {
		// Where a line only looks like the beginning of an item, the text as a whole may be right.
		st.whole.Store(true)
		r.list.rewind(st.listed)
		*last, out.trouble = r.wholly(out.input)
		if out.trouble != nil {
			r.fail(out.trouble)
		}
		r.list.add(*last)
		return
	}
	if out.trouble != nil {
		r.fail(out.trouble)
		out.report = rules.NoReport(shown(st.path))
	}
	if out.trouble != nil || !out.report.Parses() {
		r.missItems(out.piece, out.report)
	}
	r.list.add(out.report)
	*last = r.linter.Join(*last, out.report)
}

// wholly judges a stream as a whole.
func (r *lintRun) wholly(in input) (report *rules.FileReport, err error) {
	defer survive(in, true, &err)
	report = rules.NoReport(shown(in.path))
	src, err := in.piece.all()
	if err != nil {
		return report, err
	}
	return r.linter.File(shown(in.path), src), nil
}

// missItems counts the items of a piece that cannot be read.
func (r *lintRun) missItems(p *piece, report *rules.FileReport) {
	n := p.list.Sections[p.index].Items
	if report.Objects == nil {
		report.Objects = &lint.Objects{}
	}
	report.Objects.Unread += n
	from, to := p.list.Lines(p.index)
	r.note("%s: %s in the lines from %d to %d cannot be read, and %s not judged", p.path, text.Count(n, "item"), from, to, text.Verb(n, "is", "are"))
}
