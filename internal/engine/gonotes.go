package engine

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/internal/text"
)

// goNotes collects why findings about generated manifests have no place in Go types. A kind that the repository does not
// declare is no reason: its manifest is somebody else's.
type goNotes struct {
	mu       sync.Mutex
	several  map[string]bool // sentences about kinds that are declared more than once
	absent   map[string]bool // sentences about versions that no folder has, although one has others of the same kind
	gaps     map[string]bool // sentences about files that were not read
	asked    bool
	declared bool // a kind that was asked for
}

// note keeps what was found of the versions of a kind.
func (g *GoTypes) note(versions map[schema.GroupVersionKind]gotypes.Found) {
	n := &g.notes
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.several == nil {
		n.several, n.absent, n.gaps = map[string]bool{}, map[string]bool{}, map[string]bool{}
	}
	declared := false
	for _, found := range versions {
		declared = declared || found.Kind != nil || len(found.Several) > 0
	}
	n.asked, n.declared = n.asked || len(versions) > 0, n.declared || declared
	for id, found := range versions {
		name := fmt.Sprintf("%s/%s %s", id.Group, id.Version, id.Kind)
		if len(found.Several) > 0 {
			var places []string
			for _, pos := range found.Several {
				places = append(places, fmt.Sprintf("%s:%d", pos.File, pos.Line))
			}
			n.several[fmt.Sprintf("%s is declared in several places, and they differ: %s; --go names the folder to use", name, text.And(places))] = true
			continue
		}
		if len(g.Folders) > 0 && declared && found.Undeclared() {
			n.absent[fmt.Sprintf("Go types: %s %s not declare %s; findings about it have no place in Go", text.And(g.Folders), text.Verb(len(g.Folders), "does", "do"), name)] = true
		}
		for _, gap := range found.Near {
			n.gaps[fmt.Sprintf("%s: %s; findings about %s may have no place in Go", gap.Path, gap.Reason, name)] = true
		}
	}
}

// Notes returns why findings have no place in Go types, in a line for each reason.
func (g *GoTypes) Notes() (all []string) {
	g.notes.mu.Lock()
	defer g.notes.mu.Unlock()
	if len(g.Folders) > 0 && g.notes.asked && !g.notes.declared && len(g.notes.gaps) == 0 {
		all = append(all, fmt.Sprintf("Go types: %s %s no kind that findings are about", text.And(g.Folders), text.Verb(len(g.Folders), "declares", "declare")))
	}
	for _, reason := range []map[string]bool{g.notes.several, g.notes.absent, g.notes.gaps} {
		if len(reason) == 0 {
			continue
		}
		line := slices.Sorted(maps.Keys(reason))[0]
		if more := len(reason) - 1; more > 0 {
			line += fmt.Sprintf(" (and %d more like this)", more)
		}
		all = append(all, line)
	}
	return all
}
