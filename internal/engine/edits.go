package engine

import (
	"slices"
	"strconv"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/limit"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/rewrite"
	"github.com/crdlift/crdlift/internal/template"
	"github.com/crdlift/crdlift/internal/xrd"
	"github.com/crdlift/crdlift/lint"
)

// makeEdits renders every fix of the findings about a CRD, or about a custom resource, as text: each alone, against the file
// as it is. A fix that is not within some schemas takes its whole document, which is quadratic in one that is full of them: fixes
// beyond limit.EditNodes keep their title, have no edits and are counted. Half a million nodes take two or three seconds,
// however long or deep their text is. Fixes that a generator would undo have no edits.
func makeEdits(d *manifest.Document, findings []*Finding, out *FileReport) {
	e := &editor{document: d, out: out}
	for _, f := range findings {
		if f.Fix == nil || f.Finding.InGo() {
			continue
		}
		if out.editWork > limit.EditNodes || !e.edit(f) {
			out.Unedited++
		}
	}
}

// An editor makes the edits of fixes in a document.
type editor struct {
	document *manifest.Document
	out      *FileReport
	writer   *rewrite.Writer
	size     int // of the document in nodes; 0 before the first fix
	crds     []*crd.CRD
}

// edit makes the edits of a fix, and reports whether that was within the bound. A fix that does nothing, or cannot be
// written, is none.
func (e *editor) edit(f *Finding) bool {
	if e.size == 0 {
		root := e.document.Root.YNode()
		e.size, e.writer = crd.Size(root), rewrite.Of(e.document)
		e.crds, _ = xrd.Find(root)
	}
	written := e.inExcerpt(f)
	if written == nil {
		if e.out.editWork += e.size; e.out.editWork > limit.EditNodes {
			return false
		}
		root := crd.Clone(e.document.Root.YNode())
		tree := &fixable{root: root}
		if !tree.fix(f) {
			f.Fix = nil
			return true
		}
		tree.settle()
		var err error
		if written, err = e.writer.Write(root); err != nil || written.Encoded != "" || len(written.Edits) == 0 {
			f.Fix = nil
			return true
		}
	}
	file := e.document.File
	if !staysInBranch(file, written.Edits) {
		return true // it keeps its title
	}
	for _, edit := range written.Edits {
		t := lint.TextEdit{Text: edit.New}
		t.Line, t.Column = file.Position(edit.Start)
		t.EndLine, t.EndColumn = file.Position(edit.End)
		f.Fix.edits = append(f.Fix.edits, t)
	}
	return true
}

// inExcerpt makes a fix in an excerpt of the document. It is nil where all of the document is needed.
func (e *editor) inExcerpt(f *Finding) *rewrite.Result {
	if f.Fix.Within == nil || f.Index >= len(e.crds) || e.crds[f.Index].From != nil {
		return nil
	}
	layout, err := e.document.Layout()
	if err != nil || layout.Root == nil {
		return nil
	}
	gaps := gapsAround(layout.Root, layout.OriginOf(e.crds[f.Index].Node), f.Fix.Within)
	if gaps == nil {
		return nil
	}
	excerpt := e.writer.Excerpt(gaps)
	if excerpt == nil {
		return nil
	}
	e.out.editWork += crd.Size(excerpt.Root)
	tree := &fixable{root: excerpt.Root}
	if !tree.fix(f) {
		return nil
	}
	tree.settle()
	written, err := excerpt.Write()
	if err != nil || written.Encoded != "" || len(written.Edits) == 0 {
		return nil
	}
	return written
}

// gapsAround are the properties of schemas to leave out of a document if what matters are the schemas at some paths of an
// object in it: their neighbours stay, which tell where a change begins and ends, and so do the first and the last property
// of any other schema. There are none where a path leads nowhere, or through allOf, anyOf, oneOf or not: schemas
// in those are about the same values as others.
func gapsAround(root, object *manifest.Origin, paths []string) []rewrite.Gap {
	within, wanted := map[*manifest.Origin]bool{}, map[*manifest.Origin][]int{}
	for _, path := range paths {
		at := object
		for _, step := range crd.Steps(path) {
			i := indexOfStep(at, step)
			if i < 0 || crd.IsJunctor(step) && !isProperties(at) {
				return nil
			}
			wanted[at] = append(wanted[at], i)
			at = at.Children[i]
		}
		if at == nil {
			return nil
		}
		within[at] = true
	}
	var gaps []rewrite.Gap
	var visit func(o *manifest.Origin)
	visit = func(o *manifest.Origin) {
		switch {
		case within[o]:
		case isProperties(o):
			last := len(o.Children)/2 - 1
			keep := []int{0, last}
			for _, i := range wanted[o] {
				keep = append(keep, max(0, i/2-1), i/2, min(last, i/2+1))
			}
			slices.Sort(keep)
			keep = slices.Compact(keep)
			for n, i := range keep {
				visit(o.Children[2*i+1])
				if n > 0 && keep[n-1]+1 < i {
					gaps = append(gaps, rewrite.Gap{Mapping: o, From: keep[n-1] + 1, To: i})
				}
			}
		default:
			for i, c := range o.Children {
				if o.Node.Kind == yaml.SequenceNode || i%2 == 1 && !crd.IsJunctor(o.Children[i-1].Node.Value) {
					visit(c)
				}
			}
		}
	}
	visit(root)
	return gaps
}

// isProperties reports whether a mapping is the properties of a schema, with entries.
func isProperties(o *manifest.Origin) bool {
	return o.Node.Kind == yaml.MappingNode && len(o.Children) > 0 && o.Parent != nil && o.Parent.Node.Kind == yaml.MappingNode &&
		o.Index%2 == 1 && o.Parent.Children[o.Index-1].Node.Value == "properties" && !isProperties(o.Parent)
}

// indexOfStep is the index of the child that a step of a path leads to; -1 where there is none.
func indexOfStep(o *manifest.Origin, step string) int {
	if o == nil {
		return -1
	}
	if o.Node.Kind == yaml.SequenceNode {
		if i, err := strconv.Atoi(step); err == nil && 0 <= i && i < len(o.Children) {
			return i
		}
		return -1
	}
	for i := 0; i+1 < len(o.Children) && o.Node.Kind == yaml.MappingNode; i += 2 {
		if o.Children[i].Node.Value == step {
			return i + 1
		}
	}
	return -1
}

// Edit makes the edits of those of the findings whose fixes are asked for, if edits are.
func (l *Linter) Edit(d *manifest.Document, findings []*Finding, out *FileReport) {
	if l.Edits {
		makeEdits(d, l.fixable(findings), out)
	}
}

// fixable are those of the findings whose fixes are asked for.
func (l *Linter) fixable(findings []*Finding) []*Finding {
	if l.Fixes == nil {
		return findings
	}
	return slices.DeleteFunc(slices.Clone(findings), func(f *Finding) bool { return !l.Fixes(f.Finding) })
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
