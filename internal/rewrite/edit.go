package rewrite

import (
	"bytes"
	"fmt"

	"github.com/crdlift/crdlift/internal/lines"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// An Edit replaces the bytes [Start, End) of a file by New.
type Edit struct {
	Start, End int
	New        string
}

// Apply returns src with the edits made. They must be in order and must not overlap, as Document.Edits
// returns them; Apply panics otherwise.
func Apply(src []byte, edits []Edit) []byte {
	var out bytes.Buffer
	at := 0
	for _, e := range edits {
		if e.Start < at || e.End < e.Start || e.End > len(src) {
			panic(fmt.Sprintf("rewrite: edit [%d, %d) behind %d of %d", e.Start, e.End, at, len(src)))
		}
		out.Write(src[at:e.Start])
		out.WriteString(e.New)
		at = e.End
	}
	out.Write(src[at:])
	return out.Bytes()
}

// A Result is a document written with another tree.
type Result struct {
	// Edits turn the document's source into Text; none when nothing has changed. The offsets are those of the file.
	Edits []Edit
	// Encoded is the reason why the content had to be written by kyaml's encoder, which keeps comments but not the
	// layout; the text around the content stays. It is "" where that was not necessary.
	Encoded string
	Text    []byte     // the document with the edits made; nil without edits
	Root    *yaml.Node // the tree that Text was parsed to, to prove it
}

// A piece is a part of the printed document: a range of the source in its own place, or text.
type piece struct {
	lines.Span
	text string
	copy bool
}

// editsOf turns the pieces of a document into the edits that make them. The source between two kept ranges is replaced
// by the text between them, without their common prefix and suffix.
func editsOf(src []byte, start, end int, pieces []piece) []Edit {
	var edits []Edit
	var text bytes.Buffer
	at := start
	flush := func(to int) {
		from, fresh := at, text.Bytes()
		for from < to && len(fresh) > 0 && src[from] == fresh[0] {
			from, fresh = from+1, fresh[1:]
		}
		for to > from && len(fresh) > 0 && src[to-1] == fresh[len(fresh)-1] {
			to, fresh = to-1, fresh[:len(fresh)-1]
		}
		if from < to || len(fresh) > 0 {
			edits = append(edits, Edit{from, to, string(fresh)})
		}
		text.Reset()
	}
	for _, p := range pieces {
		if !p.copy {
			text.WriteString(p.text)
			continue
		}
		flush(p.Start)
		at = p.End
	}
	flush(end)
	return edits
}
