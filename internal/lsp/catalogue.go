package lsp

import (
	"crypto/sha256"
	"maps"
	"slices"
	"sync"

	"go.lsp.dev/uri"

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
	sum  [sha256.Size]byte // of its text
	crds *rules.CRDFile
	open bool // so that it keeps its schemas: it changes, and is asked for, more often
}

// has reports whether the CRDs of a text are known.
func (c *catalogue) has(snap *snapshot) bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	source, known := c.sources[snap.path]
	return known && source.sum == sha256.Sum256(snap.text) && (snap.open || !source.open)
}

// put takes the CRDs of a text, and returns the groups and kinds of which there may be another one now.
func (c *catalogue) put(snap *snapshot, crds *rules.CRDFile) (changed []string) {
	if !snap.open {
		crds.Unload(func() []byte { return textOf(snap.uri) })
	}
	return c.replace(snap.path, crdSource{sha256.Sum256(snap.text), crds, snap.open})
}

// textOf is the text of a file; nil where there is none.
func textOf(doc uri.URI) []byte {
	src, _ := readFile(doc)
	return src
}

// replace takes the CRDs of a file, none for one that is gone.
func (c *catalogue) replace(name string, source crdSource) (changed []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	before, known := c.sources[name]
	if changed = source.crds.Names(); known {
		changed = append(changed, before.crds.Names()...)
	}
	if len(changed) == 0 {
		return nil
	}
	c.objects, c.sources[name] = nil, source
	if len(source.crds.Names()) == 0 {
		delete(c.sources, name)
	}
	if known && source.sum == before.sum { // it was only closed
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
			source.crds.Unload(nil)
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
