package engine

import (
	"slices"

	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/template"
	"github.com/crdlift/crdlift/internal/xrd"
	"github.com/crdlift/crdlift/lint"
)

// template lints a Helm template in each of its worlds, as one file. A template is passed over where it cannot be read without
// rendering it, and for custom resources and conversions, which are judged by their values.
func (l *Linter) template(opened *manifest.Contents, src []byte, out *FileReport) {
	if k, is := l.kind().(TemplateKind); is && !l.Rendered && k.Template(l, src, out) {
		return
	}
	_, are := l.kind().(crds)
	over := &lint.Template{Path: out.Path, Language: string(opened.Unread), CRDs: are && xrd.MayHold(src), Why: opened.Why}
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
			out.addWorld(i, one)
		}
	}
	l.exceedBranches(opened, out)
	slices.SortStableFunc(out.Findings, (*lint.Finding).Compare)
}

// addWorld adds what a template is under another choice of branches. What is said of the same place is said once, and a CRD
// that is in several branches counts once.
func (f *FileReport) addWorld(world int, next *FileReport) {
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
			s.World = world
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

// File lints one file. The path is used in messages and to look up the configuration.
func (l *Linter) File(path string, src []byte) *FileReport {
	out := newFileReport(path)
	opened := manifest.Recognise(path, src)
	if opened.Unread == template.Helm && xrd.MayHold(src) {
		opened = manifest.OpenTemplate(path, src)
	}
	if opened.Template != nil || opened.Unread != template.None {
		l.template(opened, src, out)
	} else {
		l.documents(l.kind().Split(path, src, nil, false), false, out)
	}
	return out
}
