package manifest

import "github.com/crdlift/crdlift/internal/lines"

// split finds the documents of a YAML file from offset start on. The spans lie side by side and cover everything, so
// nothing between documents is anybody's guess: a `---` line begins its document, a `...` line ends its document;
// comments and directives (`%YAML 1.2`) in front of the first `---` belong to the document behind it.
func split(src []byte, start int) []lines.Span {
	var docs []lines.Span
	begin, at := start, start
	hasContent := false
	for at < len(src) {
		end := at + lines.Length(src[at:])
		line := src[at:end]
		switch {
		case lines.IsMarker(line, "---"):
			if hasContent {
				docs = append(docs, lines.Span{Start: begin, End: at})
				begin = at
			}
			hasContent = true
		case lines.IsMarker(line, "..."):
			docs = append(docs, lines.Span{Start: begin, End: end})
			begin, hasContent = end, false
		case line[0] != '%' && !lines.IsBlankOrComment(line):
			hasContent = true
		}
		at = end
	}
	if begin < len(src) || len(docs) == 0 {
		docs = append(docs, lines.Span{Start: begin, End: len(src)})
	}
	return docs
}

// Unseparated reports whether the document stands behind a `...` line without a `---` line of its own. A YAML parser
// reads it; kubectl, which splits files at `---` only, hands it to the parser together with the one above, and takes the
// first of both.
func (d *Document) Unseparated() bool {
	return !d.json && d.Index > 0 && !d.File.Documents[d.Index-1].json && !hasMarker(d.Text())
}

// hasMarker reports whether a document has a `---` line of its own.
func hasMarker(text []byte) bool {
	for len(text) > 0 {
		line := text[:lines.Length(text)]
		if line[0] != '%' && !lines.IsBlankOrComment(line) {
			return lines.IsMarker(line, "---")
		}
		text = text[len(line):]
	}
	return false
}

// Directive is the first directive (`%YAML 1.1`) in front of the document, with its offset in the file; "" when there is
// none.
func (d *Document) Directive() (line string, at int) {
	for at = d.Start; at < d.End; at = lines.End(d.File.Source, at) {
		switch text := lines.Text(d.File.Source[at:d.End]); {
		case len(text) > 0 && text[0] == '%':
			return string(text), at
		case !lines.IsBlankOrComment(text):
			return "", 0
		}
	}
	return "", 0
}
