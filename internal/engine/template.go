package engine

import (
	"bytes"
	"cmp"
	"errors"
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/rewrite"
	"github.com/crdlift/crdlift/internal/template"
	"github.com/crdlift/crdlift/lint"
)

// template lints a Helm template in each of its worlds, as one file. A template is passed over where it cannot be read without
// rendering it, and for custom resources and conversions, which are judged by their values.
func (l *Linter) template(opened *manifest.Contents, src []byte, out *FileReport) {
	_, are := l.kind().(crds)
	over := &lint.Template{Path: out.Path, Language: string(opened.Unread), CRDs: are && crd.MayHold(src), Why: opened.Why}
	if opened.Template != nil {
		over.Language = string(template.Helm)
		over.Why = ""
	}
	if opened.Template == nil || l.Rendered || !l.judgesCRDs() {
		out.Template = over
		return
	}
	for i, world := range opened.Worlds {
		one := newFileReport(out.Path)
		l.documents(world, false, one)
		switch {
		case one.unmasked != nil:
			over.Why = one.unmasked.Error()
			*out = *newFileReport(out.Path)
			out.Template = over
			return
		case i == 0:
			*out = *one
		default:
			out.addWorld(one)
		}
	}
	l.exceedBranches(opened, out)
	slices.SortStableFunc(out.Findings, (*lint.Finding).Compare)
}

// addWorld adds what a template is under another choice of branches. What is said of the same place is said once, and a CRD
// that is in several branches counts once.
func (f *FileReport) addWorld(next *FileReport) {
	type key struct {
		rule string
		pos  lint.Position
	}
	said, known := map[key]bool{}, map[string]bool{}
	for _, one := range f.Findings {
		said[key{one.Rule.ID, one.Pos}] = true
	}
	for _, one := range next.Findings {
		if !said[key{one.Rule.ID, one.Pos}] {
			f.Findings = append(f.Findings, one)
		}
	}
	for _, c := range next.comments {
		if !slices.ContainsFunc(f.comments, c.Same) {
			f.comments = append(f.comments, c)
		}
	}
	for _, s := range f.summaries {
		known[s.Named] = true
	}
	for _, s := range next.summaries {
		if !known[s.Named] || s.Named == "" && !f.has(s) {
			f.summaries = append(f.summaries, s)
			f.CRDs++
		}
	}
	f.patchable = append(f.patchable, next.patchable...)
	f.Unedited += next.Unedited
}

// has reports whether a CRD is known by its place.
func (f *FileReport) has(s *Summary) bool {
	return slices.ContainsFunc(f.summaries, func(other *Summary) bool { return other.Resource.Pos == s.Resource.Pos })
}

// fixTemplate is Fix for a Helm template. All fixes are made or none: it renders to what fixes make of its rendering, whichever
// branches are taken, and those make all of them.
func (l *Linter) fixTemplate(path string, src []byte, unsafe bool) *Fixed {
	out := &Fixed{Output: src}
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
func (l *Linter) fixWorlds(path string, out *Fixed, unsafe bool) {
	src := out.Output
	for i := 0; ; i++ {
		opened := manifest.OpenTemplate(path, out.Output)
		if i >= len(opened.Worlds) {
			return
		}
		world := opened.Worlds[i]
		fixed := l.fixText(path, world.Source, world.Mask, unsafe)
		if fixed.Left.unmasked != nil {
			*out = Fixed{Output: src}
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
func (f *Fixed) withhold(all ...lint.WithheldFix) {
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
		out := &Fixed{Output: cut.Text}
		l.fixWorlds(path, out, unsafe)
		return out.Output, nil
	})
}

// staysInBranch reports whether edits of the masked text of a template are edits of the template: they leave actions alone, and
// are all in the same branch. Edits of a manifest are.
func staysInBranch(f *manifest.File, edits []rewrite.Edit) bool {
	if f.Mask == nil {
		return true
	}
	var in []*template.Block
	for i, e := range edits {
		around := f.Mask.Around(e.Start)
		if f.Mask.Mentions(e.New) || f.Mask.Mentions(string(f.Source[e.Start:e.End])) || i > 0 && !slices.Equal(in, around) {
			return false
		}
		in = around
	}
	return true
}
