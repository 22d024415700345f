package lsp

import (
	"bytes"
	"maps"
	"slices"
	"sync"

	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// A catalogue has the CRDs of all files, which custom resources are judged by.
type catalogue struct {
	// mu is held for reading while objects are judged: to add CRDs to what they are judged by changes these.
	mu      sync.RWMutex
	sources map[string]crdSource // by path
	objects *rules.Objects       // made of them; nil when they have changed
	changes int                  // how often that was
	isPatch func(path string) bool
	roles   func(path, crd string) (role lint.Role, below string)
}

// A crdSource is a file with CRDs.
type crdSource struct {
	text []byte
	crds *rules.CRDFile
	open bool // so that it keeps its schemas: it changes, and is asked for, more often
}

// put takes the text of a file, nil for one that is gone, and returns the groups and kinds of which there may be another CRD now.
func (c *catalogue) put(name string, text []byte, open bool) (changed []string) {
	c.mu.RLock()
	before, known := c.sources[name]
	c.mu.RUnlock()
	same := known && bytes.Equal(before.text, text)
	if same && (open || !before.open) || !known && text == nil {
		return nil
	}
	file := lint.File{Path: name, Label: name, Read: func() ([]byte, error) { return text, nil }}
	crds, _ := rules.ReadCRDs(file, false) // which only fails where Read does
	if !open {
		crds.Unload()
	}
	if changed = crds.Names(); known {
		changed = append(changed, before.crds.Names()...)
	}
	if len(changed) == 0 {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.objects = nil
	if len(crds.Names()) == 0 {
		delete(c.sources, name)
	} else {
		c.sources[name] = crdSource{text, crds, open}
	}
	if same { // and only closed
		return nil
	}
	c.changes++
	return changed
}

// rest lets go of what was read again of the CRDs of files that are not open.
func (c *catalogue) rest() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, source := range c.sources {
		if !source.open {
			source.crds.Unload()
		}
	}
}

// use calls a function with what objects are judged by. It returns how often that has changed so far.
func (c *catalogue) use(judge func(*rules.Objects)) (changes int) {
	c.mu.RLock()
	for c.objects == nil {
		c.mu.RUnlock()
		c.fill()
		c.mu.RLock()
	}
	defer c.mu.RUnlock()
	judge(c.objects)
	return c.changes
}

// hasChanged reports whether what objects are judged by has changed since a use.
func (c *catalogue) hasChanged(since int) bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.changes != since
}

// names are the groups and kinds that the CRDs of files define.
func (c *catalogue) names(of func(path string) bool) (all []string) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	for path, source := range c.sources {
		if of(path) {
			all = append(all, source.crds.Names()...)
		}
	}
	return all
}

// stand has the CRDs judge as they stand now, though they say the same.
func (c *catalogue) stand() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.objects = nil
	c.changes++
}

// fill makes what objects are judged by.
func (c *catalogue) fill() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.objects != nil {
		return
	}
	c.objects = &rules.Objects{List: true, IsPatch: c.isPatch, Roles: c.roles}
	for _, name := range slices.Sorted(maps.Keys(c.sources)) {
		c.objects.Add(c.sources[name].crds)
	}
}
