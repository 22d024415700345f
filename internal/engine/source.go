package engine

import "github.com/crdlift/crdlift/internal/crd"

type generatorKey struct{}

// generator is the program that wrote the CRD; nil for one written by hand, and for a dump from a cluster, which is no
// longer what the generator wrote.
func (p *Pass) generator() *crd.Generator {
	return Memo(p, generatorKey{}, func() *crd.Generator {
		if g, ok := p.CRD.Generator(p.document.Header()); ok && !p.CRD.InCluster() {
			return &g
		}
		return nil
	})
}

// Generated reports whether the manifest is a generator's output: what the generator always writes is not worth a
// finding, because it writes that again.
func (p *Pass) Generated() bool { return p.generator() != nil }

// Unfinished reports whether something is likely to add to the manifest before it is applied: it is a generator's output,
// and as far as the linter knows no kustomization has built it.
func (p *Pass) Unfinished() bool { return p.Generated() && !p.linter.Final }

// mendSource says of the fixes of a generated CRD where they have to be made. None of them is safe: the generator undoes
// it, and a check that generated files are up to date fails until it does.
func (p *Pass) mendSource(findings []*Finding) {
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
