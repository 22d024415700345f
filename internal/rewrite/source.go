package rewrite

import (
	"bytes"

	"github.com/crdlift/crdlift/internal/manifest"
)

// A source is a document as it was read, and what the writer has to know of it.
type source struct {
	*manifest.Layout
	document *manifest.Document

	studied  bool
	studyErr error
	blocks   map[*manifest.Origin]*block // of YAML; none where the root stands in brackets
	style    style
}

func sourceOf(d *manifest.Document) (*source, error) {
	l, err := d.Layout()
	return &source{Layout: l, document: d}, err
}

// study learns how the document is written, which takes a while and is of no use where nothing changes.
func (s *source) study() error {
	if s.studied {
		return s.studyErr
	}
	s.studied, s.blocks = true, map[*manifest.Origin]*block{}
	if !s.document.JSON {
		s.studyErr = s.divide()
	}
	s.style = s.findStyle()
	return s.studyErr
}

// elements are the entries of a block collection of the source; nil for any other node.
func (s *source) elements(o *manifest.Origin) []element {
	if b := s.blocks[o]; b != nil {
		return b.elements
	}
	return nil
}

// eol is the line end of the document's first line.
func (s *source) eol() string {
	if i := bytes.IndexByte(s.document.Text(), '\n'); i > 0 && s.document.Text()[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// endsFileOpen reports whether the document is the last of a file without a line end at its end.
func (s *source) endsFileOpen() bool {
	return s.End == len(s.Source) && len(s.Source) > 0 && s.Source[len(s.Source)-1] != '\n'
}
