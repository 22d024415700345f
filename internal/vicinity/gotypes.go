package vicinity

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/crdlift/crdlift/internal/gofix"
	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GoTypes are the Go types that manifests are generated from. They are read when a finding asks for them.
type GoTypes struct {
	Index   *gotypes.Index
	Folders []string // to look in, and below; none to look around each manifest
	notes   notes

	spellings sync.Map // gofix.Spelling by file
}

// Unread looks for the same Go types, and has read nothing of them yet.
func (g *GoTypes) Unread() *GoTypes { return &GoTypes{Index: g.Index.Anew(), Folders: g.Folders} }

// FileOf returns a file with types that were found.
func (g *GoTypes) FileOf(file string) (gotypes.Source, bool) { return g.Index.Source(file) }

// Spelled returns a mark with its markers as its file calls them.
func (g *GoTypes) Spelled(m lint.Mark) lint.Mark {
	spelling, known := g.spellings.Load(m.Pos.File)
	if !known {
		file, _ := g.FileOf(m.Pos.File)
		spelling, _ = g.spellings.LoadOrStore(m.Pos.File, gofix.SpellingOf(m.Pos.File, file.Text))
	}
	return spelling.(gofix.Spelling).Spell(m)
}

// Find returns the struct of a version for a manifest.
func (g *GoTypes) Find(manifest string, id schema.GroupVersionKind) (found gotypes.Answer) {
	if len(g.Folders) == 0 {
		return g.Index.Find(manifest, id)
	}
	for _, folder := range g.Folders {
		below := g.Index.FindBelow(folder, id)
		if below.Kind != nil || len(below.Several) > 0 {
			return below
		}
		found.Gaps, found.Near = append(found.Gaps, below.Gaps...), append(found.Near, below.Near...)
	}
	return found
}

// fingerprint is a text that is another one when Go types may have changed that are looked for around a manifest; "" where
// that cannot be told.
func (g *GoTypes) fingerprint(manifest string) string {
	if len(g.Folders) == 0 {
		return g.Index.Fingerprint(manifest)
	}
	var all []string
	for _, folder := range g.Folders {
		one := g.Index.FingerprintBelow(folder)
		if one == "" {
			return ""
		}
		all = append(all, one)
	}
	return strings.Join(all, " ")
}

// FindRequired returns the struct of a version in a module that the repository of a manifest requires, where it declares none
// itself: nil without one, and where only some folders are searched.
func (g *GoTypes) FindRequired(manifest string, id schema.GroupVersionKind, found gotypes.Answer) (*gotypes.Kind, gotypes.Module) {
	if len(g.Folders) > 0 || !found.Undeclared() {
		return nil, gotypes.Module{}
	}
	return g.Index.FindRequired(manifest, id)
}

// mayRequire reports whether FindRequired looks in modules of others.
func (g *GoTypes) mayRequire(manifest string, id schema.GroupVersionKind, found gotypes.Answer) bool {
	return len(g.Folders) == 0 && found.Undeclared() && g.Index.MayRequire(manifest, id)
}

// notes collect why findings about generated manifests have no place in Go types. A kind that the repository does not
// declare is no reason: its manifest is somebody else's.
type notes struct {
	mu sync.Mutex
	GoNote
}

// A GoNote is what notes collect of one CRD.
type GoNote struct {
	Several  []string // sentences about kinds that are declared more than once
	Absent   []string // sentences about versions that no folder has, although one has others of the same kind
	Gaps     []string // sentences about files that were not read
	Asked    bool
	Declared bool // a kind that was asked for
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
			n.Several = append(n.Several, fmt.Sprintf("%s is declared in several places, and they differ: %s; choose the folder with --go", name, text.And(places)))
			continue
		}
		if len(g.Folders) > 0 && n.Declared && found.Undeclared() {
			n.Absent = append(n.Absent, fmt.Sprintf("Go types: %s %s not declare %s, so findings about it show no place in Go; add the folder that does to --go", text.And(g.Folders), text.Verb(len(g.Folders), "does", "do"), name))
		}
		for _, gap := range found.Near {
			n.Gaps = append(n.Gaps, fmt.Sprintf("%s: %s; correct that, or findings about %s may show no place in Go", gap.Path, gap.Reason, name))
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
	n.Asked, n.Declared = n.Asked || one.Asked, n.Declared || one.Declared
	n.Several, n.Absent, n.Gaps = union(n.Several, one.Several), union(n.Absent, one.Absent), union(n.Gaps, one.Gaps)
}

// union is what is in either of two lists, sorted.
func union(all, more []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(all, more))))
}

// Notes returns why findings have no place in Go types, in a line for each reason.
func (g *GoTypes) Notes() (all []string) {
	g.notes.mu.Lock()
	defer g.notes.mu.Unlock()
	if len(g.Folders) > 0 && g.notes.Asked && !g.notes.Declared && len(g.notes.Gaps) == 0 {
		all = append(all, fmt.Sprintf("Go types: %s %s none of the kinds with findings; name the folder of the API types with --go", text.And(g.Folders), text.Verb(len(g.Folders), "declares", "declare")))
	}
	for _, reason := range [][]string{g.notes.Several, g.notes.Absent, g.notes.Gaps} {
		if len(reason) == 0 {
			continue
		}
		line := reason[0]
		if more := len(reason) - 1; more > 0 {
			line += fmt.Sprintf(" (and %d more like this)", more)
		}
		all = append(all, line)
	}
	return all
}
