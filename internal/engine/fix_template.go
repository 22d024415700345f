package engine

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/crdlift/crdlift/internal/limit"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/template"
	"github.com/crdlift/crdlift/lint"
)

// gaveUp says why there may be more to fix, by the limit that was met.
var gaveUp = map[string]string{
	"fix-attempts": "not all fixes were tried, since too many did no good for a file of this size; correct what remains by hand, or split the file",
	"fix-rounds":   fmt.Sprintf("fixes still made others possible after %d rounds, so there may be more to fix; run --fix again", limit.Rounds),
}

// Fix makes the fixes of a file's findings until there is nothing left to fix: the safe ones, and the unsafe ones too
// when asked. A batch of fixes counts only when the findings are gone, no error is new and the file still parses; of one
// that does not, the fixes that are to blame are found by halving and left out.
func (l *Linter) Fix(path string, src []byte, unsafe bool) (out *FixResult) {
	switch template.Recognise(path, src) {
	case template.Helm:
		out = l.fixTemplate(path, src, unsafe)
	case template.None:
		out = l.fixText(path, src, nil, unsafe)
	default:
		return &FixResult{Output: src, Left: l.File(path, src)}
	}
	if out.GaveUp != "" {
		l.Exceed(&out.Left.FileReport, out.GaveUp, lint.Source{Pos: lint.Point(path, 1, 1)}, "%s", gaveUp[out.GaveUp])
	}
	return out
}

// fixTemplate is Fix for a Helm template. All fixes are made or none: it renders to what fixes make of its rendering, whichever
// branches are taken, and those make all of them.
func (l *Linter) fixTemplate(path string, src []byte, unsafe bool) *FixResult {
	out := &FixResult{Output: src}
	var unproven *template.Unsafe
	if !l.Rendered && l.judgesCRDs() {
		plain := *l
		plain.Edits = false
		plain.fixWorlds(path, out, unsafe)
		if err := plain.proveFixed(path, src, out.Output, unsafe); err != nil {
			errors.As(err, &unproven)
			for _, f := range out.Findings {
				out.withhold(lint.WithheldFix{Finding: f, Why: err.Error()})
			}
			out.Output, out.Findings = src, nil
		}
	}
	out.Left = l.File(path, out.Output)
	switch before := manifest.OpenTemplate(path, src).Template; {
	case unproven != nil && unproven.Limit != "":
		l.Exceed(&out.Left.FileReport, unproven.Limit, lint.Source{Pos: lint.Point(path, unproven.Line, 1)},
			"no fix of this template was made, since %s %s; split the block, or fix the template by hand", unproven.Action, unproven.Why)
	case before != nil && len(out.Findings) > 0 && before.TriedAlone() != "":
		l.Exceed(&out.Left.FileReport, "template-conditions", lint.Source{Pos: lint.Point(path, 1, 1)},
			"%s for the fixes, since all their combinations would take too long; compare what Helm renders", before.TriedAlone())
	}
	slices.SortStableFunc(out.Left.Findings, (*lint.Finding).Compare)
	return out
}

// fixWorlds makes the fixes of a template in each of its worlds, one after the other; none where one does not parse.
func (l *Linter) fixWorlds(path string, out *FixResult, unsafe bool) {
	src := out.Output
	for i := 0; ; i++ {
		opened := manifest.OpenTemplate(path, out.Output)
		if i >= len(opened.Worlds) {
			return
		}
		world := opened.Worlds[i]
		fixed := l.fixText(path, world.Source, world.Mask, unsafe)
		if fixed.Left.unmasked != nil {
			*out = FixResult{Output: src}
			return
		}
		out.GaveUp = cmp.Or(out.GaveUp, fixed.GaveUp)
		out.withhold(fixed.Withheld...)
		restored, err := world.Mask.Restore(fixed.Output)
		for _, f := range fixed.Findings {
			if err != nil {
				out.withhold(lint.WithheldFix{Finding: f, Why: err.Error()})
			}
		}
		if err == nil {
			out.Output, out.Findings = restored, append(out.Findings, fixed.Findings...)
		}
	}
}

// withhold adds fixes that are not made, each once: it was tried in each world.
func (f *FixResult) withhold(all ...lint.WithheldFix) {
	for _, w := range all {
		again := func(one lint.WithheldFix) bool {
			return one.Finding.Rule.ID == w.Finding.Rule.ID && one.Finding.Pos == w.Finding.Pos
		}
		if !slices.ContainsFunc(f.Withheld, again) {
			f.Withheld = append(f.Withheld, w)
		}
	}
}

// proveFixed proves that a fixed template renders to what the fixes make of its rendering, whichever branches are taken.
func (l *Linter) proveFixed(path string, src, fixed []byte, unsafe bool) error {
	before := manifest.OpenTemplate(path, src).Template
	if before == nil || bytes.Equal(src, fixed) {
		return nil
	}
	return before.Prove(fixed, func(cut *template.Cut) ([]byte, error) {
		out := &FixResult{Output: cut.Text}
		l.fixWorlds(path, out, unsafe)
		return out.Output, nil
	})
}
