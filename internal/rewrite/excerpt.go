package rewrite

import (
	"cmp"
	"errors"
	"slices"

	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/manifest"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A Gap is entries of a block mapping that an excerpt leaves out: from one index to another, exclusive. The first and the
// last entry of a mapping stay.
type Gap struct {
	Mapping  *manifest.Origin
	From, To int
}

// An Excerpt is a document without some entries of its mappings, whose changes are those of the document: to print them,
// and to prove them, takes as long as the excerpt is large. A block mapping is the sum of its entries, each in lines of
// its own, so that the text around the gaps means in the document what it means in the excerpt.
type Excerpt struct {
	Root *yaml.Node // its tree, free to be changed

	writer *Writer
	start  int          // of the document in its file
	gaps   []lines.Span // what is left out, as bytes of the document
}

// Excerpt returns an excerpt; nil where an excerpt is not possible, as of a document with anchors, in which what is left out matters to
// the rest, and of JSON.
func (w *Writer) Excerpt(gaps []Gap) *Excerpt {
	if w.err != nil || w.source.document.JSON || w.source.study() != nil || w.source.anchored() {
		return nil
	}
	x := &Excerpt{start: w.source.Start}
	for _, g := range gaps {
		entries := w.source.elements(g.Mapping)
		if g.From < 1 || g.From >= g.To || g.To >= len(entries) || !entries[g.From].ownLine || !entries[g.To].ownLine {
			return nil
		}
		x.gaps = append(x.gaps, lines.Span{Start: entries[g.From].lead - x.start, End: entries[g.To].lead - x.start})
	}
	slices.SortFunc(x.gaps, func(a, b lines.Span) int { return cmp.Compare(a.Start, b.Start) })
	var text []byte
	at := 0
	whole := w.source.document.Text()
	for _, g := range x.gaps {
		text = append(text, whole[at:g.Start]...)
		at = g.End
	}
	text = append(text, whole[at:]...)
	d := manifest.Parse("", text).Documents[0]
	if d.Root == nil {
		return nil
	}
	x.Root = d.Root.YNode()
	x.writer = Of(d)
	if x.writer.err != nil || x.writer.source.study() != nil {
		return nil
	}
	x.writer.source.style = w.source.style
	return x
}

// anchored reports whether the document has anchors or aliases.
func (s *source) anchored() bool {
	if s.searched {
		return s.hasAnchor
	}
	var has func(o *manifest.Origin) bool
	has = func(o *manifest.Origin) bool {
		return o.Node.Anchor != "" || o.Node.Kind == yaml.AliasNode || slices.ContainsFunc(o.Children, has)
	}
	s.searched, s.hasAnchor = true, has(s.Root)
	return s.hasAnchor
}

// errAtGap says that a change is not one of the excerpt alone.
var errAtGap = errors.New("the change touches what the excerpt leaves out")

// Write is Writer.Write for the tree of the excerpt. The edits are those of the document's file; there is no text and no
// tree.
func (x *Excerpt) Write() (*Result, error) {
	made, err := x.writer.Write(x.Root)
	if err != nil {
		return nil, err
	}
	moved := &Result{Encoded: made.Encoded}
	for _, e := range made.Edits {
		before := 0
		for _, g := range x.gaps {
			at := g.Start - before // in the excerpt
			if e.Start <= at && at <= e.End {
				return nil, errAtGap
			}
			if at > e.End {
				break
			}
			before += g.End - g.Start
		}
		by := x.start + before
		moved.Edits = append(moved.Edits, Edit{e.Start + by, e.End + by, e.New})
	}
	return moved, nil
}
