package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/text"
)

// storageAt is the release that switches the storage version. The release before has to know the version: after a
// rollback to it, stored objects could not be read otherwise, and the API server does not let it remove the version.
func (c *change) storageAt() int {
	switch {
	case c.oldStorage == c.newStorage:
		return 0
	case c.was[c.newStorage].isThere():
		return 1
	}
	return 2
}

// unserveAt is the release that stops serving a version: one after it was deprecated, one after what clients are to
// use instead was there, and one after the objects that it stores were moved.
func (c *change) unserveAt(name string) int {
	v := c.was[name]
	if !v.Served {
		return 0
	}
	at := 1
	if !v.Deprecated || c.gains {
		at = 2
	}
	if name == c.oldStorage {
		at = max(at, c.storageAt()+1)
	}
	return at
}

// removeAt is the release that removes a version: one after it was served last, and one after its objects were moved.
func (c *change) removeAt(name string) int {
	at := max(1, c.unserveAt(name)+1)
	if slices.Contains(c.stored, name) && c.storageAt() > 0 {
		at = max(at, c.storageAt()+1)
	}
	return at
}

// last is the release that brings the new manifest.
func (c *change) last() int {
	last := max(1, c.storageAt())
	for _, name := range c.unserved() {
		last = max(last, c.unserveAt(name))
	}
	for _, name := range c.removed() {
		last = max(last, c.removeAt(name))
	}
	return last
}

func (c *change) idle(r int) bool { return slices.Equal(c.states(r), c.states(r-1)) }

// states is what spec.versions says in a release.
func (c *change) states(r int) []State {
	if r == 0 {
		return c.old
	}
	var all []State
	for _, v := range c.new {
		was := c.was[v.Name]
		if was.Served && !v.Served && r < c.unserveAt(v.Name) {
			v.Served, v.Deprecated = true, true
		}
		v.Storage = v.Name == c.storageIn(r)
		all = append(all, v)
	}
	for _, v := range c.old {
		if c.will[v.Name].isThere() || r >= c.removeAt(v.Name) {
			continue
		}
		v.Deprecated = v.Deprecated || v.Served
		v.Served = v.Served && r < c.unserveAt(v.Name)
		v.Storage = v.Name == c.storageIn(r)
		all = append(all, v)
	}
	return all
}

func (c *change) storageIn(r int) string {
	if r < c.storageAt() {
		return c.oldStorage
	}
	return c.newStorage
}

// differ returns the versions that a release does something to.
func (c *change) differ(r int, which func(before, after State) bool) []string {
	return differing(c.states(r-1), c.states(r), which)
}

// differing are the versions that become others in a way.
func differing(before, after []State, which func(before, after State) bool) []string {
	was, is := byName(before), byName(after)
	found := names(after, func(v State) bool { return which(was[v.Name], v) })
	return append(found, names(before, func(v State) bool { return !is[v.Name].isThere() && which(v, State{}) })...)
}

// What may happen to a version.
func appears(before, after State) bool { return !before.isThere() && after.isThere() }
func starts(before, after State) bool  { return !before.Served && after.Served }
func announces(before, after State) bool {
	return !before.Deprecated && after.Deprecated && after.Served
}
func stops(before, after State) bool { return before.Served && !after.Served }
func drops(before, after State) bool { return before.isThere() && !after.isThere() }

func (c *change) switches(r int) bool { return c.storageIn(r) != c.storageIn(r-1) }

// clauses are what happens to versions, each for several of them.
type clauses []string

func (all *clauses) add(verb string, versions []string) {
	if len(versions) > 0 {
		*all = append(*all, verb+" "+text.And(versions))
	}
}

func (c *change) title(r int) string {
	var parts clauses
	parts.add("serve", c.differ(r, starts))
	parts.add("add, but not serve,", c.differ(r, func(before, after State) bool { return before.Name == "" && !after.Served }))
	parts.add("deprecate", c.differ(r, announces))
	parts.add("no longer deprecate", c.differ(r, func(before, after State) bool { return before.Deprecated && !after.Deprecated && after.Served }))
	if c.switches(r) {
		parts = append(parts, "store as "+c.newStorage)
	}
	parts.add("stop serving", c.differ(r, stops))
	parts.add("remove", c.differ(r, drops))
	if len(parts) == 0 { // versions that are not served
		parts.add("deprecate", c.differ(r, func(before, after State) bool { return !before.Deprecated && after.Deprecated }))
		parts.add("no longer deprecate", c.differ(r, func(before, after State) bool { return before.Deprecated && !after.Deprecated }))
	}
	return strings.Join(parts, ", ")
}

// why returns the changes that have to wait for the next release, and the reasons.
func (c *change) why(r int) string {
	switch {
	case c.storageAt() == r+1:
		return fmt.Sprintf("%[1]s becomes the storage version one release later: a rollback to the release before "+
			"needs a CRD that can read what was stored, and the API server keeps %[1]s in spec.versions as long as "+
			"status.storedVersions lists it.", c.newStorage)
	case c.switches(r):
		return fmt.Sprintf("%s is served until its objects are rewritten and its clients have moved: until then a rollback needs it.", c.oldStorage)
	case len(c.differ(r, announces)) > 0:
		return fmt.Sprintf("Clients of %s need a release that announces it and serves the replacement.", text.And(c.differ(r, announces)))
	}
	return fmt.Sprintf("When something still uses %s, serving it again is easy as long as it is there.", text.And(c.differ(r, stops)))
}

func (c *change) summary() string {
	var parts clauses
	parts.add("adds", c.added())
	parts.add("deprecates", names(c.new, func(v State) bool { return v.Deprecated && c.was[v.Name].isThere() && !c.was[v.Name].Deprecated }))
	parts.add("no longer deprecates", names(c.old, func(v State) bool { return v.Deprecated && c.will[v.Name].isThere() && !c.will[v.Name].Deprecated }))
	parts.add("serves", names(c.new, func(v State) bool { return v.Served && c.was[v.Name].isThere() && !c.was[v.Name].Served }))
	if c.oldStorage != c.newStorage {
		parts = append(parts, fmt.Sprintf("stores as %s rather than %s", c.newStorage, c.oldStorage))
	}
	parts.add("stops serving", slices.DeleteFunc(c.unserved(), func(name string) bool { return !c.will[name].isThere() }))
	parts.add("removes", c.removed())
	if len(parts) == 0 {
		return "no version is added, removed, deprecated or served differently"
	}
	return strings.Join(parts, ", ")
}
