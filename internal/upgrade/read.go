package upgrade

import (
	"maps"
	"slices"

	"github.com/crdlift/crdlift/internal/request"
)

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
