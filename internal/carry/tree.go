package carry

import (
	"cmp"
	"maps"
	"math"
	"reflect"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/yaml11"
)

// A builder makes the tree that a carried object is written as out of the tree that it had. Nodes keep the positions that they were
// read at: by these, the writer knows what stays, what has moved, and whose comments are whose.
type builder struct {
	object *objects.Object // in a tree that may be changed
	before any             // the object as it was
	made   *Carried
	schema func(at request.Path) *crd.Schema // of the version that the object is carried to; nil where nothing is declared
	traces *traceTree
	order  map[*yaml.Node]int        // of the nodes, in the text
	taken  map[*yaml.Node]bool       // the nodes that have a place in the new tree: each has only one
	copies map[*yaml.Node]*yaml.Node // of nodes with an anchor
	merge  *yaml.Node                // a merge key that brings in what changes or moves
}

// A built is a value of the new tree.
type built struct {
	key, node *yaml.Node // key is that of the value's source; nil for none
	order     int        // where its source stands in the text, or the first of those of its parts; unordered for none
}

const unordered = math.MaxInt

// An unwritable error says why a tree cannot be that of a carried object, and where.
type unwritable struct {
	node *yaml.Node
	why  string
}

func (e *unwritable) Error() string { return e.why }

// build changes the tree of an object, below a root, into the one of what it becomes.
func build(root *yaml.Node, o *objects.Object, before Object, made *Carried, written Object, schema func(request.Path) *crd.Schema) error {
	b := &builder{object: o, before: before, made: made, schema: schema, traces: trie(made.Traces)}
	b.order, b.taken, b.copies = map[*yaml.Node]int{}, map[*yaml.Node]bool{}, map[*yaml.Node]*yaml.Node{}
	for i, n := range layout.EveryNode(o.Node) {
		b.order[n] = i
	}
	from := spot{was: before, Place: objects.Place{Value: o.Node}}
	now := b.value(nil, written, from, b.traces)
	if b.merge != nil {
		return &unwritable{b.merge, "the migration changes fields that a YAML merge key (<<) adds; write them out in place of the merge key first"}
	}
	*o.Node = *now.node
	delete(b.copies, o.Node)
	redirect(root, b.copies)
	return nil
}

// redirect has aliases in a tree refer to what stands in the place of nodes with an anchor.
func redirect(root *yaml.Node, copies map[*yaml.Node]*yaml.Node) {
	if len(copies) == 0 {
		return
	}
	for _, n := range layout.EveryNode(root) {
		if to := copies[n.Alias]; n.Kind == yaml.AliasNode && to != nil {
			n.Alias = to
		}
	}
}

// value makes the tree of a value at a path of the new object. Where nothing else is traced, its source is a spot of the old one.
func (b *builder) value(at request.Path, value any, from spot, t *traceTree) built {
	if !isParent(value) {
		return b.leaf(at, value, from, t)
	}
	stood := from
	if source, ok := b.sourceOf(at, value, from, t); ok {
		from = source
	} else if !sameKind(from.Value, value) {
		from = spot{}
	}
	if from.Value != nil && t.follows(from.path, at) && reflect.DeepEqual(from.was, value) && b.take(from) {
		return b.whole(from)
	}
	if from.merge != nil {
		b.merge = from.merge
	}
	if from.Value != nil && !b.take(from) {
		from = spot{}
	}
	var made built
	if list, is := value.([]any); is {
		made = b.list(at, list, from, t)
	} else {
		made = b.mapping(at, value.(map[string]any), from, t)
	}
	if from.Value == nil && stood.Key != nil && !stood.shared && !b.traces.leaves(stood.path) && b.take(stood) {
		made.key, made.order = stood.Key, b.order[stood.Key] // in the place of another value
	}
	return made
}

// whole is a value that stays as it is, wherever it stands.
func (b *builder) whole(from spot) built {
	if from.merge != nil {
		b.merge = from.merge
	}
	return b.of(from, from.Value)
}

// of is a value with the key and the place of its source.
func (b *builder) of(from spot, n *yaml.Node) built {
	made := built{node: n, order: unordered}
	place := from.Key
	if place == nil {
		place = from.Value
	}
	if order, ok := b.order[place]; ok {
		made.order = order
	}
	if !from.shared {
		made.key = from.Key
		return made
	}
	made.node = crd.Clone(crd.Deref(n))
	layout.StripAnchors(made.node)
	layout.Forget(made.node)
	return made
}

