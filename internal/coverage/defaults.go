package coverage

import (
	"slices"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/suite"
)

// defaults finds the defaults that a case looks at.
func (t *tree) defaults(res *suite.Result) {
	x := &res.Exchanges[len(res.Exchanges)-1]
	if !x.Outcome.Accepted() {
		return
	}
	looked := func(at request.Path) bool {
		return slices.ContainsFunc(res.Looks, func(look request.Path) bool { return at.Leads(look) || look.Leads(at) })
	}
	for _, change := range x.Outcome.Changes {
		if change.Kind == request.Defaulted {
			if value, found := change.Path.In(x.Outcome.Object); found {
				t.root.at(change.Path).defaulted(change.Path, value, nil, looked, res)
			}
		}
	}
}

// at is the node of the value at a path; nil where there is none.
func (n *node) at(path request.Path) *node {
	for _, step := range path {
		if n == nil {
			return nil
		}
		n = n.below(step)
	}
	return n
}

func (n *node) below(step request.Step) *node {
	switch {
	case step.IsIndex():
		return n.items
	case n.properties[step.Key] != nil:
		return n.properties[step.Key]
	}
	return n.values
}

// defaulted notes the defaults that a value is of, if they are looked at: its own, but for what the default around it has there.
func (n *node) defaulted(at request.Path, value, around any, looked func(request.Path) bool, by *suite.Result) {
	if n == nil || !looked(at) {
		return
	}
	if around == nil && n.schema.Default != nil {
		around = any(*n.schema.Default)
		for _, c := range n.constraints {
			if c.Kind == Default {
				c.testedBy(by)
			}
		}
	}
	members, _ := value.(map[string]any)
	given, _ := around.(map[string]any)
	for name, member := range members {
		n.below(request.Key(name)).defaulted(at.To(request.Key(name)), member, given[name], looked, by)
	}
	items, _ := value.([]any)
	of, _ := around.([]any)
	for i, item := range items {
		if i < len(of) {
			n.below(request.Index(i)).defaulted(at.To(request.Index(i)), item, of[i], looked, by)
		}
	}
}
