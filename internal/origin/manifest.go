// Package origin says where the findings about a generated manifest have to be fixed: which markers make the changes of their
// remedies, and where in Go types those stand.
package origin

import (
	"path"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/repository"
	"github.com/crdlift/crdlift/internal/vicinity"
	"github.com/crdlift/crdlift/lint"
)

// A Manifest is a CRD in a document, which a generator may have written from Go types.
type Manifest struct {
	CRD    *crd.CRD
	around vicinity.Vicinity

	generator func() *crd.Generator // nil for one written by hand, and for a dump from a cluster, which differs from the generator's output
	role      func() repository.Decision
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
	m.role = sync.OnceValue(func() repository.Decision { return around.Role(c.Name()) })
	return m
}

// A Finding is a finding about a CRD, as much as has to be known to say where it comes from.
type Finding struct {
	*lint.Finding
	Path    string
	Fix     *Fix // nil where there is none
	FixesGo bool // its markers may be written although it has no fix for manifests
	Unmade  bool // it is about a field that no server knows, which controller-gen never writes
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

// IsSource reports whether the CRD in the file is what a generator or a person writes, as far as is known, and not a copy.
func (m *Manifest) IsSource() bool {
	role := m.role().Role
	return role == "" || role == lint.RoleSource
}

// isCopy reports whether the CRD is made of another manifest, as one for the same Go types is that is not the source. It may be older
// on purpose: charts, bundles and the like follow at the next release, and test data never.
func (m *Manifest) isCopy() bool { return !m.IsSource() && m.role().Role != lint.RoleForeign }

// AsOf says as of when the CRD is in the file, if it is an outdated copy to report; else "".
func (m *Manifest) AsOf() string { return m.around.AsOf(m.CRD.Name()) }

// Generated reports whether the manifest is a generator's output. Constructs that the generator always writes are not
// reported, since it would write them again.
func (m *Manifest) Generated() bool { return m.generator() != nil }

// nameNoMarkers takes the markers out of the remedy of a finding: it is not made through them.
func (f *Finding) nameNoMarkers() {
	for i := range f.Remedy {
		f.Remedy[i].Markers = nil
	}
}
