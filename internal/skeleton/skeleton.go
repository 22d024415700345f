// Package skeleton reads YAML that is being written: whatever the text, it has a tree, with a place for what comes next. Lines and
// columns decide where a parser would give up, and a part that makes no sense takes nothing else along.
//
// It is for the place of a cursor. What a server reads is for package manifest to say, and of text that parses the two say the same.
package skeleton

import (
	"bytes"
	"strings"

	"github.com/crdlift/crdlift/internal/lines"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A Kind is what a value is.
type Kind int

// The kinds of values.
const (
	Empty Kind = iota // nothing is written yet
	Scalar
	Mapping
	Sequence
	Alias
)

// A Node is a value, or the place of one that is not written yet: that of a document, of a key, or of an item. Offsets are those of
// the whole text.
type Node struct {
	Kind     Kind
	Parent   *Node
	Children []*Node // of a mapping and a sequence, in the order of the text

	Key              string // in a mapping
	KeyStart, KeyEnd int    // with its quotes; of an item, its dash
	Colon            bool   // the key has one. One without is a word that may become a key

	Start, End int    // of the value, without comments
	Text       string // of a scalar, as it is meant; of an alias, its anchor
	Block      bool   // a scalar in lines of its own, below | or >
	Flow       bool   // a mapping or a sequence between brackets
	Column     int    // of the keys or the dashes of a mapping or sequence that has lines of its own
}

// Of is the tree of the document around an offset. A line that separates documents is of the one above it.
func Of(src []byte, offset int) *Node {
	all := documents(src)
	for _, d := range all {
		if offset <= d.end && d.start < d.end {
			return read(src, d)
		}
	}
	return read(src, all[len(all)-1])
}

// All are the trees of all documents.
func All(src []byte) (all []*Node) {
	for _, d := range documents(src) {
		all = append(all, read(src, d))
	}
	return all
}

// A span is where a document begins, after the line or the dashes that separate it from the one before, and where it ends.
type span struct{ start, end int }

func documents(src []byte) (all []span) {
	start := 0
	for at := 0; at < len(src); {
		next := lineEnd(src, at)
		if isMarker(src[at:next]) {
			all = append(all, span{start, at})
			if start = at + len("---"); src[at] == '.' {
				start = next
			}
		}
		at = next
	}
	return append(all, span{start, len(src)})
}

// read is the tree of a document.
func read(src []byte, d span) *Node {
	r := reader{src: src[:d.end], at: d.start}
	root := &Node{Start: d.start, End: d.end, Column: -1}
	r.document(root)
	return root
}

// isMarker reports whether a line separates documents.
func isMarker(line []byte) bool {
	return (bytes.HasPrefix(line, []byte("---")) || bytes.HasPrefix(line, []byte("..."))) &&
		(len(line) == 3 || strings.IndexByte(" \t\r\n", line[3]) >= 0)
}

// lineEnd is where the line after the one of an offset begins.
func lineEnd(src []byte, at int) int {
	i := bytes.IndexAny(src[at:], "\n\r")
	switch {
	case i < 0:
		return len(src)
	case src[at+i] == '\r' && at+i+1 < len(src) && src[at+i+1] == '\n':
		i++
	}
	return at + i + 1
}

// Child is the value of a key; nil where it is not there.
func (n *Node) Child(key string) *Node {
	if n == nil || n.Kind != Mapping {
		return nil
	}
	for _, c := range n.Children {
		if c.Key == key && c.Colon {
			return c
		}
	}
	return nil
}

// At is the value at a path of keys; nil where it is not there.
func (n *Node) At(keys ...string) *Node {
	for _, key := range keys {
		n = n.Child(key)
	}
	return n
}

// Said is the text of the scalar at a path of keys; "" where it is not there.
func (n *Node) Said(keys ...string) string {
	if n = n.At(keys...); n != nil && n.Kind == Scalar {
		return n.Text
	}
	return ""
}

// A reader reads one document.
type reader struct {
	src  []byte
	at   int
	open []*Node // the values that a line may go on with, each in the one before
	line int     // where the line begins that is read
}

func (r *reader) document(root *Node) {
	r.open = []*Node{root}
	for first := true; r.at < len(r.src); first = false {
		r.line = r.at
		if !first && r.src[r.at] == '%' {
			r.at = lineEnd(r.src, r.at)
			continue
		}
		r.at = r.blank(r.at)
		if r.at < len(r.src) && !r.isEnd() && !r.isAction() {
			column := r.at - r.line
			if bytes.HasPrefix(r.src[r.line:], []byte("\uFEFF")) {
				column -= len("\uFEFF")
			}
			r.block(column)
		}
		r.at = lineEnd(r.src, min(r.at, len(r.src)))
	}
	finish(root)
}

// finish sets where mappings and sequences end that have lines of their own.
func finish(n *Node) {
	for _, c := range n.Children {
		finish(c)
	}
	if (n.Kind == Mapping || n.Kind == Sequence) && !n.Flow {
		first, last := n.Children[0], n.Children[len(n.Children)-1]
		n.Start, n.End = first.KeyStart, max(last.KeyEnd, last.End)
	}
}

// blank is where spaces end.
func (r *reader) blank(at int) int {
	if at == 0 && bytes.HasPrefix(r.src, []byte("\uFEFF")) {
		at = len("\uFEFF")
	}
	for at < len(r.src) && (r.src[at] == ' ' || r.src[at] == '\t') {
		at++
	}
	return at
}

// isEnd reports whether nothing but a comment follows in the line.
func (r *reader) isEnd() bool {
	return r.at >= len(r.src) || strings.IndexByte("\r\n", r.src[r.at]) >= 0 ||
		r.src[r.at] == '#' && (r.at == r.line || strings.IndexByte(" \t", r.src[r.at-1]) >= 0)
}

// isAction reports whether a line has an action of a template, and nothing of the manifest.
func (r *reader) isAction() bool { return bytes.HasPrefix(r.src[r.at:], []byte("{{")) }

// block reads what is written at a column of a line: an item, a key, or a value.
func (r *reader) block(column int) {
	top := r.close(column)
	isText := top.Kind == Scalar && !top.Block
	if r.isDash() && !isText {
		r.item(column)
		return
	}
	start := r.at
	r.properties(&Node{}) // of a key
	if r.isEnd() {
		r.at = start
	}
	if end, key, found := r.key(); found {
		in := r.collection(Mapping, column)
		r.entry(in, key, end, true)
		r.value()
		return
	}
	r.at = start
	switch {
	case top.Kind == Mapping && top.Column == column: // a word where keys are
		r.scalar(&Node{})
		r.entry(top, string(r.src[start:r.at]), r.at, false)
	case top.Kind == Empty:
		r.value()
	case isText: // it goes on
		r.plain()
		top.End = r.at
		top.Text += " " + string(r.src[start:r.at])
	}
}

// isDash reports whether an item begins.
func (r *reader) isDash() bool {
	return r.src[r.at] == '-' && (r.at+1 == len(r.src) || strings.IndexByte(" \t\r\n", r.src[r.at+1]) >= 0)
}

func (r *reader) item(column int) {
	in := r.collection(Sequence, column)
	item := &Node{Parent: in, KeyStart: r.at, KeyEnd: r.at + 1, Start: r.at + 1, End: r.at + 1}
	in.Children = append(in.Children, item)
	r.open = append(r.open, item)
	r.at = r.blank(r.at + 1)
	if !r.isEnd() {
		r.block(r.at - r.line)
	}
}

// collection is the mapping or sequence whose keys or dashes are in a column, a new one where there is none.
func (r *reader) collection(kind Kind, column int) *Node {
	top := r.close(column)
	if top.Kind == Scalar && isFirst(r.src, top.Start) { // it was to be a key
		word := &Node{Parent: top, Key: top.Text, KeyStart: top.Start, KeyEnd: top.End, Start: top.End, End: top.End}
		top.become(Mapping, top.Start-lines.Start(r.src, top.Start))
		top.Children = []*Node{word}
		if column > top.Column {
			r.open = append(r.open, word)
			top = word
		}
	}
	if top.Kind != Mapping && top.Kind != Sequence {
		top.become(kind, column)
	}
	return top // which may have another column that nothing has begun in: it belongs to what is nearest
}

func (n *Node) become(kind Kind, column int) {
	n.Kind, n.Text, n.Block, n.Children, n.Column = kind, "", false, nil, column
}

// close closes what a line in a column does not go on with, and returns the innermost that it does.
func (r *reader) close(column int) *Node {
	for len(r.open) > 1 {
		top := r.open[len(r.open)-1]
		if top.Kind == Mapping || top.Kind == Sequence {
			if !top.Flow && (top.Column < column || top.Column == column && (top.Kind == Sequence) == r.isDash()) {
				break
			}
		} else if top.Parent.Column < column || top.Parent.Kind == Mapping && top.Kind == Empty && top.Parent.Column == column && r.isDash() {
			break
		}
		r.open = r.open[:len(r.open)-1]
	}
	return r.open[len(r.open)-1]
}

// entry adds a key to a mapping.
func (r *reader) entry(in *Node, key string, end int, colon bool) {
	e := &Node{Parent: in, Key: key, KeyStart: r.at, KeyEnd: end, Colon: colon, Start: end, End: end}
	if !colon {
		e.KeyStart = end - len(key)
	}
	in.Children = append(in.Children, e)
	r.open = append(r.open, e)
	if r.at = end; colon {
		for r.at < len(r.src) && r.src[r.at] != ':' {
			r.at++
		}
		r.at++
		e.Start, e.End = r.at, r.at
	}
}

// value reads the value of the key or the item that is open last, in its line.
func (r *reader) value() {
	n := r.open[len(r.open)-1]
	r.at = r.blank(r.at)
	if r.isEnd() {
		return
	}
	n.Start, n.End = r.at, r.at
	r.properties(n)
	if r.isEnd() {
		return
	}
	parent := -1
	if n.Parent != nil {
		parent = n.Parent.Column
	}
	r.any(n, parent)
}

// properties skips an anchor and a tag.
func (r *reader) properties(n *Node) {
	for r.at < len(r.src) && (r.src[r.at] == '&' || r.src[r.at] == '!') {
		for r.at < len(r.src) && strings.IndexByte(" \t\r\n,]}", r.src[r.at]) < 0 {
			r.at++
		}
		n.End = r.at
		if r.at = r.blank(r.at); !r.isEnd() {
			n.Start = r.at
		}
	}
}

// any reads a value that is no mapping or sequence with lines of its own. Lines go on with it that are further in than a column.
func (r *reader) any(n *Node, column int) {
	switch c := r.src[r.at]; {
	case r.isAction():
		r.scalar(n)
	case c == '{' || c == '[':
		r.flow(n, column)
	case c == '|' || c == '>':
		r.literal(n, column)
	case c == '*':
		r.scalar(n)
		n.Kind, n.Text = Alias, strings.TrimPrefix(n.Text, "*")
	default:
		r.scalar(n)
	}
}

// key reads a key and its colon, from where the reader is: where it ends, and what it says.
func (r *reader) key() (end int, key string, found bool) {
	at := r.at
	if c := r.src[at]; c == '"' || c == '\'' {
		end, _ = r.quoted(at, lineEnd(r.src, at))
		key = unquoted(r.src[at:end])
		at = r.blank(end)
		return end, key, at < len(r.src) && r.src[at] == ':' && (at+1 == len(r.src) || strings.IndexByte(" \t\r\n", r.src[at+1]) >= 0)
	}
	if strings.IndexByte("{[#|>%@`*", r.src[at]) >= 0 {
		return 0, "", false
	}
	for ; at < len(r.src) && strings.IndexByte("\r\n", r.src[at]) < 0; at++ {
		switch c := r.src[at]; {
		case c == '#' && at > r.at && strings.IndexByte(" \t", r.src[at-1]) >= 0:
			return 0, "", false
		case c == ':' && (at+1 == len(r.src) || strings.IndexByte(" \t\r\n", r.src[at+1]) >= 0):
			key = strings.TrimRight(string(r.src[r.at:at]), " \t")
			return r.at + len(key), key, true
		}
	}
	return 0, "", false
}

// quoted is where a text in quotes ends, not after a limit.
func (r *reader) quoted(at, limit int) (end int, closed bool) {
	quote := r.src[at]
	for at++; at < limit; at++ {
		switch {
		case r.src[at] == '\\' && quote == '"':
			at++
		case r.src[at] == quote && quote == '\'' && at+1 < limit && r.src[at+1] == quote:
			at++
		case r.src[at] == quote:
			return at + 1, true
		}
	}
	return len(bytes.TrimRight(r.src[:limit], "\r\n")), false
}

// unquoted is what a scalar in quotes says, or one without.
func unquoted(src []byte) string {
	if len(src) == 0 || src[0] != '"' && src[0] != '\'' {
		return string(src)
	}
	if bytes.ContainsAny(src, "\\\n\r") || bytes.Contains(src[1:], []byte("''")) {
		if n, err := yaml.Parse(string(src)); err == nil {
			return n.YNode().Value
		}
	}
	return strings.TrimSuffix(string(src[1:]), string(src[:1]))
}

// scalar reads a scalar, to the end of its line or of its quotes.
func (r *reader) scalar(n *Node) {
	n.Kind, n.Start = Scalar, r.at
	if c := r.src[r.at]; c == '"' || c == '\'' {
		end, closed := r.quoted(r.at, lineEnd(r.src, r.at))
		if !closed { // in this line. Parsers care for no indentation of the next ones
			rest, closed := r.quoted(r.at, len(r.src))
			if after := r.blank(rest); closed && (after >= len(r.src) || strings.IndexByte("\r\n#", r.src[after]) >= 0) {
				end = rest
			}
		}
		n.End, n.Text, r.at = end, unquoted(r.src[r.at:end]), end
		return
	}
	start := r.at
	r.plain()
	n.End, n.Text = r.at, string(r.src[start:r.at])
}

// plain reads to the end of a line, or to its comment.
func (r *reader) plain() {
	end := r.at
	for end < len(r.src) && strings.IndexByte("\r\n", r.src[end]) < 0 && (r.src[end] != '#' || end > r.line && strings.IndexByte(" \t", r.src[end-1]) < 0) {
		end++
	}
	r.at = len(bytes.TrimRight(r.src[:end], " \t"))
}

// deeper is where the lines end that go on from an offset and are further in than a column, or begin with a byte of also.
func (r *reader) deeper(at, column int, also string) int {
	for at = lineEnd(r.src, at); at < len(r.src); at = lineEnd(r.src, at) {
		begin := r.blank(at)
		if begin < len(r.src) && strings.IndexByte("\r\n", r.src[begin]) < 0 && begin-at <= column && strings.IndexByte(also, r.src[begin]) < 0 {
			break
		}
	}
	return at
}

// literal reads a scalar with lines of its own.
func (r *reader) literal(n *Node, column int) {
	end := r.deeper(r.at, column, "")
	lines := strings.SplitAfter(string(r.src[lineEnd(r.src, r.at):end]), "\n")
	indent := -1
	for _, line := range lines {
		if content := strings.TrimLeft(line, " "); strings.TrimSpace(content) != "" && indent < 0 {
			indent = len(line) - len(content)
		}
	}
	var text strings.Builder
	for _, line := range lines {
		text.WriteString(line[min(max(indent, 0), len(line)-len(strings.TrimLeft(line, " "))):])
	}
	n.Kind, n.Block, n.Start, n.Text = Scalar, true, r.at, text.String()
	n.End = min(max(r.blank(len(bytes.TrimRight(r.src[:end], " \t\r\n"))), r.at+1), len(r.src))
	r.at = end - 1
}
