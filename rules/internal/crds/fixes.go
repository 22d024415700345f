package crds

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/repair"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

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

// entryAt is the mapping that has the entry at a path, and the entry's key; nil where there is no such mapping.
func entryAt(c *crd.CRD, path string) (m *yaml.Node, key string) {
	steps := crd.Steps(path)
	parent, complete := c.Resolve(steps[:len(steps)-1])
	if m = crd.Deref(parent.Node); !complete || m == nil || m.Kind != yaml.MappingNode {
		return nil, ""
	}
	return m, steps[len(steps)-1]
}

func removeAt(title string, safe bool, path string) *engine.Fix {
	return &engine.Fix{Title: title, Safe: safe, Apply: func(c *crd.CRD) bool {
		m, key := entryAt(c, path)
		return len(layout.Remove(m, key)) > 0
	}}
}

// each calls a function with each of some paths, and reports whether it did something for any of them.
func each(paths []string, do func(path string) bool) (did bool) {
	for _, path := range paths {
		did = do(path) || did
	}
	return did
}

// respelling is a safe fix of a rejected word that differs from a known one in letter case only, at each of some paths; nil
// for any other word.
func respelling(r engine.Refusal, paths []string, known ...string) *engine.Fix {
	word := crd.StringAt(r.At.Node)
	i := slices.IndexFunc(known, func(k string) bool { return strings.EqualFold(k, word) })
	if i < 0 || !r.Complete {
		return nil
	}
	return &engine.Fix{Title: fmt.Sprintf("set %s to %s", crd.LastField(paths[0]), known[i]), Safe: true, Reveals: true, Apply: func(c *crd.CRD) bool {
		return each(paths, func(path string) bool {
			m, key := entryAt(c, path)
			if m == nil || crd.StringAt(m, key) != word {
				return false
			}
			layout.Set(m, key, layout.String(known[i]))
			return true
		})
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

// editing is a fix that changes the schema at each of some paths.
func editing(title string, safe bool, paths []string, edit func(*crd.Schema) bool) *engine.Fix {
	return &engine.Fix{Title: title, Safe: safe, Reveals: true, Within: paths, Apply: func(c *crd.CRD) bool {
		return each(paths, func(path string) bool {
			s, rest := c.SchemaAt(path)
			return s != nil && len(rest) == 0 && edit(s)
		})
	}}
}

func removing(keyword string, safe bool, paths []string) *engine.Fix {
	return editing("remove "+keyword, safe, paths, func(s *crd.Schema) bool {
		return len(layout.Remove(s.Node, keyword)) > 0
	})
}

// repairing is a fix that makes one of the repairs that convert makes, too. It is nil where there is nothing to do.
func repairing(p *engine.Pass, title string, paths []string, do func(*repair.Single) policy.Class) *engine.Fix {
	wanted := repair.Policy{Pruned: prunes(p), KeepUnknown: true, InferTypes: true}
	if fix := repairingBy(p, wanted, title, paths, do); fix != nil {
		return fix
	}
	wanted.Loosen = true
	return repairingBy(p, wanted, title, paths, do)
}

// repairingBy is repairing under one policy, which it tries on a copy of the schema.
func repairingBy(p *engine.Pass, wanted repair.Policy, title string, paths []string, do func(*repair.Single) policy.Class) *engine.Fix {
	s := repair.At(p.CRD, paths[0], wanted)
	if s == nil {
		return nil
	}
	class := do(s.Copy())
	if class == "" {
		return nil
	}
	return repaired(title, class, paths, wanted, do)
}

// repaired is a fix that makes a repair of a known effect in each of some schemas.
func repaired(title string, class policy.Class, paths []string, wanted repair.Policy, do func(*repair.Single) policy.Class) *engine.Fix {
	return &engine.Fix{Title: title, Safe: class == policy.Safe, Reveals: true, Within: paths, Apply: func(c *crd.CRD) bool {
		return each(paths, func(path string) bool {
			s := repair.At(c, path, wanted)
			return s != nil && do(s) != ""
		})
	}}
}

// unsafe marks a fix as one that has to be asked for.
func unsafe(f *engine.Fix) *engine.Fix {
	if f != nil {
		f.Safe = false
	}
	return f
}

// dropRequired takes a property out of the required list, and the list with its last one.
func dropRequired(s *crd.Schema, property string) bool {
	list := s.Get("required")
	if list == nil {
		return false
	}
	before := len(list.Content)
	list.Content = slices.DeleteFunc(list.Content, func(n *yaml.Node) bool { return crd.StringAt(n) == property })
	if len(list.Content) == 0 {
		layout.Remove(s.Node, "required")
	}
	return len(list.Content) < before
}

// stringOf is the string that a node is; "" for other nodes.
func stringOf(n *yaml.Node) string { return crd.StringAt(n) }

// dropDuplicates takes the elements out of a list whose key one before them has, or is known already; those without a key
// stay.
func dropDuplicates(list *yaml.Node, key func(*yaml.Node) string, known ...string) bool {
	if list == nil || list.Kind != yaml.SequenceNode {
		return false
	}
	seen := map[string]bool{}
	for _, k := range known {
		seen[k] = true
	}
	before := len(list.Content)
	list.Content = slices.DeleteFunc(list.Content, func(n *yaml.Node) bool {
		k := key(n)
		again := k != "" && seen[k]
		seen[k] = true
		return again
	})
	return len(list.Content) < before
}

// moving is an unsafe fix that takes each of some fields to another path.
func moving(title string, from, to []string) *engine.Fix {
	return &engine.Fix{Title: title, Reveals: true, Apply: func(c *crd.CRD) bool {
		did := false
		for i, path := range from {
			did = c.Move(path, to[i]) || did
		}
		return did
	}}
}
