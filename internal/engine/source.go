package engine

import "github.com/crdlift/crdlift/internal/crd"

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

// pointToSource adds to the fixes of a generated CRD where they have to be made. None of them is safe: the generator
// undoes it, and a check that generated files are up to date fails until it does.
func (p *Pass) pointToSource(findings []*Finding) {
	g := p.generator()
	if g == nil {
		return
	}
	for _, f := range findings {
		if f.Fix != nil {
			f.Fix.Safe, f.Fix.source = false, g.AdviceOn(f.At.Path, f.Fix.Writes...)
		}
	}
}
