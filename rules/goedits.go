package rules

import (
	"fmt"

	"github.com/crdlift/crdlift/internal/diff"
	"github.com/crdlift/crdlift/internal/gofix"
	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/lint"
)

// maxGoEditWork bounds the bytes of Go files that are read, written and proven to make the edits of the findings of one
// manifest. Each set of markers takes its whole file; 16 MiB take about two seconds.
const maxGoEditWork = 16 << 20

// addGoEdits adds to the origins of a file's findings the changes of their markers as text, for a linter that makes edits.
// Findings with the same markers share theirs. Those beyond the bound have none and are counted.
func (l *Linter) addGoEdits(report *lint.FileReport) {
	if !l.Edits || l.Go == nil {
		return
	}
	made, work := map[string][]lint.FileEdit{}, 0
	for _, f := range report.Findings {
		if !f.InGo() || !f.Origin.Writable() {
			continue
		}
		marks := f.Origin.Marks()
		key := fmt.Sprint(marks)
		edits, known := made[key]
		switch {
		case known:
		case work > maxGoEditWork:
			report.Unedited++
			continue
		default:
			var read int
			edits, read = l.Go.edits(marks)
			made[key] = edits
			work += read
		}
		f.Origin.Edits = edits
	}
}

// edits returns the changes of markers as text; none where one of them cannot be written. It returns as well how many
// bytes of Go files it looked at.
func (g *GoTypes) edits(marks []lint.Mark) (edits []lint.FileEdit, read int) {
	plan := gofix.PlanFor([][]lint.Mark{marks}, g.found.Index.Source)
	for _, m := range marks {
		if file, ok := g.found.Index.Source(m.Pos.File); ok {
			read += len(file.Text)
		}
	}
	for _, f := range plan.Files {
		table := lines.TableOf(f.Text)
		for _, e := range diff.Edits(f.Text, f.After) {
			t := lint.TextEdit{Text: e.New}
			t.Line, t.Column = table.Position(e.Start)
			t.EndLine, t.EndColumn = table.Position(e.End)
			edits = append(edits, lint.FileEdit{File: f.Shown, TextEdit: t})
		}
	}
	return edits, read
}
