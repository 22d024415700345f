package skeleton

import (
	"bytes"
	"strings"
)

// flow reads a mapping or a sequence between brackets, of which lines are part as long as they are further in than a column.
func (r *reader) flow(n *Node, column int) {
	r.brackets(n, r.deeper(r.at, column, "]}"))
	r.at = n.End
}

func (r *reader) brackets(n *Node, limit int) {
	n.Kind, n.Flow, n.Start = Mapping, true, r.at
	closing := byte('}')
	if r.src[r.at] == '[' {
		n.Kind, closing = Sequence, ']'
	}
	r.at++
	for r.space(limit); r.at < limit; r.space(limit) {
		switch c := r.src[r.at]; {
		case c == closing:
			r.at++
			n.End = r.at
			return
		case c == ']' || c == '}': // of what is around it
			n.End = r.at
			return
		case c == ',':
			r.at++
		default:
			r.member(n, limit)
		}
	}
	n.End = max(len(bytes.TrimRight(r.src[:limit], "\r\n")), n.Start+1)
}

// member reads a key with its value, or an item.
func (r *reader) member(in *Node, limit int) {
	m := &Node{Parent: in}
	in.Children = append(in.Children, m)
	if in.Kind == Mapping {
		m.KeyStart = r.at
		m.KeyEnd = r.word(limit, true)
		m.Key = unquoted(r.src[m.KeyStart:m.KeyEnd])
		m.Start, m.End = m.KeyEnd, m.KeyEnd
		r.at = m.KeyEnd
		if r.space(limit); r.at >= limit || r.src[r.at] != ':' {
			r.at = max(m.KeyEnd, m.KeyStart+1)
			return
		}
		r.at++
		m.Colon, m.Start, m.End = true, r.at, r.at
		if r.space(limit); r.at >= limit || strings.IndexByte(",]}", r.src[r.at]) >= 0 {
			return
		}
	} else {
		m.KeyStart, m.KeyEnd = r.at, r.at
	}
	m.Start, m.End = r.at, r.at
	r.properties(m)
	if r.space(limit); r.at >= limit {
		return
	}
	if c := r.src[r.at]; c == '{' || c == '[' {
		r.brackets(m, limit)
		return
	}
	m.Start, m.End = r.at, r.word(limit, false)
	m.Kind, m.Text = Scalar, unquoted(r.src[m.Start:m.End])
	if strings.HasPrefix(m.Text, "*") && r.src[m.Start] == '*' {
		m.Kind, m.Text = Alias, m.Text[1:]
	}
	r.at = max(m.End, m.Start+1)
}

// word is where a scalar between brackets ends.
func (r *reader) word(limit int, isKey bool) int {
	at := r.at
	if c := r.src[at]; c == '"' || c == '\'' {
		at, _ = r.quoted(at, limit)
		return at
	}
	for ; at < limit && strings.IndexByte("\r\n,[]{}", r.src[at]) < 0; at++ {
		if c := r.src[at]; c == '#' && strings.IndexByte(" \t", r.src[at-1]) >= 0 ||
			c == ':' && (at+1 == limit || strings.IndexByte(" \t\r\n,[]{}", r.src[at+1]) >= 0 && isKey) {
			break
		}
	}
	return r.at + len(bytes.TrimRight(r.src[r.at:at], " \t"))
}

// space skips what separates members.
func (r *reader) space(limit int) {
	for r.at < limit {
		switch c := r.src[r.at]; {
		case strings.IndexByte(" \t\r\n", c) >= 0:
			r.at++
		case c == '#' && strings.IndexByte(" \t\r\n", r.src[r.at-1]) >= 0:
			r.at = lineEnd(r.src, r.at)
		default:
			return
		}
	}
}
