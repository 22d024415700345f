package crd

import (
	"bytes"
	"iter"
	"slices"
)

// A Block is where a text has a mapping or a list in lines of its own.
type Block struct {
	Indent           int // of its key
	Colon, Body, End int // the places behind the colon of the key, of the next line, and behind the last line
}

// SchemaKey has a schema below it.
const SchemaKey = "openAPIV3Schema"

// Blocks are what a manifest has below some keys, without parsing it: most of its text is that of schemas. What is in flow style is not
// among them, nor is what is in another block. Nothing is searched by expressions, which are slow.
func Blocks(src []byte, keys ...string) iter.Seq[Block] {
	return func(yield func(Block) bool) {
		found := slices.Repeat([]int{-1}, len(keys)) // where each key is next; it is searched for when that is passed
		for at := 0; ; {
			next, length := len(src), 0
			for k, key := range keys {
				if found[k] < at {
					found[k] = len(src)
					if i := bytes.Index(src[at:], []byte(key+":")); i >= 0 {
						found[k] = at + i
					}
				}
				if found[k] < next {
					next, length = found[k], len(key)+1
				}
			}
			if next == len(src) {
				return
			}
			start, colon := 1+bytes.LastIndexByte(src[:next], '\n'), next+length
			line, _, more := bytes.Cut(src[colon:], []byte("\n"))
			at = min(colon+len(line)+1, len(src))
			if !more || len(bytes.Trim(src[start:next], " -")) > 0 || len(bytes.TrimSpace(line)) > 0 {
				continue
			}
			b := Block{Indent: next - start, Colon: colon, Body: at}
			for at < len(src) {
				line, _, _ := bytes.Cut(src[at:], []byte("\n"))
				text := bytes.TrimLeft(line, " ")
				isItem := len(line)-len(text) == b.Indent && bytes.HasPrefix(text, []byte("- "))
				if IsText(text) && len(line)-len(text) <= b.Indent && !isItem {
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
