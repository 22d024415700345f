package objects

import (
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/objectpass"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// removeMember is a safe fix: it takes out of an object what the API server drops anyway. It is nil where that would change
// other parts of the file.
func removeMember(p *objectpass.Pass, at request.Path) *engine.Fix {
	parent, ok := p.Object.Own(at)
	if !ok || isAliased(p, parent, at[len(at)-1].Key, true) {
		return nil
	}
	return &engine.Fix{Title: "remove " + at.String(), Safe: true, Object: func(o *objects.Object) bool {
		return o.Remove(at)
	}}
}

// renameMember is an unsafe fix: the member was meant to be another. It is nil where that would change other parts of the
// file.
func renameMember(p *objectpass.Pass, at request.Path, to string) *engine.Fix {
	parent, ok := p.Object.Own(at)
	if !ok || isAliased(p, parent, at[len(at)-1].Key, false) {
		return nil
	}
	return &engine.Fix{Title: "rename it to " + to, Reveals: true, Object: func(o *objects.Object) bool {
		parent, ok := o.Own(at)
		return ok && len(layout.Rename(parent, at[len(at)-1].Key, to)) > 0
	}}
}

// isAliased reports whether other parts of the file use the key of an entry through an alias or, if whole, anything in it.
func isAliased(p *objectpass.Pass, parent *yaml.Node, name string, whole bool) bool {
	parts := p.Object.Entries(parent, name)
	if !whole {
		for i := range parts {
			parts[i] = parts[i/2*2] // its key
		}
	}
	return layout.Aliased(p.Document().Root.YNode(), parts...)
}
