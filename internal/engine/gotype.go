package engine

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/lint"
)

// GoType returns the struct that controller-gen writes a version of the CRD from; nil where none is known to be the right
// one, or a part of the Go code was not read.
func (p *Pass) GoType(version string) *gotypes.Kind {
	if p.linter.Go == nil {
		return nil
	}
	found := p.goType(version)
	if len(found.Gaps) > 0 {
		return nil
	}
	return found.Kind
}

type goTypesKey struct{}

// goTypes are the answers so far to where the types of the CRD's versions are.
func (p *Pass) goTypes() map[schema.GroupVersionKind]gotypes.Found {
	return Memo(p, goTypesKey{}, func() map[schema.GroupVersionKind]gotypes.Found {
		return map[schema.GroupVersionKind]gotypes.Found{}
	})
}

// goType returns where the type of a version is.
func (p *Pass) goType(version string) gotypes.Found {
	id := p.kindOf(version)
	found, known := p.goTypes()[id]
	if !known {
		found = p.linter.Go.Find(p.document.File.Path, id)
		p.goTypes()[id] = found
	}
	return found
}

// kindOf returns what a version of the CRD is called.
func (p *Pass) kindOf(version string) schema.GroupVersionKind {
	spec := crd.Get(p.CRD.Node, "spec")
	return schema.GroupVersionKind{Group: crd.StringAt(spec, "group"), Version: version, Kind: crd.StringAt(spec, "names", "kind")}
}

// InRepository returns the path of the file below the root of its repository; as the user named it where there is none.
func (p *Pass) InRepository() string {
	if p.linter.Go != nil {
		if at, ok := p.linter.Go.Index.InRepository(p.document.File.Path); ok {
			return at
		}
	}
	return p.document.File.Path
}

// IsCopy reports whether the file is in a folder with copies of what a generator writes. They may be older on purpose:
// charts, bundles and the like follow at the next release, and test data never.
func (p *Pass) IsCopy() bool {
	return slices.ContainsFunc(strings.Split(path.Dir(p.InRepository()), "/"), copyFolder.MatchString) ||
		p.linter.Go != nil && p.linter.Go.Index.Within(p.document.File.Path, "Chart.yaml")
}

// copyFolder matches the names of folders with copies, whole or in part. Those of releases begin with v1.2 or 1.2; versions
// of an API have no dots.
var copyFolder = regexp.MustCompile(`^(bundles?|helm|olm-catalog|releases?|testdata)$|chart|^v?[0-9]+\.[0-9]`)

// OriginAt returns a place in Go types as an origin. A rule that knows it better than by the place of a finding sets it.
func (p *Pass) OriginAt(mark lint.Mark, c lint.Confidence) *lint.Origin {
	out := &lint.Origin{Mark: mark, Confidence: c, Generator: crd.ControllerGen}
	if g := p.generator(); g != nil {
		out.Generator = g.String()
	}
	return out
}
