package yaml11

import (
	"cmp"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

func (e *encoder) object(n *yaml.Node, depth int) error {
	o := object{start: len(e.buf), base: len(e.members)}
	e.buf = append(e.buf, '{')
	if err := e.fill(&o, n, depth); err != nil {
		return err
	}
	e.compact(&o)
	e.buf = append(e.buf, '}')
	e.members = e.members[:o.base]
	return nil
}

// An object is one being written.
type object struct {
	start int            // of its brace in buf
	base  int            // of its members in encoder.members
	index map[string]int // the live member of each key; nil for few members, which are found as fast one by one
}

// few members need no index.
const few = 16

// fill writes the members of the mapping n into the object o: n's own or one merged into it.
func (e *encoder) fill(o *object, n *yaml.Node, depth int) error {
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		if IsMerge(k) {
			if err := e.merge(o, v, depth+1); err != nil {
				return err
			}
			continue
		}
		if len(e.members) > o.base {
			e.buf = append(e.buf, ',')
		}
		m, late := member{start: len(e.buf)}, e.late
		e.late = nil
		if err := e.key(&m, k, depth+1); err != nil {
			return err
		}
		e.buf = append(e.buf, ':')
		if err := e.value(v, depth+1); err != nil {
			return err
		}
		m.end, m.late, e.late = len(e.buf), e.late, late
		e.add(o, m)
	}
	return nil
}

func (e *encoder) key(m *member, n *yaml.Node, depth int) error {
	if err := e.count(n, depth); err != nil {
		return err
	}
	if n.Kind == yaml.AliasNode {
		return e.through(n, func() error { return e.key(m, n.Alias, depth+1) })
	}
	if n.Kind != yaml.ScalarNode {
		return &Error{Node: n, Msg: "a mapping or sequence as a key"}
	}
	s, err := resolve(n)
	if err != nil {
		return err
	}
	var ok bool
	if m.key, ok = s.key(); !ok {
		m.noKey = true
		what := s.kind.String()
		if s.kind == Int {
			what = "an integer of more than 63 bits"
		}
		e.later(n, what+" as a key")
	}
	start := len(e.buf)
	e.str(m.key)
	return e.spend(n, len(e.buf)-start)
}

func (e *encoder) add(o *object, m member) {
	if len(e.members)-o.base == few {
		o.index = make(map[string]int, 2*few)
		for i, m := range e.members[o.base:] {
			if !m.noKey {
				o.index[m.key] = o.base + i
			}
		}
	}
	if !m.noKey {
		if old, again := e.live(o, m.key); again {
			e.members[old].dead = true
		}
		if o.index != nil {
			o.index[m.key] = len(e.members)
		}
	}
	e.members = append(e.members, m)
}

// live finds the member with a key that is not dead.
func (e *encoder) live(o *object, key string) (i int, ok bool) {
	if o.index != nil {
		i, ok = o.index[key]
		return i, ok
	}
	for i := len(e.members) - 1; i >= o.base; i-- { // the dead ones stand before
		if m := &e.members[i]; m.key == key && !m.noKey {
			return i, true
		}
	}
	return 0, false
}

// compact takes the dead members out of the object that ends buf, with their late errors.
func (e *encoder) compact(o *object) {
	to := o.start + 1
	for _, m := range e.members[o.base:] {
		if m.dead {
			continue
		}
		if to > o.start+1 {
			e.buf[to] = ','
			to++
		}
		if to != m.start {
			copy(e.buf[to:], e.buf[m.start:m.end])
		}
		to += m.end - m.start
		e.late = cmp.Or(e.late, m.late)
	}
	e.buf = e.buf[:to]
}

// merge writes the entries of the value of a merge key. Of a sequence the earlier mappings win, so they come last.
func (e *encoder) merge(o *object, v *yaml.Node, depth int) error {
	sources := []*yaml.Node{v}
	if v.Kind == yaml.SequenceNode {
		sources = v.Content
	}
	for _, source := range slices.Backward(sources) {
		if err := e.mergeOne(o, source, depth); err != nil {
			return err
		}
	}
	return nil
}

func (e *encoder) mergeOne(o *object, v *yaml.Node, depth int) error {
	target := v
	if v.Kind == yaml.AliasNode {
		target = v.Alias
	}
	if target == nil || target.Kind != yaml.MappingNode {
		return &Error{Node: v, Msg: "a merge key needs a mapping or a sequence of mappings"}
	}
	if err := e.count(v, depth); err != nil {
		return err
	}
	if v.Kind == yaml.MappingNode {
		return e.fill(o, v, depth)
	}
	return e.through(v, func() error {
		if err := e.count(target, depth+1); err != nil {
			return err
		}
		return e.fill(o, target, depth+1)
	})
}
