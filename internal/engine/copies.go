package engine

import (
	"path"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/lint"
)

// outputFolder is where the scaffold of kubebuilder has the generator write.
const outputFolder = "config/crd/bases"

// chartFile is what a folder with a chart has.
const chartFile = "Chart.yaml"

// belowModule returns a path below the folder of its module, or else the root of its repository; as the user named it where there
// is neither. What folders above a module are called says nothing of what its generator writes.
func (g *GoTypes) belowModule(file string) string {
	if g != nil {
		if at, ok := g.Index.InModule(file); ok {
			return at
		}
	}
	return file
}

// in reports whether a file is in a folder of a module with such a name.
func (g *GoTypes) in(file string, named func(folder string) bool) bool {
	return slices.ContainsFunc(strings.Split(path.Dir(g.belowModule(file)), "/"), named)
}

// inChart reports whether a file is part of a Helm chart, or in a folder that is named like one. So are programs that have to do
// with charts; the folder that they are generated into is none.
func (g *GoTypes) inChart(file string) bool {
	return g.in(file, manifest.IsChartFolder) && !strings.HasSuffix(path.Dir(g.belowModule(file)), outputFolder) || g != nil && g.Index.Within(file, chartFile)
}

// OutputName is how controller-gen names the file of the CRD.
func (p *Pass) OutputName() string {
	spec := crd.Get(p.CRD.Node, "spec")
	return crd.StringAt(spec, "group") + "_" + crd.StringAt(spec, "names", "plural") + ".yaml"
}

// FileName is the name of the file, without its folder.
func (p *Pass) FileName() string { return path.Base(p.document.File.Path) }

// InChart reports whether the file is part of a Helm chart, or in a folder that is named like one.
func (p *Pass) InChart() bool { return p.linter.Go.inChart(p.document.File.Path) }

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
		g, file := p.linter.Go, p.document.File.Path
		older := g.in(file, manifest.IsOlderFolder)
		if !older && !g.inChart(file) {
			return c
		}
		if g != nil {
			c.of = g.output(file, p.OutputName(), p.linter.Asked)
		}
		c.is = older || g == nil || c.of != "" || g.Index.Within(file, outputFolder)
		return c
	})
}

// output returns the file of a name in the repository of a manifest that is no copy; "" where there is none.
func (g *GoTypes) output(file, name string, asked *Asked) string {
	named := g.Index.Named(file, name)
	asked.named(name, named)
	for _, at := range named {
		if !g.in(at, manifest.IsOlderFolder) && !g.inChart(at) {
			return at
		}
	}
	return ""
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
		if len(f.summaries) > 0 && !l.Go.in(f.Path, manifest.IsOlderFolder) && !l.Go.inChart(f.Path) {
			for _, s := range f.summaries {
				originals[s.Resource.Value] = f.Path
			}
		}
	}
	for _, finding := range unknown {
		finding.Origin.CopyOf = originals[finding.Resource]
	}
}
