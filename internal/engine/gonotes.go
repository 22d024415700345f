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
	gaps     map[string]bool // sentences about files that were not read
	asked    bool
	declared bool // a kind that was asked for
}

// add notes what was found of the kinds of a manifest.
func (n *goNotes) add(kinds map[schema.GroupVersionKind]gotypes.Found) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.several == nil {
		n.several, n.gaps = map[string]bool{}, map[string]bool{}
	}
	for id, found := range kinds {
		n.asked = true
		n.declared = n.declared || found.Kind != nil || len(found.Several) > 0
		name := fmt.Sprintf("%s/%s %s", id.Group, id.Version, id.Kind)
		if len(found.Several) > 0 {
			var places []string
			for _, pos := range found.Several {
				places = append(places, fmt.Sprintf("%s:%d", pos.File, pos.Line))
			}
			n.several[fmt.Sprintf("%s is declared in several places, and they differ: %s; --go names the folder to use", name, text.And(places))] = true
			continue
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
	if len(g.Folders) > 0 && g.notes.asked && !g.notes.declared {
		all = append(all, fmt.Sprintf("Go types: %s %s no kind that findings are about", text.And(g.Folders), text.Verb(len(g.Folders), "declares", "declare")))
	}
	for _, reason := range []map[string]bool{g.notes.several, g.notes.gaps} {
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
