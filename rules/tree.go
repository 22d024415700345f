package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/yaml11"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// eachMapping visits the mappings of a tree in the order of the text, but for what aliases stand for, which is visited
// where it is written. Hardly any visit asks for the path, so that it is put together when one does.
func eachMapping(root *yaml.Node, visit func(m *yaml.Node, path func() string)) {
	type step struct {
		in   *yaml.Node
		at   int    // in its content
		path string // "" until somebody asks
	}
	var way []step
	path := func() string {
		known := len(way)
		for known > 0 && way[known-1].path == "" {
			known--
		}
		path := ""
		if known > 0 {
			path = way[known-1].path
		}
		for i := known; i < len(way); i++ {
			if s := &way[i]; s.in.Kind == yaml.SequenceNode {
				path = crd.Item(path, s.at)
			} else {
				name, _ := yaml11.Key(s.in.Content[s.at-1])
				path = crd.Member(path, name)
			}
			way[i].path = path
		}
		return path
	}
	var walk func(n *yaml.Node)
	walk = func(n *yaml.Node) {
		first, every := 0, 1
		if n.Kind == yaml.MappingNode {
			visit(n, path)
			first, every = 1, 2
		}
		for i := first; i < len(n.Content); i += every {
			if c := n.Content[i]; len(c.Content) > 0 {
				way = append(way, step{in: n, at: i})
				walk(c)
				way = way[:len(way)-1]
			}
		}
	}
	walk(root)
}

// setText is an unsafe fix that writes a string into a mapping.
func setText(path, key, text string) *engine.Fix {
	return &engine.Fix{Title: fmt.Sprintf("set %s to %s", key, text), Apply: func(c *crd.CRD) bool {
		at, complete := c.Resolve(crd.Steps(path))
		m := crd.Deref(at.Node)
		if !complete || m == nil || m.Kind != yaml.MappingNode || crd.StringAt(m, key) == text {
			return false
		}
		if !layout.InsertAfter(m, key, layout.String(text), "group", "kind") {
			layout.Set(m, key, layout.String(text))
		}
		return true
	}}
}

// respelling is a safe fix of a refused word that differs from a known one in letter case only, at each of some paths; nil
// for any other word.
func respelling(r engine.Refusal, paths []string, known ...string) *engine.Fix {
	word := crd.StringAt(r.At.Node)
	i := slices.IndexFunc(known, func(k string) bool { return strings.EqualFold(k, word) })
	if i < 0 || !r.Complete {
		return nil
	}
	steps := crd.Steps(paths[0])
	key := steps[len(steps)-1]
	return &engine.Fix{Title: fmt.Sprintf("set %s to %s", key, known[i]), Safe: true, Reveals: true, Apply: func(c *crd.CRD) bool {
		did := false
		for _, path := range paths {
			steps := crd.Steps(path)
			holder, complete := c.Resolve(steps[:len(steps)-1])
			if complete && crd.StringAt(holder.Node, key) == word {
				layout.Set(crd.Deref(holder.Node), key, layout.String(known[i]))
				did = true
			}
		}
		return did
	}}
}

// respellingKeyword is respelling for a keyword of a schema.
func respellingKeyword(p *engine.Pass, r engine.Refusal, s *crd.Schema, keyword string, known ...string) *engine.Fix {
	paths := copies(p, r, s.Path)
	for i := range paths {
		paths[i] = crd.Join(paths[i], keyword)
	}
	return respelling(r, paths, known...)
}

// renaming is a safe fix that gives a field of a mapping the name that it has in this API version.
func renaming(path, from, to string) *engine.Fix {
	return &engine.Fix{Title: fmt.Sprintf("write %s as %s", from, to), Safe: true, Apply: func(c *crd.CRD) bool {
		at, complete := c.Resolve(crd.Steps(path))
		return complete && len(layout.Rename(crd.Deref(at.Node), from, to)) > 0
	}}
}

// removeAt is an unsafe fix that removes the entry of a mapping.
func removeAt(title, path string) *engine.Fix {
	steps := crd.Steps(path)
	return &engine.Fix{Title: title, Apply: func(c *crd.CRD) bool {
		parent, complete := c.Resolve(steps[:len(steps)-1])
		return complete && len(layout.Remove(parent.Node, steps[len(steps)-1])) > 0
	}}
}
