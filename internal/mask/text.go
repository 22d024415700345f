package mask

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/yaml11"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Spans are the parts of a document that are hidden of the object in it, in order.
func (m *Mask) Spans(d *manifest.Document) []lines.Span {
	if m == nil {
		return nil
	}
	f := &spanFinder{document: d, seen: map[visit]bool{}}
	f.add(m.object.Node, m.root())
	slices.SortFunc(f.found, func(a, b lines.Span) int { return cmp.Or(a.Start-b.Start, a.End-b.End) })
	return f.found
}

// A spanFinder collects the spans of hidden scalars.
type spanFinder struct {
	document *manifest.Document
	found    []lines.Span
	seen     map[visit]bool
}

// A visit is a node at a place: aliases lead to a node several times, and it is hidden if it is in one of them.
type visit struct {
	node *yaml.Node
	at   place
}

func (f *spanFinder) add(n *yaml.Node, p place) {
	n = crd.Deref(n)
	if n == nil || f.seen[visit{n, p}] {
		return
	}
	f.seen[visit{n, p}] = true
	switch n.Kind {
	case yaml.ScalarNode:
		f.scalar(n, p)
	case yaml.SequenceNode:
		for _, item := range n.Content {
			f.add(item, p.item())
		}
	case yaml.MappingNode:
		f.mapping(n, p)
	}
}

func (f *spanFinder) mapping(n *yaml.Node, p place) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if yaml11.IsMerge(key) {
			f.merge(value, p)
			continue
		}
		name, _ := yaml11.Key(key)
		below, _ := p.member(name)
		below.secret = below.secret || p.kind != aMetadata && saysSecret(func(name string) string { return crd.StringAt(n, name) }, name)
		f.add(value, below)
	}
}

// merge adds what a merge key brings in: a mapping, or several.
func (f *spanFinder) merge(n *yaml.Node, p place) {
	n = crd.Deref(n)
	if n != nil && n.Kind == yaml.SequenceNode {
		for _, item := range n.Content {
			f.add(item, p)
		}
		return
	}
	f.add(n, p)
}

func (f *spanFinder) scalar(n *yaml.Node, p place) {
	_, value := yaml11.Resolve(n)
	if n.Value != "" && value == nil {
		value = n.Value
	}
	if yaml11.IsNull(n) || !p.hides(value) {
		return
	}
	if start, end, ok := f.document.Span(n); ok {
		f.found = append(f.found, lines.Span{Start: start, End: end})
	}
}

// Replace puts Hidden in the place of each line in some spans, in order, but for what it is indented by.
func Replace(src []byte, hidden []lines.Span) []byte {
	var out bytes.Buffer
	at := 0
	for _, s := range hidden {
		if s.Start = max(s.Start, at); s.Start >= s.End {
			continue
		}
		out.Write(src[at:s.Start])
		for line := range bytes.Lines(src[s.Start:s.End]) {
			begin, end := len(line)-len(bytes.TrimLeft(line, " \t")), len(bytes.TrimRight(line, "\r\n"))
			if begin >= end {
				out.Write(line)
				continue
			}
			out.Write(line[:begin])
			out.WriteString(Hidden)
			out.Write(line[end:])
		}
		at = s.End
	}
	out.Write(src[at:])
	return out.Bytes()
}
