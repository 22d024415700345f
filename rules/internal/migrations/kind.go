package migrations

import (
	"bytes"
	"slices"

	"github.com/crdlift/crdlift/internal/carry"
	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/template"
	"github.com/crdlift/crdlift/lint"
)

// A Kind is what migrates the custom resources of files.
type Kind struct {
	*carry.Carrier
	Role func(path string) lint.Role // what the objects of a file are to its repository; "" for those that are carried whatever they are
	// Cut reports whether the webhook of a CRD does not answer any more, so that its objects in a file were not carried; it notes the file.
	Cut func(d *objects.Definition, path string) bool
}

// MayHold reports whether a text could hold objects, or what refers to them.
func (k *Kind) MayHold(text []byte) bool {
	return objects.MayHold(text) || k.Catalogue.MayDefine(text)
}

// Split returns the documents of a file.
func (k *Kind) Split(path string, text []byte, _ *template.MaskedTemplate, _ bool) *manifest.File {
	if !k.MayHold(text) {
		return nil
	}
	return manifest.Split(path, text)
}

// Runs reports whether the run has a rule.
func (k *Kind) Runs(_ *engine.Linter, rule *lint.Rule) bool {
	return rule.Migration || slices.Contains(noted, rule.ID)
}

// Discreet is the kind itself: no finding shows anything of a file.
func (k *Kind) Discreet(string, []byte) engine.Kind { return k }

// Show shows all of a change, which is that of the user's own files.
func (k *Kind) Show(_ string, before, after []byte) lint.ShownChange {
	return lint.ShownChange{Before: before, After: after, Changed: !bytes.Equal(before, after)}
}

// Judge returns what migrates the objects of a file. Their values are not shown.
func (k *Kind) Judge(l *engine.Linter, f *manifest.File, out *engine.FileReport) engine.Judge {
	f.HideAll()
	out.Carried = &lint.Carried{}
	return &judge{Kind: k, linter: l, out: out, leftOut: k.leavesOut(out.Path)}
}

// leavesOut is the role for which the objects of a file stay as they are; "" where they are carried.
func (k *Kind) leavesOut(path string) lint.Role {
	role := k.Role(path)
	if role.Own() && role != lint.RoleForeign {
		return ""
	}
	return role
}

// Template migrates the objects of a Helm template. Of a file that cannot be read, it tells what still names an old version.
func (k *Kind) Template(l *engine.Linter, src []byte, out *engine.FileReport) (judged bool) {
	if !k.Catalogue.MayDefine(src) || k.leavesOut(out.Path) != "" {
		return false
	}
	f := &manifest.File{Path: out.Path, Source: src, Table: lines.TableOf(src)}
	j := k.Judge(l, f, out).(*judge)
	j.document, j.config = &manifest.Document{File: f, End: len(src)}, config.ForFile(l.Configuration(), out.Path)
	opened := manifest.Open(out.Path, out.Path, src)
	if opened.Template == nil {
		j.tell(k.Text(src))
	} else {
		r := k.Carrier.Template(opened)
		j.count(r)
		out.Carried.Templates, out.Carried.Patches = out.Carried.Objects, 0
		j.tell(r.Notes)
		j.edits = r.Edits
	}
	j.finish(f)
	for _, one := range out.Found {
		out.Findings = append(out.Findings, one.Finding)
	}
	slices.SortStableFunc(out.Findings, (*lint.Finding).Compare)
	return opened.Template != nil
}

// Report combines the reports on files.
func (k *Kind) Report(_ *engine.Linter, files []*engine.FileReport, combine func([]*engine.FileReport) *lint.Report) *lint.Report {
	out := combine(files)
	out.Carried = &lint.Carried{}
	for _, f := range files {
		if f.Carried != nil {
			out.Carried.Add(f.Carried)
		}
	}
	return out
}
