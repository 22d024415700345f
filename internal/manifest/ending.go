package manifest

import (
	"bytes"
	"slices"
	"strings"
)

// An unended is a block scalar that the file ends in, without a line end. Its value has none either: where anything
// follows it in the result, its header has to take the line end away that it gets.
type unended struct {
	mark   int      // where its header says what becomes of the last line end; 0 when there is no such scalar
	chomps string   // what it says: "" or "+"
	copies [][2]int // for each time that it was printed: the piece at the mark, and the piece behind the scalar
}

// findUnended looks for it.
func (l *layout) findUnended(d *Document) unended {
	if !d.endsFileOpen() {
		return unended{}
	}
	o := l.root
	for len(o.children) > 0 {
		o = o.children[len(o.children)-1]
	}
	if !isBlockScalar(o.node) || o.end != d.End {
		return unended{}
	}
	u := unended{mark: o.content + 1}
	if c := l.src[u.mark]; c >= '1' && c <= '9' {
		u.mark++
	}
	switch l.src[u.mark] {
	case '-':
		return unended{}
	case '+':
		u.chomps = "+"
	}
	return u
}

// end takes away the line end that keeps what follows apart.
func (u *unended) end(out []piece) {
	for _, c := range u.copies {
		for _, p := range out[min(c[1], len(out)):] {
			if p.text != "" || p.start < p.end {
				out[c[0]].text = "-"
				break
			}
		}
	}
}

// endsFileOpen reports whether the document is the last of a file without a line end at its end.
func (d *Document) endsFileOpen() bool {
	src := d.File.Source
	return d.End == len(src) && len(src) > 0 && src[len(src)-1] != '\n'
}

// withoutEnd gives the pieces of a document without the line ends that it ends in.
func withoutEnd(src []byte, out []piece) []piece {
	out = slices.Clone(out)
	for len(out) > 0 {
		last := &out[len(out)-1]
		if last.copy {
			last.end = last.start + len(bytes.TrimRight(src[last.start:last.end], "\r\n"))
		} else {
			last.text = strings.TrimRight(last.text, "\r\n")
		}
		if last.text != "" || last.start < last.end {
			break
		}
		out = out[:len(out)-1]
	}
	return out
}
