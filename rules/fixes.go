package rules

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

// editing is a fix that changes the schema at each of some paths.
func editing(title string, safe bool, paths []string, edit func(*crd.Schema) bool) *engine.Fix {
	return &engine.Fix{Title: title, Safe: safe, Reveals: true, Apply: func(c *crd.CRD) bool {
		did := false
		for _, path := range paths {
			if s, rest := c.SchemaAt(path); s != nil && len(rest) == 0 {
				did = edit(s) || did
			}
		}
		return did
	}}
}

// writing names the keywords that a fix writes, with their values; the fix may be nil.
func writing(fix *engine.Fix, keywords ...string) *engine.Fix {
	if fix != nil {
		fix.Writes = keywords
	}
	return fix
}

// removing is a fix that takes a keyword out of schemas.
func removing(keyword string, safe bool, paths []string) *engine.Fix {
	return editing("remove "+keyword, safe, paths, func(s *crd.Schema) bool {
		return len(layout.Remove(s.Node, keyword)) > 0
	})
}

// repairing is a fix that makes one of the repairs that convert makes, too. It is nil where there is nothing to do.
func repairing(p *engine.Pass, title string, paths []string, do func(*repair.Single) policy.Class) *engine.Fix {
	wanted := repair.Policy{Pruned: prunes(p), KeepUnknown: true, InferTypes: true}
	class := tryRepair(p, paths, wanted, do)
	if class == "" {
		wanted.Loosen = true
		if class = tryRepair(p, paths, wanted, do); class == "" {
			return nil
		}
	}
	return &engine.Fix{Title: title, Safe: class == policy.Safe, Reveals: true, Apply: func(c *crd.CRD) bool {
		did := false
		for _, path := range paths {
			if s := repair.At(c, path, wanted); s != nil {
				did = do(s) != "" || did
			}
		}
		return did
	}}
}

// tryRepair makes a repair on a copy of the schema.
func tryRepair(p *engine.Pass, paths []string, wanted repair.Policy, do func(*repair.Single) policy.Class) policy.Class {
	if s := repair.At(p.CRD, paths[0], wanted); s != nil {
		return do(s.Copy())
	}
	return ""
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
	for i := len(list.Content) - 1; i >= 0; i-- {
		if crd.StringAt(list.Content[i]) == property {
			list.Content = slices.Delete(list.Content, i, i+1)
		}
	}
	if len(list.Content) == 0 {
		layout.Remove(s.Node, "required")
	}
	return len(list.Content) < before
}

// dropDuplicates takes the elements out of a list that one before them equals, by a key; those without one stay.
func dropDuplicates(list *yaml.Node, key func(*yaml.Node) string) bool {
	if list == nil || list.Kind != yaml.SequenceNode {
		return false
	}
	seen := map[string]bool{}
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
