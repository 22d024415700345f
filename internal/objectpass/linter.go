// Package objectpass runs rules over the custom resources of files: it has an API server judge each of them, or say what becomes of
// it when its CRD is replaced, and keeps what must not be shown of it out of findings, excerpts and previews. Files, fixes and
// reports are those of the engine.
package objectpass

import (
	"github.com/crdlift/crdlift/internal/engine"
)

// A Linter runs rules over custom resources. Its methods may be called from several goroutines.
type Linter struct {
	*engine.Linter
	objects *Objects
}

// New returns one for a run with some options.
func New(l *engine.Linter, o *Objects) *Linter {
	l.Kind = o
	return &Linter{l, o}
}
