package manifest

import (
	"bytes"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// flowParts are the places of a flow collection's entries in the source.
type flowParts struct {
	ids                 []*origin
	leads, starts, ends []int // lead: behind the comma or bracket in front
	close               int   // behind the last entry, or its comma
	trailingComma       bool
	lines               bool // one entry a line
	indent              int
	space               string // a space or a tab
}

func (p *printer) flowParts(o *origin) flowParts {
	f := flowParts{space: " "}
	lead := o.content + 1
	step := 1
	if o.node.Kind == yaml.MappingNode {
		step = 2
	}
	for i := 0; i+step <= len(o.children); i += step {
		first, last := o.children[i], o.children[i+step-1]
		f.ids = append(f.ids, first)
		f.leads, f.starts, f.ends = append(f.leads, lead), append(f.starts, first.start), append(f.ends, max(first.end, last.end))
		lead = p.behindComma(f.ends[len(f.ends)-1], o.end)
	}
	last := f.ends[len(f.ends)-1]
	f.close, f.trailingComma = last, lead > last
	if f.trailingComma {
		f.close = lead
	}
	f.lines = bytes.IndexByte(p.src[f.leads[0]:f.starts[0]], '\n') >= 0
	if f.lines {
		f.indent = indentation(p.src, f.starts[0])
		if p.src[lineStart(p.src, f.starts[0])] == '\t' {
			f.space = "\t"
		}
	}
	return f
}

// behindComma is the offset behind the comma that follows, or at itself when a bracket follows.
func (p *printer) behindComma(at, limit int) int {
	for i := at; i < limit; i++ {
		switch c := p.src[i]; {
		case c == ',':
			return i + 1
		case c == '#' && isSpace(p.src[i-1]):
			i += len(lineText(p.src[i:]))
		case !isSpace(c) && c != ':':
			return at
		}
	}
	return at
}

// keptFlow gives for every entry the index of the source's entry that it is, -1 when it was not in this collection
// or when the order has changed.
func (p *printer) keptFlow(o *origin, all [][2]*yaml.Node) []int {
	indexes := make([]int, len(all))
	for i, kv := range all {
		indexes[i] = -1
		if w := p.originOf(identity(kv)); w != nil && w.parent == o {
			indexes[i] = w.index
			if kv[0] != nil {
				indexes[i] /= 2
				if w.index%2 == 1 {
					indexes[i] = -1
				}
			}
		}
	}
	kept := make([]int, len(all))
	for i := range kept {
		kept[i] = -1
	}
	for _, i := range longestIncreasing(indexes) {
		kept[i] = indexes[i]
	}
	return kept
}

// lost gives the comments of the entries from..to of the source that are gone.
func (f *flowParts) lost(p *printer, from, to int) []span {
	var found []span
	for ; from < to; from++ {
		if !p.used[f.ids[from]] {
			found = append(found, p.commentsIn(f.leads[from], f.ends[from])...)
		}
	}
	return found
}

// commentsIn gives the comments in a range of the source.
func (p *printer) commentsIn(from, to int) []span {
	return slices.DeleteFunc(p.trivia(from, to), func(s span) bool { return s.start == s.end })
}

// flowLead gives the comments in front of an entry that stood in another flow collection.
func (p *printer) flowLead(kv [2]*yaml.Node) []span {
	o := p.originOf(identity(kv))
	if o == nil || o.parent == nil || o.parent.node.Style&yaml.FlowStyle == 0 {
		return nil
	}
	f := p.flowParts(o.parent)
	i := slices.Index(f.ids, o)
	if i < 0 {
		return nil
	}
	return p.commentsIn(f.leads[i], f.starts[i])
}
