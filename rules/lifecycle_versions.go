package rules

import (
	"github.com/crdlift/crdlift/internal/compare"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
)

// versionChanges are the changes of one field outside of the schemas.
func versionChanges(p *engine.Pass, field string) []*compare.Change {
	var all []*compare.Change
	for _, c := range comparison(p).Changes {
		if c.Node == nil && c.Field == field {
			all = append(all, c)
		}
	}
	return all
}

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
	for _, r := range p.UpdateRefusalsOf("stored-version-removed") {
		if r.BadValue == version {
			return true
		}
	}
	return false
}

// newPlace and oldPlace are the places of a field of a version.
func newPlace(p *engine.Pass, version, field string) crd.Place {
	return versionPlace(p.CRD, version, field)
}
func oldPlace(p *engine.Pass, version, field string) crd.Place {
	return versionPlace(p.Old().CRD, version, field)
}

func versionPlace(c *crd.CRD, version, field string) crd.Place {
	for _, v := range c.Versions() {
		if v.Name == version {
			return v.At.At(field)
		}
	}
	return crd.Place{Node: c.Node}
}
