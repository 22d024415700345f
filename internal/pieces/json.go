package pieces

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// itemsKey is how the text before the items ends.
var itemsKey = text.Pattern(`^\s*\{[^\[\]]*"items"\s*:\s*\[\s*$`)

// A jsonScanner knows where in a JSON text it is.
type jsonScanner struct {
	*scanner
	depth   int
	quoted  bool
	escaped bool
	need    string // what may come next between items
	after   bool   // the items
}

// json finds the items of a list in JSON by its brackets.
func (s *scanner) json() error {
	j := &jsonScanner{scanner: s}
	if mark, _ := s.in.Peek(len(lines.BOM)); string(mark) == lines.BOM {
		s.text = append(s.text, lines.BOM...)
		n, _ := s.in.Discard(len(lines.BOM))
		s.offset = int64(n)
	}
	for {
		b, err := s.in.ReadByte()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if err := j.next(b); err != nil {
			return err
		}
	}
	s.closing = "\n" // so that the end of the last item is not the place of the tail
	if !j.after || j.depth > 0 {
		return s.doubt("the text ends within the list; it may be cut off")
	}
	return j.check()
}

// next reads a byte.
func (j *jsonScanner) next(b byte) error {
	if err := j.step(b); err != nil {
		return err
	}
	j.offset++
	switch {
	case b == '\n':
		j.line++
		j.column = 1
		return j.fits()
	case b&0xC0 != 0x80:
		j.column++
	}
	if j.offset&0xFFFF == 0 || j.head == nil || j.after {
		return j.fits()
	}
	return nil
}

// step follows the brackets and strings.
func (j *jsonScanner) step(b byte) error {
	between := j.head != nil && !j.after && j.depth == 2 && !j.quoted
	if between && strings.IndexByte(" \t\r\n", b) < 0 {
		if err := j.between(b); err != nil {
			return err
		}
	}
	switch {
	case j.after:
		j.tail = append(j.tail, b)
	case j.head == nil || j.open:
		j.text = append(j.text, b)
	}
	if j.quoted {
		j.quoted = j.escaped || b != '"'
		j.escaped = !j.escaped && b == '\\'
		return nil
	}
	switch {
	case b >= 0x80: // which is read as YAML
		return j.doubt("this is not JSON")
	case b == '"':
		j.quoted = true
	case b == '{', b == '[':
		j.depth++
		if j.head == nil && j.depth == 2 && b == '[' && itemsKey().Match(bytes.TrimPrefix(j.text, []byte(lines.BOM))) {
			j.head, j.need = bytes.Clone(j.text), "{]"
		}
	case b == '}', b == ']':
		if j.depth--; j.depth == 2 && j.head != nil && !j.after {
			j.need = ",]"
			return j.end(false)
		}
	}
	return nil
}

// between looks at a byte between items.
func (j *jsonScanner) between(b byte) error {
	if strings.IndexByte(j.need, b) < 0 {
		return j.doubt("this is not the layout of a list from kubectl")
	}
	switch b {
	case '{':
		j.begin()
	case ',':
		j.need = "{"
	case ']':
		if err := j.end(true); err != nil {
			return err
		}
		j.after = true
		j.tailAt = lint.Part{Line: j.line, Column: j.column}
	}
	return nil
}

// check reads what is around the items.
func (j *jsonScanner) check() error {
	var list map[string]json.RawMessage
	var kind string
	empty := append(bytes.TrimPrefix(j.head, []byte(lines.BOM)), j.tail...)
	if err := json.Unmarshal(empty, &list); err != nil || bytes.IndexByte(empty, '\\') >= 0 || bytes.Count(empty, []byte(`"items"`)) != 1 {
		return j.doubt("this is not the layout of a list from kubectl")
	}
	err := json.Unmarshal(list["kind"], &kind)
	if err != nil || !strings.HasSuffix(kind, "List") || list["apiVersion"] == nil || list["spec"] != nil || bytes.Count(empty, []byte(`"kind"`)) != 1 {
		return j.doubt("this is not a list")
	}
	if len(j.sections) == 0 {
		return j.doubt("there are no items")
	}
	return nil
}
