package origin

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/limit"
	"github.com/crdlift/crdlift/internal/yaml11"
	"github.com/crdlift/crdlift/lint"
)

// PointToSource adds to findings about a CRD that is generated where they have to be fixed: which markers make the changes
// of their remedies, and where in Go types those stand. No fix of a generated manifest is safe: the generator undoes it,
// and a check that generated files are up to date fails until it does. The number is that of fixes of which it is not known
// what they change, as there are too many.
func (m *Manifest) PointToSource(findings []*Finding) (unknown int) {
	g, fromGo := m.generator(), m.fromGo()
	if g != nil || fromGo {
		unknown = m.findRemedies(findings)
	}
	if fromGo {
		findings = slices.DeleteFunc(slices.Clone(findings), func(f *Finding) bool { return f.Unmade && f.Fix != nil })
		m.nameMarkers(findings)
		m.findOrigins(findings)
		if m.around.Go != nil && len(findings) > 0 {
			m.noteGoTypes()
		}
		if g == nil && !slices.ContainsFunc(findings, func(f *Finding) bool { return f.Origin != nil }) {
			for _, f := range findings { // descriptions alone are no sign that there are Go types to change
				f.nameNoMarkers()
			}
		}
	}
	for _, f := range findings {
		if f.Origin != nil {
			m.leaveToProgram(f)
			f.Origin.Safe = f.Fix != nil && f.Fix.Safe && !slices.ContainsFunc(f.Origin.Marks(), shared)
			f.Origin.Manual = f.Fix == nil && !f.FixesGo
		}
		by := g
		if by == nil && f.Origin != nil {
			by = &crd.Generator{Name: crd.ControllerGen}
		}
		if by != nil && f.Fix != nil {
			f.Fix.Safe, f.Fix.Source = false, by.AdviceOn(f.Path, f.Markers()...)
		}
	}
	return unknown
}

// leaveToProgram takes the markers out of a finding whose origin is in a Go file that a program writes, which would undo them.
func (m *Manifest) leaveToProgram(f *Finding) {
	o := f.Origin
	if o.InModule {
		return
	}
	for _, mark := range o.Marks() {
		file, _ := m.around.Go.FileOf(mark.Pos.File)
		if file.Program == "" {
			continue
		}
		mark.Add, mark.Drop, mark.Correct = nil, nil, nil
		o.Mark, o.Others, o.Program = mark, nil, file.Program
		f.nameNoMarkers()
		return
	}
}

// shared reports whether a mark is for a type, which others may use as well.
func shared(m lint.Mark) bool { return m.At == lint.TypeDeclaration }

// nameMarkers adds to remedies the markers from which controller-gen makes their changes.
func (m *Manifest) nameMarkers(findings []*Finding) {
	for _, f := range findings {
		for i, c := range f.Remedy {
			if j := impliedBy(c, f.Remedy); j >= 0 {
				c = f.Remedy[j]
			}
			if wants, ok := m.wants(c); ok {
				for _, w := range wants {
					f.Remedy[i].Markers = append(f.Remedy[i].Markers, w.named()...)
				}
			}
		}
	}
}

// named are the markers that a change adds or, if it only takes one away, the name of that.
func (w demand) named() []string {
	switch {
	case w.removed && w.row.Argument != "":
		return []string{"+" + w.row.Name + ":" + w.row.Argument}
	case w.removed:
		return []string{"+" + w.row.Name}
	}
	if texts := w.texts(w.row); texts == nil || len(texts) > 0 {
		return texts
	}
	return []string{"+" + w.row.Name} // whose absence says it
}

// findRemedies adds what the fixes of findings change, where the rules do not say it themselves: the difference that
// each makes to a copy. That is quadratic in a CRD that is full of findings with fixes: those beyond the limit have none, and are
// counted.
func (m *Manifest) findRemedies(findings []*Finding) (unknown int) {
	size, work := 0, 0
	for _, f := range findings {
		if f.Remedy != nil { // an empty one says that none is known
			continue
		}
		if f.Fix == nil {
			f.Remedy = m.correction(f)
			continue
		}
		if size == 0 {
			size = crd.Size(m.CRD.Node)
		}
		if work += size; work > limit.RemedyNodes {
			unknown++
			continue
		}
		if fixed := m.CRD.Copy(); f.Fix.Apply(fixed) {
			f.Remedy = differences(m.CRD.Node, fixed.Node, "", nil)
		}
	}
	return unknown
}

// correction is the remedy of a finding about the value of a keyword whose rule says no more: a person corrects that value,
// if Go types have a marker for it. What a change did is not undone that way, and neither is a flag or a type a value to
// choose.
func (m *Manifest) correction(f *Finding) []lint.Change {
	parent, keyword := crd.Above(f.Path)
	switch {
	case f.Rule.AboutChange:
		return nil
	case slices.Contains([]string{"", "required", "served", "storage", "deprecated"}, keyword):
		return nil
	}
	if s, rest := m.CRD.SchemaAt(parent); s != nil && len(rest) == 0 && keyword == "type" {
		return nil // which is the type in Go
	}
	change := ToChoose(parent, keyword)
	if _, ok := m.wants(change); !ok {
		return nil
	}
	return []lint.Change{change}
}

// differences appends the changes that lead from one mapping to another: of lists of different length as a whole,
// of others by item.
func differences(old, new *yaml.Node, path string, to []lint.Change) []lint.Change {
	old, new = crd.Deref(old), crd.Deref(new)
	for _, e := range crd.Entries(old) {
		key, value := crd.Lookup(new, e.Name)
		switch {
		case key == nil:
			to = append(to, lint.Change{Path: path, Keyword: e.Name, Removed: true})
		case yaml11.Alike(crd.Deref(e.Value), crd.Deref(value)): // as nearly all is
		case !nested(e.Value, value):
			to = append(to, ToSet(path, e.Name, value))
		case crd.Deref(value).Kind == yaml.SequenceNode:
			below := crd.Member(path, e.Name)
			for i, item := range crd.Items(value) {
				to = differences(crd.Items(e.Value)[i], item, crd.Item(below, i), to)
			}
		default:
			to = differences(e.Value, value, crd.Member(path, e.Name), to)
		}
	}
	for _, e := range crd.Entries(new) {
		if key, _ := crd.Lookup(old, e.Name); key == nil {
			to = append(to, ToSet(path, e.Name, e.Value))
		}
	}
	return to
}

// nested reports whether two values are compared by what is in them: mappings, and lists of as many mappings.
func nested(a, b *yaml.Node) bool {
	a, b = crd.Deref(a), crd.Deref(b)
	if a.Kind != b.Kind || a.Kind == yaml.ScalarNode {
		return false
	}
	isMapping := func(n *yaml.Node) bool { return crd.Deref(n).Kind == yaml.MappingNode }
	return a.Kind == yaml.MappingNode || len(a.Content) == len(b.Content) &&
		!slices.ContainsFunc(slices.Concat(a.Content, b.Content), func(n *yaml.Node) bool { return !isMapping(n) })
}
