package rewrite

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/manifest"
)

// CheckNeighbours returns the documents of a file that was changed to output, after it has made sure that none has changed
// but those that were to: there are as many as before, and all others are the same, both as this package tells documents
// apart and as kubectl does, which knows only lines that begin with `---`.
func CheckNeighbours(f *manifest.File, output []byte, changed func(index int) bool) ([]*manifest.Document, error) {
	after := manifest.Split(f.Path, output).Documents
	if len(after) != len(f.Documents) {
		return nil, fmt.Errorf("%d documents became %d", len(f.Documents), len(after))
	}
	sent, separators := kubectlSplit(f.Source)
	sends, separates := kubectlSplit(output)
	switch {
	case len(sent) != len(sends):
		return nil, fmt.Errorf("kubectl read %d documents and would read %d", len(sent), len(sends))
	case separators != separates:
		return nil, fmt.Errorf("kubectl found %d separators and would find %d", separators, separates)
	}
	mayChange := make([]bool, len(sent))
	for i, d := range f.Documents {
		if !changed(i) {
			if !bytes.Equal(d.Text(), after[i].Text()) {
				return nil, fmt.Errorf("document %d of %d became another", i+1, len(after))
			}
			continue
		}
		first, _ := slices.BinarySearchFunc(sent, d.Start+1, func(s lines.Span, at int) int { return s.End - at })
		for j := first; j < len(sent) && sent[j].Start < d.End; j++ {
			mayChange[j] = true
		}
	}
	for i, s := range sent {
		if !mayChange[i] && !bytes.Equal(f.Source[s.Start:s.End], output[sends[i].Start:sends[i].End]) {
			return nil, fmt.Errorf("document %d of the %d that kubectl reads became another", i+1, len(sent))
		}
	}
	return after, nil
}

// kubectlSplit returns the texts that kubectl reads as the documents of a YAML file: the text between lines that begin
// with `---`, unless it is empty, and the number of such lines. It rejects files in which such a line has more than a
// comment.
func kubectlSplit(src []byte) (docs []lines.Span, separators int) {
	begin := 0
	for at := 0; at < len(src); at = lines.End(src, at) {
		if bytes.HasPrefix(src[at:], []byte("---")) {
			if begin < at {
				docs = append(docs, lines.Span{Start: begin, End: at})
			}
			begin = lines.End(src, at)
			separators++
		}
	}
	if begin < len(src) {
		docs = append(docs, lines.Span{Start: begin, End: len(src)})
	}
	return docs, separators
}
