package carry

import (
	"cmp"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/yaml11"
)

// A spot is a value of the old object with the nodes that it is written as.
type spot struct {
	path request.Path
	was  any
	objects.Place
	shared bool       // the nodes are reached through an alias, so that they stand elsewhere as well
	merge  *yaml.Node // the merge key that brings it in; nil for none
}

// locate is the value at a path of the old object; without nodes where there is none.
func (b *builder) locate(at request.Path) spot {
	s := spot{was: b.before, Place: objects.Place{Value: b.object.Node}}
	for _, step := range at {
		s = b.below(s, step)
	}
	return s
}

// below is the value that a step leads to from one.
func (b *builder) below(s spot, step request.Step) spot {
	if s.Value == nil {
		return spot{}
	}
	next := spot{path: s.path.To(step), shared: s.shared || s.Value.Kind == yaml.AliasNode, merge: s.merge}
	n, there := crd.Deref(s.Value), false
	if next.was, there = (request.Path{step}).In(s.was); !there {
		return spot{}
	}
	if step.IsIndex() {
		if items := crd.Items(n); step.Index < len(items) {
			next.Value = items[step.Index]
			return next
		}
		return spot{}
	}
	next.Key, next.Value = crd.Lookup(n, step.Key)
	if next.Key != nil && !slices.Contains(n.Content, next.Key) {
		next.shared = true
		next.merge = n.Content[slices.IndexFunc(n.Content, yaml11.IsMerge)]
	}
	return next
}

// A traceTree has the traces of the values below a path of the new object. Nil has none.
type traceTree struct {
	trace *Trace
	steps map[request.Step]*traceTree
	gone  []request.Path // at the root: where the values that have moved stood
}

// trie arranges traces by the paths that they lead to.
func trie(traces []Trace) *traceTree {
	root := &traceTree{}
	for _, trace := range traces {
		t := root
		for _, step := range trace.To {
			if t.steps == nil {
				t.steps = map[request.Step]*traceTree{}
			}
			if t.steps[step] == nil {
				t.steps[step] = &traceTree{}
			}
			t = t.steps[step]
		}
		if t.trace == nil {
			t.trace = &trace
		}
		if trace.From.Compare(trace.To) != 0 {
			root.gone = append(root.gone, trace.From)
		}
	}
	return root
}

func (t *traceTree) below(step request.Step) *traceTree {
	if t == nil {
		return nil
	}
	return t.steps[step]
}

// at is what is traced below a path.
func (t *traceTree) at(at request.Path) *traceTree {
	for _, step := range at {
		t = t.below(step)
	}
	return t
}

// all are the traces, in the order of the places that they come from.
func (t *traceTree) all() (all []*Trace) {
	if t == nil {
		return nil
	}
	if t.trace != nil {
		all = append(all, t.trace)
	}
	for _, below := range t.steps {
		all = append(all, below.all()...)
	}
	slices.SortFunc(all, func(a, b *Trace) int { return cmp.Or(a.From.Compare(b.From), a.To.Compare(b.To)) })
	return all
}

// follows reports whether all values come from those that are at the same place below another path.
func (t *traceTree) follows(from request.Path, at request.Path) bool {
	return !slices.ContainsFunc(t.all(), func(trace *Trace) bool {
		return trace.Computed || trace.From.Compare(from.To(trace.To[len(at):]...)) != 0
	})
}

// leaves reports whether the value at a path has moved elsewhere.
func (t *traceTree) leaves(at request.Path) bool {
	return slices.ContainsFunc(t.gone, func(from request.Path) bool { return from.Compare(at) == 0 })
}

// isParent reports whether a value has others in it.
func isParent(value any) bool {
	switch value := value.(type) {
	case map[string]any:
		return len(value) > 0
	case []any:
		return len(value) > 0
	}
	return false
}

// sameKind reports whether a node is a mapping or a list as a value is.
func sameKind(n *yaml.Node, value any) bool {
	if n = crd.Deref(n); n == nil {
		return false
	}
	switch value.(type) {
	case map[string]any:
		return n.Kind == yaml.MappingNode
	case []any:
		return n.Kind == yaml.SequenceNode
	}
	return false
}
