package manifest

import (
	"fmt"
	"unicode/utf8"

	"github.com/crdlift/crdlift/internal/lines"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// maxJSONDepth is encoding/json's: so many arrays and objects may be open at once.
const maxJSONDepth = 10_000

// A syntaxError is text that is not JSON.
type syntaxError struct {
	offset int // in bytes, of the first byte that cannot be there; the text's length when it ends too early
	msg    string
}

func (e *syntaxError) Error() string { return e.msg }

// A jsonReader is where readJSON is in its text.
type jsonReader struct {
	src   []byte
	at    int
	spans map[*yaml.Node]lines.Span // nil when positions are not needed

	// The position of the last node, from which that of the next is counted.
	counted, line, column int
}

func (r *jsonReader) fail(offset int, format string, args ...any) error {
	return &syntaxError{offset, fmt.Sprintf(format, args...)}
}

// unexpected complains about the byte at r.at.
func (r *jsonReader) unexpected(want string) error {
	if r.at >= len(r.src) {
		return r.fail(len(r.src), "the JSON text ends where %s should follow", want)
	}
	c, _ := utf8.DecodeRune(r.src[r.at:])
	return r.fail(r.at, "%q where %s should be", c, want)
}

func (r *jsonReader) space() {
	for r.at < len(r.src) {
		switch r.src[r.at] {
		case ' ', '\t', '\r', '\n':
			r.at++
		default:
			return
		}
	}
}

// peek is the next byte, or 0 at the end of the text, where a NUL is not JSON either.
func (r *jsonReader) peek() byte {
	if r.at < len(r.src) {
		return r.src[r.at]
	}
	return 0
}

// node makes a node that begins at r.at.
func (r *jsonReader) node(kind yaml.Kind, style yaml.Style, tag string) *yaml.Node {
	for r.counted < r.at {
		if r.src[r.counted] == '\n' {
			r.line++
			r.column = 1
			r.counted++
			continue
		}
		size := 1
		if r.src[r.counted] >= utf8.RuneSelf {
			_, size = utf8.DecodeRune(r.src[r.counted:])
		}
		r.counted += size
		r.column++
	}
	return &yaml.Node{Kind: kind, Style: style, Tag: tag, Line: r.line, Column: r.column}
}

// note keeps the bytes of a node that ends at r.at.
func (r *jsonReader) note(n *yaml.Node, start int) {
	if r.spans != nil {
		r.spans[n] = lines.Span{Start: start, End: r.at}
	}
}
