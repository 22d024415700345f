package manifest

import (
	"bytes"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A printer writes a changed tree as ranges of the source and new text.
type printer struct {
	*layout
	style  style
	used   map[*origin]bool // elements of the source that are in the changed tree, in their place or elsewhere
	clean  map[*yaml.Node]bool
	moved  map[*origin]bool    // keys that stand in another mapping than they stood in
	merged map[string]int      // comments left out since a twin has them; see twin
	blocks map[*yaml.Node]bool // flow collections that have to become blocks, since they got a block inside
	out    []piece

	seen     int  // how many pieces currentIndent has looked at
	indent   int  // of the line that they end with
	indented bool // whether something stands behind its indentation
}

func newPrinter(l *layout, s style, root *yaml.Node) *printer {
	p := &printer{layout: l, style: s, used: map[*origin]bool{}, clean: map[*yaml.Node]bool{}, blocks: map[*yaml.Node]bool{},
		moved: map[*origin]bool{}, merged: map[string]int{}}
	p.survey(root)
	return p
}

// survey learns what of the source is still there, and which flow collections cannot stay flow. It says whether n is
// or holds a block of the source.
func (p *printer) survey(n *yaml.Node) bool {
	o := p.originOf(n)
	if o != nil {
		p.used[o] = true
	}
	hasBlock := false
	for _, c := range n.Content {
		if oc := p.originOf(c); oc != nil && oc.parent != o {
			p.moved[oc] = true
		}
		hasBlock = p.survey(c) || hasBlock
	}
	if n.Style&yaml.FlowStyle != 0 && hasBlock {
		p.blocks[n] = true
	}
	return hasBlock || o != nil && isBlock(o.node)
}

// isClean says whether n is what was read, everything below it included.
func (p *printer) isClean(n *yaml.Node) bool {
	if len(n.Content) == 0 {
		return p.compare(n)
	}
	known, ok := p.clean[n]
	if !ok {
		known = p.compare(n)
		p.clean[n] = known
	}
	return known
}

func (p *printer) compare(n *yaml.Node) bool {
	o := p.originOf(n)
	if o == nil || len(n.Content) != len(o.children) {
		return false
	}
	if w := o.node; n.Value != w.Value || n.ShortTag() != w.ShortTag() || n.Anchor != w.Anchor || n.Style != w.Style {
		return false
	}
	for i, c := range n.Content {
		if p.originOf(c) != o.children[i] || !p.isClean(c) {
			return false
		}
	}
	return true
}

// A spot is where text goes: home when it is the place that it came from, otherwise shift columns to the right.
type spot struct {
	home  bool
	shift int
}

// copySource prints a range of the source. Lines that start inside the range are shifted.
func (p *printer) copySource(from, to int, at spot) {
	if from >= to {
		return
	}
	if at.home {
		p.out = append(p.out, piece{span: span{from, to}, copy: true})
		return
	}
	for from < to {
		end := min(lineEnd(p.src, from), to)
		line := p.src[from:end]
		if lineStart(p.src, from) == from {
			line = indentBy(line, at.shift)
		}
		p.text(string(line))
		from = end
	}
}

// indentBy moves a line to the right, or to the left as far as it has spaces. An empty line stays empty.
func indentBy(line []byte, by int) []byte {
	if len(bytes.TrimRight(line, "\r\n")) == 0 {
		return line
	}
	if by >= 0 {
		return append(bytes.Repeat([]byte(" "), by), line...)
	}
	spaces := len(line) - len(bytes.TrimLeft(line, " "))
	return line[min(-by, spaces):]
}

func (p *printer) text(s string) {
	if s != "" {
		p.out = append(p.out, piece{text: s})
	}
}

func (p *printer) spaces(n int) { p.text(strings.Repeat(" ", n)) }

// newline ends the line, unless it has just been ended or nothing was printed.
func (p *printer) newline() {
	if len(p.out) == 0 {
		return
	}
	last := p.out[len(p.out)-1]
	if last.copy && p.src[last.end-1] == '\n' || !last.copy && strings.HasSuffix(last.text, "\n") {
		return
	}
	p.text(p.style.eol)
}

// elementOf finds the element of a block of the source that a key (in a mapping) or an item (in a sequence) is.
func (p *printer) elementOf(n *yaml.Node) *element {
	o := p.originOf(n)
	if o == nil || o.parent == nil || o.parent.elements == nil {
		return nil
	}
	i := o.index
	if o.parent.node.Kind == yaml.MappingNode {
		if i%2 == 1 {
			return nil // a value does not stand for its entry
		}
		i /= 2
	}
	return &o.parent.elements[i]
}

// entries lists a collection's children as keys and values; the keys of a sequence are nil.
func entries(n *yaml.Node) [][2]*yaml.Node {
	var all [][2]*yaml.Node
	if n.Kind == yaml.SequenceNode {
		for _, c := range n.Content {
			all = append(all, [2]*yaml.Node{nil, c})
		}
		return all
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		all = append(all, [2]*yaml.Node{n.Content[i], n.Content[i+1]})
	}
	return all
}

func identity(kv [2]*yaml.Node) *yaml.Node {
	if kv[0] != nil {
		return kv[0]
	}
	return kv[1]
}

// A plan says what to print for a block collection: for every entry of the changed tree the element that it was, and
// whether that element stands in this very collection, in order.
type plan struct {
	origin  *origin // nil when the collection was not a block of the source
	entries [][2]*yaml.Node
	was     []*element
	stays   []bool
}

func (p *printer) plan(n *yaml.Node) plan {
	pl := plan{entries: entries(n)}
	if o := p.originOf(n); o != nil && o.elements != nil {
		pl.origin = o
	}
	pl.was = make([]*element, len(pl.entries))
	pl.stays = make([]bool, len(pl.entries))
	indexes := make([]int, len(pl.entries))
	for i, kv := range pl.entries {
		pl.was[i], indexes[i] = p.elementOf(identity(kv)), -1
		if e := pl.was[i]; e != nil && pl.origin != nil && e.id().parent == pl.origin {
			indexes[i] = e.index
		}
	}
	for _, i := range longestIncreasing(indexes) {
		pl.stays[i] = true
	}
	return pl
}

// longestIncreasing gives the positions of a longest increasing subsequence, passing over negative values.
func longestIncreasing(values []int) []int {
	var tails []int // tails[k] is the position that ends the best subsequence of length k+1
	before := make([]int, len(values))
	for i, v := range values {
		if v < 0 {
			continue
		}
		k, _ := slices.BinarySearchFunc(tails, v, func(t, v int) int { return values[t] - v })
		before[i] = -1
		if k > 0 {
			before[i] = tails[k-1]
		}
		if k == len(tails) {
			tails = append(tails, i)
		} else {
			tails[k] = i
		}
	}
	if len(tails) == 0 {
		return nil
	}
	var chosen []int
	for i := tails[len(tails)-1]; i >= 0; i = before[i] {
		chosen = append(chosen, i)
	}
	slices.Reverse(chosen)
	return chosen
}

// orphans gives the comments and blank lines of source elements that are gone, in the order of the source: comments
// as they stand, an empty span for a blank line. Elements that live on elsewhere keep theirs.
func (p *printer) orphans(from, to int, o *origin) []span {
	var found []span
	at := from
	take := func(upTo int) {
		if at < upTo {
			found = append(found, p.trivia(at, upTo)...)
		}
	}
	var visit func(o *origin)
	visit = func(o *origin) {
		for i := range o.elements {
			e := &o.elements[i]
			switch {
			case e.start < at || e.start >= to:
			case p.used[e.id()]:
				take(e.lead)
				at = max(at, e.end)
			case p.used[e.value] && e.value.elements != nil:
				take(e.value.elements[0].lead) // the value has moved as a whole
				at = max(at, e.value.last)
			default:
				visit(e.value)
			}
		}
		for _, c := range o.children {
			if o.elements == nil {
				visit(c)
			}
		}
	}
	visit(o)
	take(to)
	return found
}

// twin finds the entry that a deleted one was merged into: of the same key, in another item of the same list, and
// moved out of it. Merging copies of an entry into one is the only change that takes comments away.
func (p *printer) twin(e *element) *element {
	if e.key == nil || e.key.parent.parent == nil || e.key.parent.parent.node.Kind != yaml.SequenceNode {
		return nil
	}
	for _, item := range e.key.parent.parent.children {
		for i := range item.elements {
			m := &item.elements[i]
			if m.key != nil && m.key.node.Value == e.key.node.Value && p.moved[m.key] {
				return m
			}
		}
	}
	return nil
}

// withoutTwins leaves out what a twin says as well, comment by comment and blank line by blank line.
func (p *printer) withoutTwins(lost []span, twin *element) []span {
	said := map[string]int{}
	for _, s := range p.trivia(twin.lead, twin.end) {
		said[string(p.src[s.start:s.end])]++
	}
	return slices.DeleteFunc(lost, func(s span) bool {
		text := string(p.src[s.start:s.end])
		if said[text]--; said[text] < 0 {
			return false
		}
		if text != "" {
			p.merged[text]++
		}
		return true
	})
}

// trivia gives the comments and blank lines in a range of the source.
func (p *printer) trivia(from, to int) []span {
	var found []span
	first, _ := slices.BinarySearchFunc(p.comments, from, func(s span, at int) int { return s.start - at })
	comments := p.comments[first:]
	for at := from; at < to; at = lineEnd(p.src, at) {
		end := min(lineEnd(p.src, at), to)
		if lineStart(p.src, at) == at && len(bytes.TrimSpace(p.src[at:end])) == 0 && !p.insideScalar(at) {
			found = append(found, span{at, at})
		}
		for len(comments) > 0 && comments[0].start < end {
			found = append(found, comments[0])
			comments = comments[1:]
		}
	}
	return found
}

// insideScalar says whether an offset lies within a scalar of several lines, where a blank line is content.
func (p *printer) insideScalar(at int) bool {
	o := p.root
	for o != nil && len(o.children) > 0 {
		i, found := slices.BinarySearchFunc(o.children, at, func(c *origin, at int) int { return c.start - at })
		if !found {
			i--
		}
		if i < 0 {
			return false
		}
		o = o.children[i]
	}
	return o != nil && o.content < at && at < o.end
}
