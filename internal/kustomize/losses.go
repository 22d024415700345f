package kustomize

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
)

// A Loss is what a patch takes away from a CRD.
type Loss struct {
	File, Path string // where the base has it
	Does       string // what the patch does: "removes it", "changes it" or "replaces all of spec.versions"
	// Instead is the operation of a JSON patch for the first of what a strategic merge patch does in a list, and for nothing else:
	// "op: add, path: /spec/versions/-". It is "" for what else takes something away.
	Instead string
}

// A loss is an entry of the base that the build lacks, or a scalar that it has not.
type loss struct {
	was, steps []string   // those to it in the base, and those of the build to what held it, with the same last one
	holder     *yaml.Node // in the base; nil where the base lacks it as well
	lost       *yaml.Node
}

// losses lists what one CRD has and another lacks. Of scalars in lists it says nothing.
func losses(before, after *yaml.Node, was, steps []string) (all []loss) {
	before, after = crd.Deref(before), crd.Deref(after)
	lose := func(step string, lost *yaml.Node) {
		all = append(all, loss{slices.Concat(was, []string{step}), slices.Concat(steps, []string{step}), before, lost})
	}
	switch {
	case before.Kind == yaml.MappingNode && after.Kind == yaml.MappingNode:
		left := map[string]*yaml.Node{}
		for _, e := range crd.Entries(after) {
			left[e.Name] = e.Value
		}
		for _, e := range crd.Entries(before) {
			old, v := crd.Deref(e.Value), crd.Deref(left[e.Name])
			if v == nil || v.Kind == yaml.ScalarNode && !same(v, old) {
				lose(e.Name, old)
			} else {
				all = append(all, losses(old, v, append(was, e.Name), append(steps, e.Name))...)
			}
		}
	case before.Kind == yaml.SequenceNode && after.Kind == yaml.SequenceNode:
		for i, item := range before.Content {
			from := strconv.Itoa(i)
			if name := crd.StringAt(item, "name"); name != "" {
				i = slices.IndexFunc(after.Content, func(other *yaml.Node) bool { return crd.StringAt(other, "name") == name })
			}
			if i >= 0 && i < len(after.Content) {
				all = append(all, losses(item, after.Content[i], append(was, from), append(steps, strconv.Itoa(i)))...)
			} else if crd.Deref(item).Kind == yaml.MappingNode {
				lose(from, crd.Deref(item))
			}
		}
	}
	return all
}

// explains reports whether a finding is about what is lost: it wants that or what is below it, or it is about what held it, or
// about the list of which that is an item, and its message names it. An item is named by what no other item has.
func (l *loss) explains(t target, wanted []string, message string) bool {
	if n := len(l.steps); n > len(t.steps) && n <= len(wanted) && slices.Equal(l.steps, wanted[:n]) {
		return true
	}
	if slices.Equal(l.steps, t.steps) {
		return false
	}
	at, holder := t.steps, l.steps[:len(l.steps)-1]
	if t.value.Kind == yaml.ScalarNode && len(at) > 0 {
		at = at[:len(at)-1]
	}
	more := len(holder) - len(at)
	if more < 0 || more > 1 || more == 1 && t.value.Kind != yaml.SequenceNode || !slices.Equal(holder[:len(at)], at) {
		return false
	}
	names := l.steps[len(l.steps)-1:]
	if l.holder.Kind == yaml.SequenceNode {
		names = []string{}
		for _, e := range crd.Entries(l.lost) {
			if !slices.ContainsFunc(t.value.Content, func(item *yaml.Node) bool {
				v := crd.Get(item, e.Name)
				return v != nil && same(v, crd.Deref(e.Value))
			}) {
				names = append(names, e.Name)
			}
		}
	}
	return slices.ContainsFunc(names, func(name string) bool {
		return regexp.MustCompile(`(^|[^\pL\pN])` + regexp.QuoteMeta(name) + `($|[^\pL\pN])`).MatchString(message)
	})
}

