package pieces

import (
	"bytes"
	"errors"
	"io"

	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

var (
	// around are the lines before and after the items, as kubectl and its like write them. None of them can go on in the next.
	around    = text.Pattern(`^(#.*|(apiVersion|kind): +("[\w./-]+"|[\w./-]+)|metadata:( \{\})?|  (resourceVersion|selfLink|continue|remainingItemCount):( "[\w+/=.-]*"| [\w+/=.-]+)?|)$`)
	itemsLine = text.Pattern(`^items:$`)
)

// A yamlScanner knows the lines of a list.
type yamlScanner struct {
	*scanner
	begun          bool // by a line that is no comment
	items, after   bool // the line `items:` was read, and one behind the items
	indent         int  // of the items; -1 before the first
	versions, kind []string
}

// yaml finds the items of a list in YAML: behind a line `items:`, each begins with a dash at the same column, and all of its other
// lines are further right. What is written otherwise is not cut.
func (s *scanner) yaml() error {
	y := &yamlScanner{scanner: s, indent: -1}
	s.isYAML = true
	for {
		more, err := y.next()
		if err != nil {
			return err
		}
		if !more {
			break
		}
	}
	if err := s.end(true); err != nil {
		return err
	}
	switch {
	case !y.items || len(s.sections) == 0:
		return s.doubt("there are no items")
	case len(y.kind) == 0:
		return s.doubt("the text ends without the kind of the list; it may be cut off")
	case len(y.kind) > 1 || len(y.versions) != 1 || !bytes.HasSuffix([]byte(y.kind[0]), []byte("List")):
		return s.doubt("this is not a list")
	}
	return nil
}

// next reads a line. It returns false at the end of the text.
func (y *yamlScanner) next() (more bool, err error) {
	start, err := y.in.ReadSlice('\n')
	if len(start) == 0 && errors.Is(err, io.EOF) {
		return false, nil
	}
	if err != nil && !errors.Is(err, io.EOF) && len(start) < y.in.Size() {
		return false, err
	}
	if err := y.look(start); err != nil {
		return false, err
	}
	for y.take(start); len(start) > 0 && start[len(start)-1] != '\n'; y.take(start) {
		if start, err = y.in.ReadSlice('\n'); err != nil && !errors.Is(err, io.EOF) && len(start) < y.in.Size() {
			return false, err
		}
		if err := y.fits(); err != nil {
			return false, err
		}
	}
	err = y.fits()
	y.line++
	return true, err
}

// take adds a part of a line to what it belongs to.
func (y *yamlScanner) take(part []byte) {
	y.offset += int64(len(part))
	if y.after {
		y.tail = append(y.tail, part...)
	} else {
		y.text = append(y.text, part...)
	}
}

// look finds out what a line is, by its start.
func (y *yamlScanner) look(start []byte) error {
	if y.offset == 0 {
		start = bytes.TrimPrefix(start, []byte(lines.BOM))
	}
	text := bytes.TrimRight(start, " \r\n")
	inner := bytes.TrimLeft(text, " ")
	indent := len(text) - len(inner)
	switch {
	case !y.items && !itemsLine().Match(text) || y.after:
		return y.lookAround(text)
	case !y.items:
		y.items = true
	case len(inner) == 0 || inner[0] == '#' || y.indent >= 0 && indent > y.indent:
	case len(inner) == 1 && inner[0] == '-' || bytes.HasPrefix(inner, []byte("- ")):
		return y.item(indent)
	case indent == 0 && y.indent >= 0:
		y.after = true
		y.tailAt = lint.Part{Line: y.line, Column: 1}
		return y.lookAround(text)
	default:
		return y.doubt("this is not the layout of a list from kubectl")
	}
	return nil
}

// item begins an item at a line.
func (y *yamlScanner) item(indent int) error {
	if y.indent >= 0 && indent != y.indent {
		return y.doubt("this is not the layout of a list from kubectl")
	}
	y.indent = indent
	if err := y.end(false); err != nil {
		return err
	}
	y.begin()
	return nil
}

// lookAround looks at a line before the items or behind them.
func (y *yamlScanner) lookAround(text []byte) error {
	if string(text) == "---" && !y.begun && !y.after {
		y.begun = true
		return nil
	}
	m := around().FindSubmatch(text)
	// No line behind the items may end a text in quotes that an item has left open: such a piece must not parse.
	if m == nil || y.after && bytes.HasPrefix(text, []byte("#")) && bytes.ContainsAny(text, `"'`) {
		return y.doubt("this is not the layout of a list from kubectl")
	}
	y.begun = y.begun || len(text) > 0 && text[0] != '#'
	switch value := string(bytes.Trim(m[3], `"`)); string(m[2]) {
	case "kind":
		y.kind = append(y.kind, value)
	case "apiVersion":
		y.versions = append(y.versions, value)
	}
	return nil
}
