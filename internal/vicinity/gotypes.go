package vicinity

import (
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdlift/crdlift/internal/gofix"
	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/lint"
)

// GoTypes are the Go types that manifests are generated from. They are read when a finding asks for them.
type GoTypes struct {
	Index   *gotypes.Index
	Folders []string // to look in, and below; none to look around each manifest
	notes   notes

	spellings sync.Map // gofix.Spelling by file
}

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
// itself: nil where there is none, and where only some folders are to be looked in.
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
	mu       sync.Mutex
	several  map[string]bool // sentences about kinds that are declared more than once
	absent   map[string]bool // sentences about versions that no folder has, although one has others of the same kind
	gaps     map[string]bool // sentences about files that were not read
	asked    bool
	declared bool // a kind that was asked for
}
