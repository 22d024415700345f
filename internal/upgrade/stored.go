package upgrade

import (
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdlift/crdlift/internal/request"
)

// judge finds the effects on an object.
func (p *prospect) judge(o request.Object) error {
	apiVersion, _ := o["apiVersion"].(string)
	gv, err := schema.ParseGroupVersion(apiVersion)
	from := p.was.Version(gv.Version)
	if err != nil || from == nil {
		return fmt.Errorf("the old CRD does not have the version %s", gv.Version)
	}
	if err := from.Err(); err != nil {
		return fmt.Errorf("the old CRD: %w", err)
	}
	served, err := from.Serve(o)
	if err != nil {
		return fmt.Errorf("the old CRD: %w", err)
	}
	stored := slices.DeleteFunc(slices.Clone(p.stored), func(name string) bool {
		gone := p.is.Version(name) == nil
		if gone {
			p.add(Effect{Class: Unreadable, Version: name})
		}
		return gone
	})
	if len(stored) == 0 {
		return nil
	}
	if to := p.is.Version(from.Name); from.Served && (to == nil || !to.Served) && p.next() != nil {
		p.add(Effect{Class: RefusedOnCreate, Version: from.Name})
	}
	if p.was.Converts(from, p.was.Storage()) || p.is.Converts(p.is.Version(from.Name), p.is.Storage()) {
		p.add(Effect{Class: Converted, Version: from.Name})
		return p.converted(from, served)
	}
	for _, name := range stored {
		o, err := as(name, from, served)
		if err != nil {
			return fmt.Errorf("the old CRD: %w", err)
		}
		if err := p.of(from, o); err != nil {
			return err
		}
	}
	return nil
}

// as is what etcd has of an object that is stored in a version. Of one that is not the storage version any more nobody knows
// more than what is served.
func as(version string, from *request.Version, served request.Object) (request.Object, error) {
	if version == from.Name {
		return served, nil
	}
	stored, err := from.Store(served)
	if err == nil && stored["apiVersion"] != apiVersionOf(served, version) {
		stored = maps.Clone(served)
		stored["apiVersion"] = apiVersionOf(served, version)
	}
	return stored, err
}

func apiVersionOf(o request.Object, version string) string {
	apiVersion, _ := o["apiVersion"].(string)
	gv, _ := schema.ParseGroupVersion(apiVersion)
	gv.Version = version
	return gv.String()
}

// converted judges an object that a webhook makes of the one that is stored. It is taken to go on as it is, so that all that is
// judged is within its version.
func (p *prospect) converted(from *request.Version, served request.Object) error {
	to := p.is.Version(from.Name)
	if to == nil || !to.Served {
		return nil
	}
	return p.through(crossing{from, to}, served)
}

// A crossing is a version that the old CRD had and the new one has in its place.
type crossing struct{ was, is *request.Version }

// of judges a stored object at all versions that it can be reached at as before, that of the object first. Where there is none,
// clients have to go on at another one.
func (p *prospect) of(from *request.Version, stored request.Object) error {
	var known []crossing
	for _, name := range p.is.Versions() {
		was, is := p.was.Version(name), p.is.Version(name)
		if is.Served && was != nil && (was.Served || was == from) && !p.is.Converts(is, p.is.Storage()) && !p.was.Converts(was, p.was.Storage()) {
			at := len(known)
			if was == from {
				at = 0
			}
			known = slices.Insert(known, at, crossing{was, is})
		}
	}
	if len(known) == 0 {
		to := p.next()
		if to == nil {
			p.add(Effect{Class: Unreadable, Version: from.Name})
			return nil
		}
		known = append(known, crossing{from, to})
	}
	for _, c := range known {
		if err := p.through(c, stored); err != nil {
			return err
		}
	}
	return p.throughNew(from, stored)
}

// next is the version to go on at; nil where no version is served.
func (p *prospect) next() *request.Version {
	if storage := p.is.Storage(); storage.Served {
		return storage
	}
	for _, name := range p.is.Versions() {
		if v := p.is.Version(name); v.Served && !p.is.Converts(v, p.is.Storage()) {
			return v
		}
	}
	return nil
}
