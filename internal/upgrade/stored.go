package upgrade

import (
	"fmt"
	"maps"
	"slices"

	"github.com/crdlift/crdlift/internal/request"
	"k8s.io/apimachinery/pkg/runtime/schema"
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
		p.managed(o, nil)
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
	p.managed(served, to)
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

// through judges a stored object at a version. An error of a read is an effect.
func (p *prospect) through(c crossing, stored request.Object) error {
	before, err := c.was.Serve(stored)
	if err != nil {
		return err
	}
	now, err := c.is.Serve(stored)
	if err != nil {
		p.add(Effect{Class: Unreadable, Version: c.is.Name})
		return nil
	}
	touched, err := p.write(c, before, now)
	if err != nil {
		return err
	}
	kept := now
	if touched && c.is != p.is.Storage() { // what that declares is stored
		if kept, err = reread(c.is, now); err != nil {
			return err
		}
	}
	p.compare(c.is, before, now, kept)
	return nil
}

// reread is what a read shows of an object once it is stored.
func reread(v *request.Version, written request.Object) (request.Object, error) {
	stored, err := v.Store(written)
	if err != nil {
		return nil, err
	}
	return v.Serve(stored)
}

// throughNew finds the fields that are lost to clients that write at a version which the old CRD did not serve.
func (p *prospect) throughNew(from *request.Version, stored request.Object) error {
	for _, name := range p.is.Versions() {
		v := p.is.Version(name)
		if was := p.was.Version(name); !v.Served || was != nil && was.Served || p.is.Converts(v, p.is.Storage()) {
			continue
		}
		before, err := from.Serve(stored)
		if err != nil {
			return err
		}
		now, err := v.Serve(stored)
		if err != nil {
			continue // it is unreadable at each version
		}
		whole, err := p.is.Storage().Serve(stored)
		if err != nil {
			continue
		}
		difference(before, now, nil, func(at request.Path) {
			if _, there := at.In(whole); there { // else it is lost at each version
				p.add(Effect{Class: FieldLost, Version: name, Path: at})
			}
		}, func(request.Path) {})
	}
	return nil
}

// compare finds the fields that a read does not show any more, those that a write drops, and the defaults that are new.
func (p *prospect) compare(v *request.Version, before, now, kept request.Object) {
	hidden := map[string]bool{}
	difference(before, now, nil,
		func(at request.Path) {
			hidden[at.String()] = true
			p.add(Effect{Class: FieldLost, Version: v.Name, Path: at, Hidden: true})
		},
		func(at request.Path) { p.add(Effect{Class: DefaultChanged, Version: v.Name, Path: at}) })
	difference(before, kept, nil, func(at request.Path) {
		if !hidden[at.String()] {
			p.add(Effect{Class: FieldLost, Version: v.Name, Path: at, Unstored: true})
		}
	}, func(request.Path) {})
}

// difference finds what has become of a value by pruning and defaulting: members that are gone, and those that were added or
// took the place of null. The head of an object is none of it.
func difference(before, now any, at request.Path, lost, added func(request.Path)) {
	switch was := before.(type) {
	case map[string]any:
		is, _ := now.(map[string]any)
		for _, key := range slices.Sorted(maps.Keys(was)) {
			if len(at) == 0 && isHead(key) {
				continue
			}
			below := at.To(request.Key(key))
			if member, there := is[key]; there {
				difference(was[key], member, below, lost, added)
			} else {
				lost(below)
			}
		}
		for _, key := range slices.Sorted(maps.Keys(is)) {
			if _, there := was[key]; !there && !(len(at) == 0 && isHead(key)) {
				added(at.To(request.Key(key)))
			}
		}
	case []any:
		is, _ := now.([]any)
		for i := range min(len(was), len(is)) {
			difference(was[i], is[i], at.To(request.Index(i)), lost, added)
		}
	case nil:
		if now != nil {
			added(at)
		}
	}
}

// isHead reports whether a member of an object is what every object has.
func isHead(key string) bool { return key == "apiVersion" || key == "kind" || key == "metadata" }
