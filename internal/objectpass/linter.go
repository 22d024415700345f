// Package objectpass runs rules over the custom resources of files: it has an API server judge each of them, or say what becomes of
// it when its CRD is replaced, and keeps what must not be shown of it out of findings, excerpts and previews. Files, fixes and
// reports are those of the engine.
package objectpass

import (
	"slices"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/lint"
)

// An Linter runs rules over custom resources. Its methods may be called from several goroutines.
type Linter struct {
	*engine.Linter
	objects *Objects
}

// New returns one for a run with some options.
func New(l *engine.Linter, o *Objects) *Linter {
	l.Kind = o
	return &Linter{l, o}
}

// Report combines the reports on the files of a run: it runs the rules that look at all objects, and marks what is ignored.
func (l *Linter) Report(files []*engine.FileReport) *lint.Report {
	files = l.samples(files)
	dropRepeated(l.objects.Rules, files)
	out := l.Linter.Report(files)
	out.Objects = &lint.Objects{Files: l.objects.Files, Upgrade: l.objects.Against != nil, Dumps: map[string]bool{}}
	for _, f := range files {
		if f.Objects != nil {
			out.Objects.Add(f.Objects)
			out.Objects.Dumps[f.Path] = judgeOf(f).discretion.dump
		}
	}
	out.CRDs = l.objects.Catalogue.Count() // wherever they are
	out.Defined = l.definedHere(out.Files)
	return out
}

// definedHere are the CRDs that objects are judged by, but for those of git revisions: their files are no files of this machine.
func (l *Linter) definedHere(files []string) []lint.CRD {
	here := map[string]bool{}
	for _, file := range slices.Concat(files, l.objects.Files) {
		here[file] = true
	}
	earlier := func(*objects.Definition) *objects.Definition { return nil }
	if old := l.objects.Against; old != nil {
		earlier = old.Definition
	}
	return slices.DeleteFunc(l.objects.Catalogue.Told(earlier), func(c lint.CRD) bool { return !here[c.File] })
}
