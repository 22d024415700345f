package cli

import (
	"fmt"
	"strings"

	"github.com/crdlift/crdlift/internal/run"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/rules"
)

// previews reports whether the diff shows what becomes of custom resources.
func (r *lintRun) previews() bool { return r.linter.Objects != nil && r.linter.Objects.Preview != nil }

// preview judges an input and shows what becomes of it.
func (r *lintRun) preview(in run.Input, src []byte) (out lintOutcome) {
	out.Input = in
	out.report = r.linter.File(run.Shown(in.Path), src)
	if p := out.report.Preview(); p != nil {
		out.preview = p
		out.text, out.changed = r.DiffOf(in, p.ShownChange.Before, p.ShownChange.After), p.Changed
	}
	return out
}

// writeDefaults writes the defaults of custom resources into a file that is fixed, and reports on it as it is then.
func (r *lintRun) writeDefaults(out *lintOutcome, path string, fixed *rules.FixResult) {
	p := r.linter.WriteDefaults(path, fixed.Output)
	if out.preview = p; p == nil || !p.Changed {
		return
	}
	fixed.Output = p.After
	out.report = r.linter.File(path, p.After)
}

// notePreview says what a preview does not show, and that one with values hidden is not to be applied.
func (r *lintRun) notePreview(out lintOutcome) {
	p := out.preview
	if p == nil {
		return
	}
	if p.Changed && p.Masked {
		r.Note("%s: the diff hides values and cannot be applied; use --show-values always to see them", out.Path)
	}
	n, whys := 0, []string{}
	for _, left := range p.Left {
		n += left.Objects
		whys = append(whys, fmt.Sprintf("%d %s", left.Objects, left.Why))
	}
	if n > 0 {
		r.Note("%s: %s %s as %s, without the changes of the API server: %s", out.Path, text.Count(n, "object"), text.Verb(n, "stays", "stay"), text.Verb(n, "it is", "they are"), strings.Join(whys, ", "))
	}
}