// take reports whether a source has no place in the new tree yet, which it gets.
func (b *builder) take(from spot) bool {
	n := from.Value
	if from.Key != nil {
		n = from.Key
	}
	if b.taken[n] && !from.shared {
		return false
	}
	b.taken[n] = true
	return true
}

// leaf makes a scalar, or a collection without entries.
func (b *builder) leaf(at request.Path, value any, from spot, t *traceTree) built {
	if t != nil && t.trace != nil {
		if from = b.locate(t.trace.From); t.trace.From.Compare(at) != 0 && b.stays(t.trace.From) {
			from = spot{}
		}
	} else if from.Value != nil && !layout.Same(from.was, value) && b.traces.leaves(from.path) {
		from = spot{} // that has moved, and this is another
	}
	fresh := layout.Node(value)
	if from.Value == nil || !b.take(from) {
		return built{node: fresh, order: unordered}
	}
	if now, err := layout.Value(from.Value); err == nil && layout.Same(now, value) {
		return b.whole(from)
	}
	if from.merge != nil {
		b.merge = from.merge
	}
	was := from.Value
	if text, is := value.(string); is && len(at) == 1 && at[0].Key == "apiVersion" && was.Kind == yaml.ScalarNode {
		fresh = &yaml.Node{}
		*fresh = *was
		fresh.Value = text
		b.copy(was, fresh)
	}
	fresh.HeadComment, fresh.LineComment, fresh.FootComment = was.HeadComment, was.LineComment, was.FootComment
	return b.of(from, fresh)
}

// stays reports whether the value at a path of the old object is one of the new object at the same path.
func (b *builder) stays(at request.Path) bool {
	t := b.traces.at(at)
	value, there := at.In(b.made.Object)
	return there && (t == nil || t.trace == nil) && layout.Same(value, b.locate(at).was)
}

// sourceOf is the collection that a new one comes from, if that is not the one that stands at its place: the one that had its first
// traced value in the same place inside of it.
func (b *builder) sourceOf(at request.Path, value any, from spot, t *traceTree) (source spot, ok bool) {
	isItem := len(at) > 0 && at[len(at)-1].IsIndex()
	if sameKind(from.Value, value) && !isItem {
		return source, false
	}
	for _, trace := range t.all() {
		below := trace.To[len(at):]
		start := len(trace.From) - len(below)
		if start <= 0 || trace.From[:start].Leads(at) && len(at) != start || !sameKeys(trace.From[start:], below) {
			continue
		}
		source = b.locate(trace.From[:start])
		if !sameKind(source.Value, value) {
			continue
		}
		if isItem && trace.From[start-1].IsIndex() {
			return source, true
		}
		stays, there := trace.From[:start].In(b.made.Object)
		return source, !there || !sameKind(source.Value, stays)
	}
	return source, false
}

// sameKeys reports whether two paths have the same keys, whatever the numbers of their items.
func sameKeys(a, b request.Path) bool {
	return slices.EqualFunc(a, b, func(s, t request.Step) bool { return s.IsIndex() && t.IsIndex() || s == t })
}

// list makes a list; its items have the order of the new object.
func (b *builder) list(at request.Path, items []any, from spot, t *traceTree) built {
	made := b.collection(from, layout.List())
	content := make([]*yaml.Node, 0, len(items))
	for i, item := range items {
		step := request.Index(i)
		child := b.value(at.To(step), item, b.below(from, step), t.below(step))
		if isParent(item) && child.node.Line == 0 {
			b.inherit(child.node)
		}
		content = append(content, child.node)
		made.order = min(made.order, child.order)
	}
	made.node.Content = content
	return made
}

// inherit has the first key of a new mapping stand for the item of a list that its value was, so that the comments above that stay above
// the dash.
func (b *builder) inherit(m *yaml.Node) {
	if m.Kind != yaml.MappingNode || len(m.Content) < 2 {
		return
	}
	key, was := m.Content[0], m.Content[1]
	if !b.taken[was] || was.Kind != yaml.ScalarNode {
		return
	}
	value := *was
	key.Line, key.Column = was.Line, was.Column
	value.Line, value.Column, value.HeadComment = 0, 0, ""
	m.HeadComment, m.Content[1] = was.HeadComment, &value
}

