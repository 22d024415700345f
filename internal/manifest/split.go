package manifest

import "bytes"

// A span is a range of bytes in a file; end is exclusive.
type span struct{ start, end int }

// split finds the documents of a YAML file from offset start on. The spans lie side by side and cover everything, so
// nothing between documents is anybody's guess: a `---` line begins its document, a `...` line ends its document;
// comments and directives (`%YAML 1.2`) in front of the first `---` belong to the document behind it.
func split(src []byte, start int) []span {
	var docs []span
	begin, at := start, start
	hasContent := false
	for at < len(src) {
		end := at + lineLength(src[at:])
		line := src[at:end]
		switch {
		case isMarker(line, "---"):
			if hasContent {
				docs = append(docs, span{begin, at})
				begin = at
			}
			hasContent = true
		case isMarker(line, "..."):
			docs = append(docs, span{begin, end})
			begin, hasContent = end, false
		case line[0] != '%' && !isBlankOrComment(line):
			hasContent = true
		}
		at = end
	}
	if begin < len(src) || len(docs) == 0 {
		docs = append(docs, span{begin, len(src)})
	}
	return docs
}

// isMarker says whether a line is a document marker: at the very start, with white space or nothing behind it.
func isMarker(line []byte, marker string) bool {
	if !bytes.HasPrefix(line, []byte(marker)) {
		return false
	}
	rest := line[len(marker):]
	return len(rest) == 0 || bytes.IndexByte([]byte(" \t\r\n"), rest[0]) >= 0
}

func isBlankOrComment(line []byte) bool {
	t := bytes.TrimLeft(line, " \t\r\n")
	return len(t) == 0 || t[0] == '#'
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
		line := text[:lineLength(text)]
		if line[0] != '%' && !isBlankOrComment(line) {
			return isMarker(line, "---")
		}
		text = text[len(line):]
	}
	return false
}

// Directive is the first directive (`%YAML 1.1`) in front of the document, with its offset in the file; "" when there is
// none.
func (d *Document) Directive() (line string, at int) {
	for at = d.Start; at < d.End; at = lineEnd(d.File.Source, at) {
		switch text := lineText(d.File.Source[at:d.End]); {
		case len(text) > 0 && text[0] == '%':
			return string(text), at
		case !isBlankOrComment(text):
			return "", 0
		}
	}
	return "", 0
}
