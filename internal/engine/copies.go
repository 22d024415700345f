package engine

import (
	"path"
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/lint"
)

// OutputName is how controller-gen names the file of the CRD.
func (p *Pass) OutputName() string {
	spec := crd.Get(p.CRD.Node, "spec")
	return crd.StringAt(spec, "group") + "_" + crd.StringAt(spec, "names", "plural") + ".yaml"
}

// FileName is the name of the file, without its folder.
func (p *Pass) FileName() string { return path.Base(p.document.File.Path) }

// InChart reports whether the file is part of a Helm chart, or in a folder that is named like one.
func (p *Pass) InChart() bool { return p.around().place(p.document.File.Path).isChart() }

// IsCopy reports whether the file is a copy of what a generator writes. It may be older on purpose: charts, bundles and the
// like follow at the next release, and test data never. A chart is where the generator writes if it writes nowhere else.
func (p *Pass) IsCopy() bool { return p.copied().is }

type copiedKey struct{}

// A copied is what is known of whether a file is a copy.
type copied struct {
	is bool
	of string // the file that the generator writes; "" where it does not have the name that the generator gives it
}

// copied returns it for the file of the CRD.
func (p *Pass) copied() copied {
	return Memo(p, copiedKey{}, func() (c copied) {
		at := p.around().place(p.document.File.Path)
		if older := at.isOlder(); older || at.isChart() {
			c.of = p.around().output(p.OutputName())
			c.is = older || p.linter.Go == nil || c.of != "" || at.Bases
		}
		return c
	})
}

// nameOriginals names the files that copies are made from if those do not have the name that the generator gives them: the
// first of the run that has the CRD and is no copy.
func (l *Linter) nameOriginals(files []*FileReport) {
	var unknown []*lint.Finding
	for _, f := range files {
		for _, finding := range f.Findings {
			if o := finding.Origin; o != nil && o.Confidence == lint.CopyOrigin && o.CopyOf == "" {
				unknown = append(unknown, finding)
			}
		}
	}
	if len(unknown) == 0 {
		return
	}
	originals := map[string]string{} // files by what is in them
	for _, f := range slices.Backward(files) {
		if at := l.around(f.Path).place(f.Path); len(f.summaries) > 0 && !at.isOlder() && !at.isChart() {
			for _, s := range f.summaries {
				originals[s.Resource.Value] = f.Path
			}
		}
	}
	for _, finding := range unknown {
		finding.Origin.CopyOf = originals[finding.Resource]
	}
}
