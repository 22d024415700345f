package rules

import (
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/lint"
)

// storageOf is the name of the old storage version.
func storageOf(p *engine.Pass) string {
	for _, v := range comparison(p).Old.Spec.Versions {
		if v.Storage {
			return v.Name
		}
	}
	return ""
}

// storedAndGone reports whether the API server refuses an update because a version is still stored: then that is what
// there is to say.
func storedAndGone(p *engine.Pass, version string) bool {
	return slices.ContainsFunc(p.UpdateRefusalsOf("stored-version-removed"), func(r engine.Refusal) bool { return r.BadValue == version })
}

// eachNewStorage reports the storage version where it was another one: one that was added since, or one that was there.
func eachNewStorage(p *engine.Pass, added bool, report func(at crd.Place, was, is string) *engine.Finding) {
	was := storageOf(p)
	for _, v := range comparison(p).New.Spec.Versions {
		limit := limitOf(p, v.Name, false)
		if !v.Storage || v.Name == was || was == "" || limit == lint.Off || added != (oldVersion(p, v.Name) == nil) {
			continue
		}
		f := report(versionPlace(p.CRD, v.Name, "storage"), was, v.Name).AtMost(limit)
		f.Old, f.New = was, v.Name
	}
}

// versionPlace is the place of a field of a version.
func versionPlace(c *crd.CRD, version, field string) crd.Place {
	for _, v := range c.Versions() {
		if v.Name == version {
			return v.At.At(field)
		}
	}
	return crd.Place{Node: c.Node}
}
