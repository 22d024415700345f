package objectpass

import (
	"maps"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/lint"
)

// PreviewAs is the preview of a file whose objects have a form. It is nil for a file that has no objects.
func (o *Objects) PreviewAs(l *engine.Linter, path string, src []byte, as lint.As) *lint.Preview {
	writing, run := *o, *l
	writing.Preview = &as
	if as.Clear {
		writing.Values = AlwaysValues
	}
	run.Kind = &writing
	return Preview(run.File(path, src))
}

// defaulted is the object as it is written, with the defaults that a server adds, and their number, or why they are not known.
func (s *subject) defaulted() (o request.Object, added int, why string) {
	switch why := s.unknown(); {
	case s.Object.FromServer():
		return nil, 0, "from a cluster (nothing to do)"
	case why != "":
		return nil, 0, why
	case s.variants > 1:
		return nil, 0, "of a kind whose CRDs differ (name only one of them)"
	case s.answer.operation != OnCreate && s.answer.operation != OnUpdate:
		return nil, 0, "checked by a subresource"
	}
	o = maps.Clone(s.tree)
	for name, value := range s.answer.outcome.Object {
		if name != "apiVersion" && name != "kind" && name != "metadata" {
			added += addDefault(o, name, value)
		}
	}
	return o, added, ""
}

// addDefaults is a value with what a server has in it besides, and the number of those entries. The server has made the other value
// of this one; it drops no items of lists. The value is not changed.
func addDefaults(written, stored any) (with any, added int) {
	switch stored := stored.(type) {
	case map[string]any:
		own, is := written.(map[string]any)
		if !is {
			break
		}
		for name := range own {
			if crd.PlaceholderInKey(name) != "" { // which may become any entry
				return written, 0
			}
		}
		own = maps.Clone(own)
		for name, value := range stored {
			added += addDefault(own, name, value)
		}
		return own, added
	case []any:
		own, is := written.([]any)
		if !is || len(own) != len(stored) {
			break
		}
		all := make([]any, len(own))
		for i, value := range stored {
			more := 0
			all[i], more = addDefaults(own[i], value)
			added += more
		}
		return all, added
	}
	return written, 0
}

// addDefault adds the defaults of one entry; null gives way to a default.
func addDefault(to map[string]any, name string, stored any) (added int) {
	if to[name] == nil && stored != nil {
		to[name] = stored
		return 1
	}
	to[name], added = addDefaults(to[name], stored)
	return added
}
