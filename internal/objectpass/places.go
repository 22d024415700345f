package objectpass

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/lint"
)

// nodeAt is what to point at for a path.
func (p *Pass) nodeAt(at request.Path) *yaml.Node {
	place, missing := p.Object.Locate(at)
	switch {
	case missing == len(at):
		return p.Object.Self()
	case missing > 0:
		return place.Entry()
	}
	return place.Node()
}

// nodeOf is what to point at for a cause: for one about the object as a whole, its kind, or its spec where that is all that
// the rule speaks about.
func (p *Pass) nodeOf(c *request.Cause) *yaml.Node {
	if spec := (request.Path{{Key: "spec", Index: -1}}); len(c.Path) == 0 && p.Match.Definition.OnlyOfSpec(p.version, c) {
		return p.nodeAt(spec)
	}
	if c.Stage == request.List {
		if n := p.placeholderOf(c.Path); n != nil {
			return n
		}
	}
	return p.nodeAt(c.Path)
}

// placeholderOf is the first value with a placeholder in it among those that an item of a list is known by: its keys in one of
// type map, and else all of it. It is nil where none has one.
func (p *Pass) placeholderOf(item request.Path) *yaml.Node {
	known := []request.Path{item}
	if s, _ := p.Schema(item[:len(item)-1]); s.Text("x-kubernetes-list-type") == "map" {
		known = nil
		for _, key := range crd.Items(s.Get("x-kubernetes-list-map-keys")) {
			known = append(known, item.To(request.Key(crd.StringAt(key))))
		}
	}
	for _, at := range known {
		place, missing := p.Object.Locate(at)
		if missing > 0 {
			continue
		}
		if all := layout.EveryNode(place.Value); slices.ContainsFunc(all, p.isPlaceholder) {
			return all[slices.IndexFunc(all, p.isPlaceholder)]
		}
	}
	return nil
}

// mender is the webhook that may set what the object lacks by a cause; nil for none. It is called for creates and updates, and the
// object is validated after that. One that sets defaults leaves what is written as it is.
func (s *subject) mender(c *request.Cause) *objects.Webhook {
	if c.Stage != request.Schema || !c.Missing && len(c.Needs()) == 0 || s.answer.operation != OnCreate && s.answer.operation != OnUpdate {
		return nil
	}
	sees := func(w *objects.Webhook) bool {
		return w.Sees(s.Match.Definition, s.version, string(s.answer.operation))
	}
	all := s.objects.Catalogue.Mutating
	i := slices.IndexFunc(all, sees)
	if i < 0 && s.objects.Mutating != nil {
		all = s.objects.Mutating()
		i = slices.IndexFunc(all, sees)
	}
	if i < 0 {
		return nil
	}
	return all[i]
}

// PositionOf is the position to show for a node, or for where the object begins.
func (s *subject) PositionOf(n *yaml.Node) lint.Position {
	return engine.PositionOf(s.document, n, s.Object.Node)
}

// isPlaceholder reports whether a value, or a key, has a placeholder in it.
func (p *Pass) isPlaceholder(n *yaml.Node) bool {
	value := crd.Deref(n)
	if value == nil || crd.PlaceholderInObject(value.Value) == "" {
		return false
	}
	return crd.PlaceholderInKey(value.Value) != "" || !p.isKey(n)
}

// isKey reports whether a node is a key of the object.
func (p *Pass) isKey(n *yaml.Node) bool {
	type keys struct{}
	return engine.Memo(p, keys{}, func() map[*yaml.Node]bool {
		all := map[*yaml.Node]bool{}
		addKeys(p.Object.Node, all, map[*yaml.Node]bool{})
		return all
	})[n]
}

// addKeys adds the keys below a node, also in what aliases bring in.
func addKeys(n *yaml.Node, all, been map[*yaml.Node]bool) {
	n = crd.Deref(n)
	if n.Kind == yaml.ScalarNode || been[n] {
		return
	}
	been[n] = true
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			all[child] = true
		}
		addKeys(child, all, been)
	}
}

// Schema is the schema of the value at a path of the object, in its CRD; where none describes it, that of the nearest value
// above, of which rest is the path from there. It is nil where the version has no schema.
func (p *Pass) Schema(at request.Path) (s *crd.Schema, rest request.Path) {
	return p.Match.Definition.Schema(p.version, at)
}
