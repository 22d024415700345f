package manifest

import (
	"bytes"
	"iter"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/lines"
)

// split finds the documents of a YAML file from offset start on. The spans lie side by side and cover everything, so
// that every byte belongs to one document: a `---` line begins its document, a `...` line ends its document; comments
// and directives (`%YAML 1.2`) before the first `---` belong to the document after it.
func split(src []byte, start int) iter.Seq[lines.Span] {
	return func(yield func(lines.Span) bool) {
		begin, found := start, false
		hasContent := false
		for at := start; at < len(src); {
			end := at + lines.Length(src[at:])
			line, ends := src[at:end], -1
			switch {
			case lines.IsMarker(line, "---"):
				if hasContent {
					ends = at
				}
				hasContent = true
			case lines.IsMarker(line, "..."):
				ends, hasContent = end, false
			case line[0] != '%' && !lines.IsBlankOrComment(line):
				hasContent = true
			}
			if ends >= 0 {
				if found = true; !yield(lines.Span{Start: begin, End: ends}) {
					return
				}
				begin = ends
			}
			at = end
		}
		if begin < len(src) || !found {
			yield(lines.Span{Start: begin, End: len(src)})
		}
	}
}

func leadingSpace(b []byte) int {
	return len(b) - len(bytes.TrimLeft(b, " \t\r\n"))
}

// linesIn counts the parser's lines in a part of a file.
func linesIn(text []byte, isJSON bool) int {
	if isJSON || !lines.HaveOddBreaks(text) {
		return bytes.Count(text, []byte("\n"))
	}
	return len(lines.YAML(text, 0, len(text))) - 1
}

// parserLines lists the offset of every line in a part of a file as its parser counts them.
func parserLines(src []byte, start, end int, isJSON bool) []int {
	if !isJSON {
		return lines.YAML(src, start, end)
	}
	begins := []int{start}
	for line := range bytes.Lines(src[start:end]) {
		begins = append(begins, begins[len(begins)-1]+len(line))
	}
	return begins
}

func shiftLines(n *yaml.Node, by int) {
	if by == 0 {
		return
	}
	n.Line += by
	for _, c := range n.Content {
		shiftLines(c, by)
	}
}
