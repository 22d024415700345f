package crd

import (
	"bytes"
	"iter"
)

// A SchemaBlock is where a text has a schema in lines of its own.
type SchemaBlock struct {
	Indent           int // of its key
	Colon, Body, End int // the places behind the colon of the key, of the next line, and behind the last line
}

// SchemaBlocks are the schemas of a manifest, without parsing it: most of its text is theirs. Those in flow style are not among them.
// Nothing is searched by expressions, which are slow.
func SchemaBlocks(src []byte) iter.Seq[SchemaBlock] {
	key := []byte("openAPIV3Schema:")
	return func(yield func(SchemaBlock) bool) {
		for at := 0; ; {
			i := bytes.Index(src[at:], key)
			if i < 0 {
				return
			}
			start, colon := 1+bytes.LastIndexByte(src[:at+i], '\n'), at+i+len(key)
			line, _, more := bytes.Cut(src[colon:], []byte("\n"))
			at = min(colon+len(line)+1, len(src))
			if !more || len(bytes.Trim(src[start:colon-len(key)], " -")) > 0 || len(bytes.TrimSpace(line)) > 0 {
				continue
			}
			b := SchemaBlock{Indent: colon - len(key) - start, Colon: colon, Body: at}
			for at < len(src) {
				line, _, _ := bytes.Cut(src[at:], []byte("\n"))
				if text := bytes.TrimLeft(line, " "); IsText(text) && len(line)-len(text) <= b.Indent {
					break
				}
				at = min(at+len(line)+1, len(src))
			}
			if b.End = at; !yield(b) {
				return
			}
		}
	}
}

// IsText reports whether a line that begins with no space has more than a comment.
func IsText(line []byte) bool { return len(bytes.TrimSpace(line)) > 0 && line[0] != '#' }
