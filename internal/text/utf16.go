package text

import "bytes"

// WithoutNULs is a text whose ASCII characters can be searched for, in UTF-16 as well: without bytes that are 0. A text that
// has none is not copied.
func WithoutNULs(text []byte) []byte {
	if bytes.IndexByte(text, 0) < 0 {
		return text
	}
	return bytes.ReplaceAll(text, []byte{0}, nil)
}
