// Package objectpass runs rules over the custom resources of files: it has an API server judge each of them, or say what becomes of
// it when its CRD is replaced, and keeps what must not be shown of it out of findings, excerpts and previews. Files, fixes and
// reports are those of the engine.
package objectpass

import (
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/limit"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/template"
	"github.com/crdlift/crdlift/lint"
)

// DefaultMaxSize is how large an API server lets a request be, in bytes (limitedReadBody of
// k8s.io/apiserver/pkg/endpoints/handlers).
const DefaultMaxSize = limit.Request

// Split returns the documents of a file, which are looked for more than once.
func (o *Objects) Split(path string, text []byte, _ *template.MaskedTemplate, _ bool) *manifest.File {
	if !objects.MayHold(text) {
		return nil
	}
	return manifest.Split(path, text)
}

// MayHold reports whether a text could hold custom resources.
func (o *Objects) MayHold(text []byte) bool { return objects.MayHold(text) }

// Runs reports whether the run has a rule.
func (o *Objects) Runs(l *engine.Linter, rule *lint.Rule) bool {
	c := checkOf(l, rule.ID)
	return c != nil && (c.Asks(o.Against != nil) || c.Audit && o.Audit != nil)
}

// asks reports whether a rule asks what the run does: what the server says, or what becomes of objects.
func (o *Objects) asks(c *Check) bool {
	return c.Both || c.Audit && o.Audit != nil || !c.Audit && c.Upgrade == (o.Against != nil)
}

// match is what is known of an object in the file at a path.
func (o *Objects) match(of *objects.Object, path string) objects.Match {
	if o.IsPatch != nil && o.IsPatch(path) {
		return objects.Match{Verdict: objects.Partial}
	}
	m := o.Catalogue.Match(of, path)
	switch {
	case m.Verdict == objects.BuiltIn, m.Verdict == objects.Partial:
		return m
	case !o.role(path).Own():
		return objects.Match{Verdict: objects.LeftOut}
	case m.Verdict != objects.NoCRD && of.IsNameless() && (o.Stream == nil || !o.Stream(path)): // what a stream has is to be applied
		return objects.Match{Verdict: objects.Nameless, Definition: m.Definition}
	}
	if old := o.Against; old != nil {
		for i, other := range m.Others {
			m.Others[i] = old.Replacing(other, of, path)
		}
		return old.Replacing(m, of, path)
	}
	return m
}

func (o *Objects) role(path string) lint.Role {
	if o.Role == nil {
		return ""
	}
	return o.Role(path)
}
