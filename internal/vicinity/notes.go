package vicinity

import (
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/internal/text"
)

// A GoNote is what notes collect of one CRD.
type GoNote struct {
	Several, Absent, Gaps []string
	Asked, Declared       bool
}

// noteOf says what was found of the versions of a kind.
func (g *GoTypes) noteOf(versions map[schema.GroupVersionKind]gotypes.Answer) (n GoNote) {
	n.Asked = len(versions) > 0
	for _, found := range versions {
		n.Declared = n.Declared || found.Kind != nil || len(found.Several) > 0
	}
	for id, found := range versions {
		name := fmt.Sprintf("%s/%s %s", id.Group, id.Version, id.Kind)
		if len(found.Several) > 0 {
			var places []string
			for _, pos := range found.Several {
				places = append(places, fmt.Sprintf("%s:%d", pos.File, pos.Line))
			}
			n.Several = append(n.Several, fmt.Sprintf("%s is declared in several places, and they differ: %s; --go names the folder to use", name, text.And(places)))
			continue
		}
		if len(g.Folders) > 0 && n.Declared && found.Undeclared() {
			n.Absent = append(n.Absent, fmt.Sprintf("Go types: %s %s not declare %s; findings about it have no place in Go", text.And(g.Folders), text.Verb(len(g.Folders), "does", "do"), name))
		}
		for _, gap := range found.Near {
			n.Gaps = append(n.Gaps, fmt.Sprintf("%s: %s; findings about %s may have no place in Go", gap.Path, gap.Reason, name))
		}
	}
	for _, sentences := range [][]string{n.Several, n.Absent, n.Gaps} {
		slices.Sort(sentences) // versions have no order
	}
	return n
}

// Note keeps what was found of a kind.
func (g *GoTypes) Note(one GoNote) {
	n := &g.notes
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.several == nil {
		n.several, n.absent, n.gaps = map[string]bool{}, map[string]bool{}, map[string]bool{}
	}
	n.asked, n.declared = n.asked || one.Asked, n.declared || one.Declared
	for _, sentence := range one.Several {
		n.several[sentence] = true
	}
	for _, sentence := range one.Absent {
		n.absent[sentence] = true
	}
	for _, sentence := range one.Gaps {
		n.gaps[sentence] = true
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