// collection is the node that a changed collection gets, without its content.
func (b *builder) collection(from spot, fresh *yaml.Node) built {
	if from.Value == nil {
		return built{node: fresh, order: unordered}
	}
	n := *crd.Deref(from.Value)
	if from.Value.Kind == yaml.AliasNode {
		n.Anchor, n.Line, n.Column = "", 0, 0
	}
	b.copy(from.Value, &n)
	n.Content = nil
	if len(crd.Deref(from.Value).Content) == 0 {
		n.Style &^= yaml.FlowStyle // an empty one is written {} whatever the style around it
	}
	return b.of(from, &n)
}

// copy notes that a node stands in the place of one with an anchor.
func (b *builder) copy(was, now *yaml.Node) {
	if was.Anchor != "" {
		b.copies[was] = now
	}
}

// mapping makes a mapping: entries stand where their sources stood, those from elsewhere come after these, and new ones at the end.
func (b *builder) mapping(at request.Path, members map[string]any, from spot, t *traceTree) built {
	made := b.collection(from, layout.Mapping())
	var all []entry
	merged := b.kept(from, members, &all)
	schema := b.schema(at)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if merged[name] {
			continue
		}
		step := request.Key(name)
		child := b.value(at.To(step), members[name], b.below(from, step), t.below(step))
		made.order = min(made.order, child.order)
		all = append(all, entry{name, child, b.classOf(from, child), declared(schema, name)})
	}
	slices.SortStableFunc(all, entry.compare)
	made.node.Content = nil
	for _, e := range all {
		made.node.Content = append(made.node.Content, e.keyNode(), e.node)
	}
	return made
}

// An entry is one of a mapping that is made.
type entry struct {
	name string
	built
	class    int // 0 for one whose source is in the mapping, 1 for one from elsewhere, 2 for one without a source
	declared int // its place in the schema
}

func (e entry) compare(f entry) int {
	return cmp.Or(e.class-f.class, cmp.Compare(e.order, f.order), e.declared-f.declared, cmp.Compare(e.name, f.name))
}

// keyNode is the key of the entry: that of its source, under its own name.
func (e entry) keyNode() *yaml.Node {
	if e.key == nil {
		return layout.String(e.name)
	}
	if name, ok := yaml11.Key(e.key); ok && name == e.name || yaml11.IsMerge(e.key) {
		return e.key
	}
	k := layout.String(e.name)
	k.Line, k.Column = e.key.Line, e.key.Column
	k.HeadComment, k.LineComment, k.FootComment = e.key.HeadComment, e.key.LineComment, e.key.FootComment
	return k
}

// classOf says where an entry belongs in a mapping that comes from a spot.
func (b *builder) classOf(from spot, child built) int {
	switch {
	case child.order == unordered:
		return 2
	case from.Value == nil:
		return 0
	}
	all := layout.EveryNode(from.Value)
	if first, last := b.order[all[0]], b.order[all[len(all)-1]]; child.order < first || child.order > last {
		return 1
	}
	return 0
}

// kept adds the merge keys of a mapping to the entries that are made, and the duplicates of keys that stay. It returns the names that
// merge keys bring in as they are to be.
func (b *builder) kept(from spot, members map[string]any, all *[]entry) map[string]bool {
	merged := map[string]bool{}
	m := crd.Deref(from.Value)
	if m == nil || m.Kind != yaml.MappingNode {
		return merged
	}
	var merge *yaml.Node
	for i := 0; i+1 < len(m.Content); i += 2 {
		k := m.Content[i]
		name, _ := yaml11.Key(k)
		counts, _ := crd.Lookup(m, name)
		if yaml11.IsMerge(k) {
			merge = k
		} else if _, stays := members[name]; !stays || counts == k {
			continue
		}
		*all = append(*all, entry{name: name, built: built{k, m.Content[i+1], b.order[k]}})
	}
	if merge == nil {
		return merged
	}
	for _, e := range crd.Entries(m) {
		if slices.Contains(m.Content, e.Key) {
			continue
		}
		step := request.Key(e.Name)
		value, stays := members[e.Name]
		if !stays || !reflect.DeepEqual(b.below(from, step).was, value) {
			b.merge = merge
		}
		merged[e.Name] = true
	}
	return merged
}

// declared is the place of a property in the order that a schema is written in; that of others is after all.
func declared(s *crd.Schema, name string) int {
	if s == nil {
		return 0
	}
	all := crd.Entries(s.Value("properties"))
	if i := slices.IndexFunc(all, func(e crd.Entry) bool { return e.Name == name }); i >= 0 {
		return i
	}
	return len(all)
}
