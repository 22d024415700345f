package skeleton

import (
	"bytes"
	"strings"

	"github.com/crdlift/crdlift/internal/lines"
)

// A Spot is a place where somebody writes: a key of a value, or the value itself. Where nothing is written yet, it may become both.
type Spot struct {
	In         *Node // the value that a key is written in, or that is written
	Key, Value bool
	Written    *Node // what has the key that is written; nil for none
	Start, End int   // of what is written, as offsets
	Column     int   // of what is written
	OwnLine    bool  // nothing is before it in its line but dashes
	Dash       bool  // the item has no dash yet
}

// Spots are those at an offset of a tree's text. There are two where the keys of a mapping and the dashes of a list below one of
// them are in the same column.
func (n *Node) Spots(src []byte, offset int) []Spot {
	begin := lines.Start(src, offset)
	if line := src[begin:offset]; bytes.LastIndex(line, []byte("{{")) > bytes.LastIndex(line, []byte("}}")) {
		return nil // in an action of a template
	}
	if spot, found := n.written(src, offset); found {
		if spot == nil {
			return nil
		}
		spot.Column = spot.Start - lines.Start(src, spot.Start)
		return []Spot{*spot}
	}
	if blank := len(bytes.TrimLeft(src[begin:offset], " ")) == 0 && len(bytes.TrimSpace(src[begin:lineEnd(src, begin)])) == 0; !blank {
		return nil
	}
	at := Spot{Start: offset, End: offset, Column: offset - begin, OwnLine: true}
	return n.below(at)
}

// written is the spot of what is written at an offset or has just been begun there; found is false for an empty line.
func (n *Node) written(src []byte, offset int) (spot *Spot, found bool) {
	var last *Node // that ends before the offset
	for _, c := range n.Children {
		if c.KeyStart > offset {
			break
		}
		if n.Kind == Mapping && offset <= c.KeyEnd {
			return &Spot{In: n, Key: true, Written: c, Start: c.KeyStart, End: c.KeyEnd, OwnLine: !n.Flow && isFirst(src, c.KeyStart)}, true
		}
		last = c
	}
	if last == nil {
		return n.self(src, offset)
	}
	if last.Kind != Empty && last.Start <= offset && offset <= last.End || n.Flow && last.Start <= offset && between(src, last, offset) {
		return last.written(src, offset)
	}
	if last.Kind == Mapping || last.Kind == Sequence {
		if !last.Flow && last.End < offset {
			if spot, found = last.written(src, offset); found {
				return spot, true
			}
		}
	}
	return n.beside(src, last, offset)
}

// between reports whether nothing separates an offset from a member before it.
func between(src []byte, member *Node, offset int) bool {
	return member.Kind == Empty && member.Colon && len(bytes.TrimSpace(src[member.Start:offset])) == 0
}

// self is the spot of a value that has no part at an offset.
func (n *Node) self(src []byte, offset int) (*Spot, bool) {
	switch {
	case n.Flow && n.Start < offset && offset < n.End, n.Flow && n.Start < offset && !isClosed(src, n):
		if isComment(src, n.Start+1, offset) {
			return nil, true
		}
		return n.inFlow(offset), true
	case n.Kind == Scalar && n.Start <= offset && offset <= n.End:
		own := isFirst(src, n.Start)
		key := own && (n.Parent == nil || n.Parent.Kind == Sequence || lines.Start(src, n.KeyStart) != lines.Start(src, n.Start))
		if bytes.ContainsAny(src[n.Start:n.End], "\r\n") && !n.Block {
			return nil, true
		}
		return &Spot{In: n, Key: key && !n.Block, Value: true, Start: n.Start, End: n.End, OwnLine: own}, true
	case n.Kind == Alias && n.Start <= offset && offset <= n.End:
		return nil, true
	case n.Kind == Empty && n.Flow:
		return nil, true
	case n.Kind == Empty && n.Parent != nil && n.Parent.Flow:
		return &Spot{In: n, Value: true, Start: offset, End: offset}, true
	}
	return nil, false
}

// inFlow is the spot of a new member between brackets.
func (n *Node) inFlow(offset int) *Spot {
	if n.Kind == Mapping {
		return &Spot{In: n, Key: true, Start: offset, End: offset}
	}
	return &Spot{In: &Node{Parent: n}, Value: true, Start: offset, End: offset}
}

// beside is the spot in the line of a key or an item that has no value, and in flow style that of a new member.
func (n *Node) beside(src []byte, last *Node, offset int) (*Spot, bool) {
	ends := last.KeyEnd
	if last.Start <= offset {
		ends = max(ends, last.End)
	}
	if n.Flow {
		if offset > n.End || offset == n.End && isClosed(src, n) {
			return nil, false
		}
		if isComment(src, ends, offset) || bytes.IndexByte(src[min(ends, offset):offset], ',') < 0 {
			return nil, true
		}
		return n.inFlow(offset), true
	}
	if bytes.ContainsAny(src[min(ends, offset):offset], "\r\n") {
		return nil, false
	}
	if column := offset - lines.Start(src, offset); n.Kind == Sequence && last.Kind == Mapping && !last.Flow && last.Start > offset && last.Column == column {
		return &Spot{In: last, Key: true, Start: offset, End: offset, OwnLine: true}, true // its first key is yet to come
	}
	if last.Kind != Empty || isComment(src, ends, offset) || n.Kind == Mapping && !last.Colon || offset <= last.KeyEnd {
		return nil, true
	}
	return &Spot{In: last, Key: n.Kind == Sequence, Value: true, Start: offset, End: offset, OwnLine: n.Kind == Sequence}, true
}

// isComment reports whether a comment begins between two offsets.
func isComment(src []byte, start, end int) bool {
	between := src[min(start, end):end]
	if i := bytes.LastIndexAny(between, "\r\n"); i >= 0 {
		between = between[i+1:]
	}
	return bytes.IndexByte(between, '#') >= 0
}

// isClosed reports whether the brackets of a value end.
func isClosed(src []byte, n *Node) bool {
	return n.End > n.Start+1 && strings.IndexByte("]}", src[n.End-1]) >= 0
}

// isFirst reports whether only dashes are before an offset in its line.
func isFirst(src []byte, offset int) bool {
	return len(bytes.Trim(src[lines.Start(src, offset):offset], " \t-")) == 0
}

// below are the spots of an empty line, by its column.
func (n *Node) below(at Spot) []Spot {
	if n.Kind == Empty {
		at.In, at.Key, at.Value = n, true, true
		return []Spot{at}
	}
	if n.Block {
		return []Spot{{In: n, Value: true, Start: n.Start, End: max(n.End, at.Start), Column: at.Column}}
	}
	if n.Flow || n.Kind != Mapping && n.Kind != Sequence {
		return nil
	}
	var last *Node
	for _, c := range n.Children {
		if c.KeyStart < at.Start {
			last = c
		}
	}
	var inner []Spot
	if last != nil && (at.Column > n.Column && (last.Kind == Empty || last.Column <= at.Column) || last.Kind == Sequence && !last.Flow && last.Column == at.Column) {
		inner = last.below(at)
	}
	if at.Column == n.Column {
		if at.In = n; n.Kind == Sequence {
			at.In, at.Dash, at.Value = &Node{Parent: n}, true, true
		}
		at.Key = true
		inner = append(inner, at)
	}
	return inner
}
