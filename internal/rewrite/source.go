package rewrite

import (
	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/manifest"
)

// A source is a document as it was read, with the data that the writer needs about it.
type source struct {
	*manifest.Layout
	document *manifest.Document

	studied  bool
	studyErr error
	blocks   map[*manifest.Origin]*block // of YAML; none where the root is a flow collection
	style    style

	searched, hasAnchor bool // by anchored
}

func sourceOf(d *manifest.Document) (*source, error) {
	l, err := d.Layout()
	return &source{Layout: l, document: d}, err
}

// elements are the entries of a block collection of the source; nil for any other node.
func (s *source) elements(o *manifest.Origin) []element {
	if b := s.blocks[o]; b != nil {
		return b.elements
	}
	return nil
}

// eol is the line end of the document's first line.
func (s *source) eol() string { return lines.Break(s.document.Text()) }

// endsFileOpen reports whether the document is the last of a file without a line end at its end.
func (s *source) endsFileOpen() bool {
	return s.End == len(s.Source) && len(s.Source) > 0 && s.Source[len(s.Source)-1] != '\n'
}

// A style is the style of a document that new text has to follow.
type style struct {
	eol         string
	step        int  // columns that a block is indented by
	indentLists bool // whether a list's dashes are indented below its key
	json        bool
	flow        flowStyle
}

// A flowStyle is the style of flow collections that new text has to follow.
type flowStyle struct {
	quoteKeys, quoteAll  bool // keys, and every string, are in double quotes, as in JSON; KYAML quotes strings only
	tightColon, tightGap bool // no space after a colon, and after a comma
}