// takes finds where a patch takes away what is lost: the node of the patch, and the steps in it; none where it does not. Whole is
// how many steps to what is lost lead to the list or mapping in whose place it puts another; 0 where it takes that away alone.
func (p *source) takes(l *loss) (root *yaml.Node, steps []string, whole int) {
	for _, o := range slices.Backward(p.operations) {
		n := len(o.steps)
		switch {
		case o.verb == "move" && leads(o.from, l.was):
			return o.node, []string{"from"}, 0
		case !leads(o.steps, l.was):
		case o.verb == "remove":
			return o.node, []string{"path"}, 0
		case o.verb == "replace", o.verb == "add" && o.steps[n-1] != "-" && !crd.IsIndex(o.steps[n-1]): // which else inserts an item
			return o.node, append([]string{"value"}, l.steps[n:]...), n
		}
	}
	if p.crd == nil {
		return nil, nil, 0
	}
	switch n, whole := displaced(p.crd, l.steps); {
	case n == 0:
		return nil, nil, 0
	case whole:
		return p.crd.Node, l.steps, n
	default:
		return p.crd.Node, l.steps[:n], 0
	}
}

// displaced is how many steps lead to the first entry of a part that takes away all which the CRD has there; 0 for none. It is
// whole where something else is in the place of that: a scalar, a list, which kustomize does not merge in a CRD, or a mapping that
// asks for it.
func displaced(part *crd.CRD, steps []string) (n int, whole bool) {
	for n := 1; n <= len(steps); n++ {
		_, v := entry(part.Node, steps[:n])
		switch v = crd.Deref(v); {
		case v == nil:
			return 0, false
		case crd.IsNull(v), crd.StringAt(v, "$patch") == "delete":
			return n, false
		case v.Kind == yaml.SequenceNode && slices.ContainsFunc(v.Content, func(item *yaml.Node) bool { return crd.Get(item, "$patch") != nil }):
			return n, false
		case v.Kind != yaml.MappingNode, crd.StringAt(v, "$patch") == "replace":
			return n, true
		}
	}
	return 0, false
}

// spot is where a patch takes away what is lost, given the target of the finding: the operation or the entry that removes it or, of
// what is in the place of a list or a mapping that had it, the part nearest to the target.
func (l *loss) spot(t target, p, base *source) (Spot, bool) {
	root, steps, whole := p.takes(l)
	if root == nil {
		return Spot{}, false
	}
	path := func(steps []string) string { at, _ := base.crd.Resolve(steps); return at.Path }
	about := &Loss{File: base.text.file.Path, Path: path(l.was), Does: "removes it"}
	if whole > 0 {
		more := len(steps) - len(l.steps) // the root is not that of the CRD
		steps = steps[:min(len(steps), max(len(t.steps), whole)+more)]
		about.Does = "replaces all of " + path(l.was[:whole])
		switch {
		case whole == len(l.was):
			about.Does = "changes it"
		case p.crd != nil:
			about.Instead = l.instead(p.crd.Node, base.crd.Node, whole)
		}
	}
	key, value := entry(root, steps)
	for value == nil {
		steps = steps[:len(steps)-1]
		key, value = entry(root, steps)
	}
	at, ok := p.text.spot(head(key, value, p.crd != nil || whole > 0))
	if l.holder != nil {
		at.Loss = about
	}
	return at, ok
}

// instead is an operation for the first of what a part has in a list that the base has not; "" for none, and where that is no list.
func (l *loss) instead(part, base *yaml.Node, whole int) string {
	_, list := entry(part, l.steps[:whole])
	_, old := entry(base, l.was[:whole])
	if crd.Deref(list).Kind != yaml.SequenceNode {
		return ""
	}
	all := losses(list, old, l.steps[:whole], l.was[:whole])
	if len(all) == 0 {
		return ""
	}
	verb, at, last := "add", all[0].steps, len(all[0].steps)-1
	if _, has := entry(base, at); has != nil {
		verb = "replace"
	}
	if all[0].holder.Kind == yaml.SequenceNode {
		verb, at[last] = "add", "-"
	}
	for i, step := range at {
		at[i] = strings.NewReplacer("~", "~0", "/", "~1").Replace(step)
	}
	return "op: " + verb + ", path: /" + strings.Join(at, "/")
}
