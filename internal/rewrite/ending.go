package rewrite

import (
	"bytes"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/manifest"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// An unendedScalar is a block scalar that the file ends in, without a line end. Its value has none either: where anything
// follows it in the result, its header has to take the line end away that it gets.
type unendedScalar struct {
	mark   int      // the offset of its header's chomping indicator; 0 when there is no such scalar
	chomps string   // the indicator: "" or "+"
	copies [][2]int // for each time that it was printed: the piece at the mark, and the piece after the scalar
}

// findUnended looks for it.
func (s *source) findUnended() unendedScalar {
	if !s.endsFileOpen() {
		return unendedScalar{}
	}
	o := lastIn(s.Root)
	if !isBlockScalar(o.Node) || o.End != s.End {
		return unendedScalar{}
	}
	u := unendedScalar{mark: o.Content + 1}
	header := s.Source[u.mark:]
	if len(header) > 0 && header[0] >= '1' && header[0] <= '9' {
		u.mark, header = u.mark+1, header[1:]
	}
	if len(header) == 0 {
		return unendedScalar{} // an empty scalar, whatever follows it
	}
	switch header[0] {
	case '-':
		return unendedScalar{}
	case '+':
		u.chomps = "+"
	}
	return u
}

// end removes the line end that separates the text that follows.
func (u *unendedScalar) end(out []piece) {
	for _, c := range u.copies {
		for _, p := range out[min(c[1], len(out)):] {
			if p.text != "" || p.Start < p.End {
				out[c[0]].text = "-"
				break
			}
		}
	}
}

// withoutEnd returns the pieces of a document without the line ends that it ends in.
func withoutEnd(src []byte, out []piece) []piece {
	out = slices.Clone(out)
	for len(out) > 0 {
		last := &out[len(out)-1]
		if last.copy {
			last.End = last.Start + len(bytes.TrimRight(src[last.Start:last.End], "\r\n"))
		} else {
			last.text = strings.TrimRight(last.text, "\r\n")
		}
		if last.text != "" || last.Start < last.End {
			break
		}
		out = out[:len(out)-1]
	}
	return out
}

// An endedText is a block scalar that was printed last.
type endedText struct {
	at    int // how many pieces were printed when it ended; 0 when none has
	keeps bool
}

// endText records that the node of the source printed last is a block scalar.
func (p *printer) endText(o *manifest.Origin) {
	if isBlockScalar(o.Node) {
		p.ended = endedText{len(p.out), keepsLineEnds(p.Source[o.Content:])}
	}
}

// add prints a piece of the document, without the part that a block scalar before it would include.
func (p *printer) add(q piece) {
	if p.ended.at == 0 || p.ended.at < len(p.out) {
		p.out = append(p.out, q)
		return
	}
	text := []byte(q.text)
	if q.copy {
		text = p.Source[q.Start:q.End]
	}
	n := 0
	if !p.followsLast(q) {
		n = swallowed(text, p.ended.keeps, q.copy && q.End == len(p.Source))
	}
	if n == len(text) {
		return
	}
	if q.copy {
		q.Start += n
	} else {
		q.text = q.text[n:]
	}
	p.out = append(p.out, q)
	if len(bytes.TrimSpace(text)) == 0 && bytes.HasSuffix(text, []byte("\n")) {
		p.ended.at = len(p.out) // more blank lines may follow
	}
}

// followsLast reports whether a piece stands right after the last one in the source: then the scalar took
// the same there.
func (p *printer) followsLast(q piece) bool {
	if !q.copy || len(p.out) == 0 {
		return false
	}
	last := p.out[len(p.out)-1]
	return last.copy && last.End == q.Start
}

// keepsLineEnds reports whether the header of a block scalar says so: `|+`, `>2+`.
func keepsLineEnds(scalar []byte) bool {
	behind := bytes.TrimLeft(scalar[1:], "+-123456789")
	return bytes.IndexByte(scalar[:len(scalar)-len(behind)], '+') >= 0
}

// swallowed returns the length of the blank lines before a text that a block scalar would include if the text followed
// it: all of them where it keeps its line ends, and elsewhere those up to the last that has white space. A line without
// a line end is complete at the end of a file only.
func swallowed(text []byte, keeps, endsFile bool) int {
	taken := 0
	for at := 0; at < len(text); {
		end := lines.End(text, at)
		line := lines.Text(text[at:end])
		if len(bytes.TrimSpace(line)) > 0 || at+len(line) == end && !endsFile {
			break
		}
		if at = end; keeps || len(line) > 0 {
			taken = at
		}
	}
	return taken
}

// lastOf is the node that a tree ends in.
func lastOf(n *yaml.Node) *yaml.Node {
	for len(n.Content) > 0 {
		n = n.Content[len(n.Content)-1]
	}
	return n
}
