// Package origin says where the findings about a generated manifest have to be fixed: which markers make the changes of their
// remedies, and where in Go types those stand.
package origin

import (
	"iter"
	"path"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/vicinity"
	"github.com/crdlift/crdlift/lint"
)

// A Manifest is a CRD in a document, which a generator may have written from Go types.
type Manifest struct {
	CRD    *crd.CRD
	around vicinity.Vicinity

	generator func() *crd.Generator // nil for one written by hand, and for a dump from a cluster, which differs from the generator's output
	copied    func() duplicate
	types     map[schema.GroupVersionKind]gotypes.Answer // the answers so far to where the types of the CRD's versions are
}

// New returns the manifest of a CRD in a document.
func New(c *crd.CRD, d *manifest.Document, around vicinity.Vicinity) *Manifest {
	m := &Manifest{CRD: c, around: around, types: map[schema.GroupVersionKind]gotypes.Answer{}}
	m.generator = sync.OnceValue(func() *crd.Generator {
		if g, ok := c.Generator(d.Header()); ok && !c.InCluster() {
			return &g
		}
		return nil
	})
	m.copied = sync.OnceValue(m.isCopied)
	return m
}

// A Finding is a finding about a CRD, as much as has to be known to say where it comes from.
type Finding struct {
	*lint.Finding
	Path    string
	Fix     *Fix // nil where there is none
	FixesGo bool // its markers may be written although it has no fix for manifests
}

// A Fix is the fix of a finding.
type Fix struct {
	Apply  func(*crd.CRD) bool
	Safe   bool
	Source string // where it has to be made to last; see lint.Fix
}

// versionOf returns the version whose struct declares what is at a path: the one that the path is in, or else the
// storage version.
func (m *Manifest) versionOf(path string) (found *crd.APIVersion) {
	names := m.CRD.VersionsAt(path)
	for _, v := range m.CRD.Versions() {
		if len(names) == 1 && v.Name == names[0] || len(names) != 1 && v.Storage {
			return &v
		}
	}
	return nil
}

// OutputName is how controller-gen names the file of the CRD.
func (m *Manifest) OutputName() string {
	spec := crd.Get(m.CRD.Node, "spec")
	return crd.StringAt(spec, "group") + "_" + crd.StringAt(spec, "names", "plural") + ".yaml"
}

// FileName is the name of the file, without its folder.
func (m *Manifest) FileName() string { return path.Base(m.around.Path) }

// InChart reports whether the file is part of a Helm chart, or in a folder that is named like one.
func (m *Manifest) InChart() bool { return m.around.PlaceOf(m.around.Path).IsChart() }

// IsCopy reports whether the file is a copy of what a generator writes. It may be older on purpose: charts, bundles and the
// like follow at the next release, and test data never. A chart is where the generator writes if it writes nowhere else.
func (m *Manifest) IsCopy() bool { return m.copied().is }

// IsElsewhere reports whether the generator seems to write into another folder than that of the file.
func (m *Manifest) IsElsewhere() bool { return m.around.PlaceOf(m.around.Path).IsElsewhere() }

// A duplicate is what is known of whether a file is a copy.
type duplicate struct {
	is bool
	of string // the file that the generator writes; "" where it does not have the name that the generator gives it
}

// isCopied returns it for the file of the CRD.
func (m *Manifest) isCopied() (c duplicate) {
	at := m.around.PlaceOf(m.around.Path)
	if older := at.IsOlder(); older || at.IsChart() {
		c.of = m.around.Output(m.OutputName())
		c.is = older || m.around.Go == nil || c.of != "" || at.Bases
	}
	return c
}

// Generated reports whether the manifest is a generator's output. Constructs that the generator always writes are not
// reported, since it would write them again.
func (m *Manifest) Generated() bool { return m.generator() != nil }

// nameNoMarkers takes the markers out of the remedy of a finding: it is not made through them.
func (f *Finding) nameNoMarkers() {
	for i := range f.Remedy {
		f.Remedy[i].Markers = nil
	}
}

// A File is one of a run, and the names of the CRDs in it.
type File struct {
	vicinity.Vicinity
	CRDs []string
}

// NameOriginals names the files that copies are made from, if those do not have the name that the generator gives them: the
// first of the run that has the CRD and is no copy.
func NameOriginals(findings []*lint.Finding, files iter.Seq[File]) {
	unknown := slices.DeleteFunc(slices.Clone(findings), func(f *lint.Finding) bool {
		return f.Origin == nil || f.Origin.Confidence != lint.CopyOrigin || f.Origin.CopyOf != ""
	})
	if len(unknown) == 0 {
		return
	}
	originals := map[string]string{} // files by what is in them
	for f := range files {
		at := f.PlaceOf(f.Path)
		for _, name := range f.CRDs {
			if originals[name] == "" && !at.IsOlder() && !at.IsChart() {
				originals[name] = f.Path
			}
		}
	}
	for _, finding := range unknown {
		finding.Origin.CopyOf = originals[finding.Resource]
	}
}
