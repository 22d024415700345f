package yaml11

import (
	"bytes"
	"errors"
	"io"
	"unicode/utf8"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/text"
)

// errSecond says that a text has a second document. Whoever splits a file at its lines has not seen where it begins:
// after a line break that only YAML 1.1 knows.
var errSecond = errors.New("yaml: another document begins")

// Parse reads the document of a text into kyaml's nodes; nil for a document without content. Text after the document is
// an error, whether or not it is a document of its own.
//
// kyaml drops the tag `!` while it parses. It makes a string of a plain scalar, `served: ! true`, so the nodes that have
// it get a tag that says so.
func Parse(text []byte) (*yaml.Node, error) {
	var doc, next yaml.Node
	in := yaml.NewDecoder(bytes.NewReader(text))
	if err := in.Decode(&doc); err == io.EOF {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	if err := in.Decode(&next); err == nil {
		return nil, errSecond
	} else if err != io.EOF {
		return nil, err
	}
	root := doc.Content[0]
	if nonSpecificTag().Match(text) {
		restoreTags(root, text)
	}
	return root, nil
}

var (
	// nonSpecificTag finds the tag `!`, which may be spelled `!<!>`, and texts that look like it.
	nonSpecificTag = text.Pattern(`!(<!>)?([\s\x{85}\x{2028}\x{2029}]|$)`)
	// nodeProperties are the tag and the anchor before a scalar, in either order, with the text allowed between them;
	// the tag is the group.
	nodeProperties = text.Pattern(`^(?:&[^\s,\[\]{}]+\s+(?:#[^\r\n]*[\r\n]\s*)*)?(!)(?:<!>)?(?:[\s\x{85}\x{2028}\x{2029}]|$)`)
)

// restoreTags finds the scalars that the text tags with `!`.
func restoreTags(root *yaml.Node, text []byte) {
	c := cursor{text: bytes.TrimPrefix(text, []byte("\ufeff")), line: 1, column: 1} // the parser counts no byte order mark
	all := inOrder(nil, root)
	for i, n := range all {
		if n.Kind != yaml.ScalarNode || !c.moveTo(n.Line, n.Column) {
			continue
		}
		properties := nodeProperties().FindSubmatchIndex(c.text)
		if properties == nil {
			continue
		}
		if n.Value == "" && i+1 < len(all) { // after the anchor of nothing, the tag may be the next key's
			tag := c
			tag.skip(properties[2])
			if next := all[i+1]; tag.line == next.Line && tag.column == next.Column {
				continue
			}
		}
		tagAsString(n)
	}
}

// inOrder appends a node and those below it in the order of the text.
func inOrder(all []*yaml.Node, n *yaml.Node) []*yaml.Node {
	all = append(all, n)
	for _, below := range n.Content {
		all = inOrder(all, below)
	}
	return all
}

// tagAsString tags a scalar as what `!` makes of it. As a key, `<<` is a merge key still, and even in quotes.
func tagAsString(n *yaml.Node) {
	switch {
	case n.Value == "<<":
		n.Tag = mergeTag
	case isQuoted(n):
		return
	default:
		n.Tag = yaml.NodeTagString
	}
	n.Style |= yaml.TaggedStyle
}

// A cursor goes through a text as the parser counts lines and columns.
type cursor struct {
	text         []byte // from the cursor on
	line, column int    // from 1
}

// moveTo goes forward to a position. It is false where the text has none such, or has it further up.
func (c *cursor) moveTo(line, column int) bool {
	for len(c.text) > 0 && (c.line < line || c.line == line && c.column < column) {
		c.step()
	}
	return c.line == line && c.column == column
}

// skip goes forward by so many bytes.
func (c *cursor) skip(n int) {
	for end := len(c.text) - n; len(c.text) > end; {
		c.step()
	}
}

// step goes forward by a character, or a line end.
func (c *cursor) step() {
	r, size := utf8.DecodeRune(c.text)
	if bytes.HasPrefix(c.text, []byte("\r\n")) {
		size = 2
	}
	c.text = c.text[size:]
	switch r {
	case '\r', '\n', '\u0085', '\u2028', '\u2029':
		c.line, c.column = c.line+1, 1
	default:
		c.column++
	}
}
