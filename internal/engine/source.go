package engine

import (
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/lint"
)

type generatorKey struct{}

// generator returns the program that wrote the CRD; nil for one written by hand, and for a dump from a cluster, which
// differs from the generator's output.
func (p *Pass) generator() *crd.Generator {
	return Memo(p, generatorKey{}, func() *crd.Generator {
		if g, ok := p.CRD.Generator(p.document.Header()); ok && !p.CRD.InCluster() {
			return &g
		}
		return nil
	})
}

// Generated reports whether the manifest is a generator's output. Constructs that the generator always writes are not
// reported, since it would write them again.
func (p *Pass) Generated() bool { return p.generator() != nil }

// Unfinished reports whether something is likely to add to the manifest before it is applied: it is a generator's
// output and, to the linter's knowledge, was not built by a kustomization.
func (p *Pass) Unfinished() bool { return p.Generated() && !p.linter.Final }

// pointToSource adds to findings about a CRD that is generated where they have to be fixed: which markers make the changes
// of their remedies, and where in Go types those stand. No fix of a generated manifest is safe: the generator undoes it,
// and a check that generated files are up to date fails until it does.
func (p *Pass) pointToSource(findings []*Finding) {
	g, fromGo := p.generator(), p.fromGo()
	if g != nil || fromGo {
		p.findRemedies(findings)
	}
	if fromGo {
		p.nameMarkers(findings)
		p.findOrigins(findings)
		if p.linter.Go != nil && len(findings) > 0 {
			p.noteGoTypes()
		}
	}
	for _, f := range findings {
		if f.Origin != nil {
			p.leaveToProgram(f)
			f.Origin.Safe = f.Fix != nil && f.Fix.Safe && !slices.ContainsFunc(f.Origin.Marks(), shared)
			f.Origin.Manual = f.Fix == nil && !f.rule.FixesGo
		}
		by := g
		if by == nil && f.Origin != nil {
			by = &crd.Generator{Name: crd.ControllerGen}
		}
		if by != nil && f.Fix != nil {
			f.Fix.Safe, f.Fix.source = false, by.AdviceOn(f.At.Path, f.Markers()...)
		}
	}
}

// leaveToProgram takes the markers out of a finding whose origin is in a Go file that a program writes, which would undo them.
func (p *Pass) leaveToProgram(f *Finding) {
	o := f.Origin
	if o.InModule {
		return
	}
	for _, m := range o.Marks() {
		file, _ := p.linter.Go.source(m.Pos.File)
		if file.Program == "" {
			continue
		}
		m.Add, m.Drop, m.Correct = nil, nil, nil
		o.Mark, o.Others, o.Program = m, nil, file.Program
		f.nameNoMarkers()
		return
	}
}

// nameNoMarkers takes the markers out of the remedy of a finding: it is not made through them.
func (f *Finding) nameNoMarkers() {
	for i := range f.Remedy {
		f.Remedy[i].Markers = nil
	}
}

// shared reports whether a mark is for a type, which others may use as well.
func shared(m lint.Mark) bool { return m.At == lint.TypeDeclaration }

// nameMarkers adds to remedies the markers from which controller-gen makes their changes.
func (p *Pass) nameMarkers(findings []*Finding) {
	for _, f := range findings {
		for i, c := range f.Remedy {
			if j := impliedBy(c, f.Remedy); j >= 0 {
				c = f.Remedy[j]
			}
			if wants, ok := p.wants(c); ok {
				for _, w := range wants {
					f.Remedy[i].Markers = append(f.Remedy[i].Markers, w.named()...)
				}
			}
		}
	}
}

// impliedBy returns the change of a remedy that another comes with: the marker for an integer or a string takes the place of
// type and anyOf. It is -1 for a change of its own.
func impliedBy(c lint.Change, remedy []lint.Change) int {
	if c.Keyword != "type" && c.Keyword != "anyOf" {
		return -1
	}
	return slices.IndexFunc(remedy, func(other lint.Change) bool {
		return other.Path == c.Path && other.Keyword == "x-kubernetes-int-or-string" && other.Value == true
	})
}

// named are the markers that a change adds or, if it only takes one away, the name of that.
func (w wanted) named() []string {
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
