package manifest

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/lines"
)

// A measurer computes where nodes start and end. The parser tells starts only.
type measurer struct {
	*Layout
	begins []int // of the parser's lines
	base   int   // parser lines before the document
	limit  int   // end of the document

	// The last position that was looked for, from which the next in its line is: a line may be megabytes long.
	line, column, at int
}

// measure fills in the origin of n and of everything below it; from is where the node before it ended, a check that all goes
// forward.
func (m *measurer) measure(o *Origin, n *yaml.Node, parent *Origin, from int) error {
	start, ok := m.offset(n.Line, n.Column)
	if !ok || start < from && n.Kind != yaml.AliasNode {
		return &OddForm{n.Line, "something whose start is unknown"}
	}
	*o = Origin{Node: n, Parent: parent, Start: start}
	o.Content, o.Properties = m.skipProperties(o)
	if m.byPlace != nil {
		key := placeOf(n)
		if m.byPlace[key] != nil {
			return &OddForm{n.Line, "two things in one place"}
		}
		m.byPlace[key] = o
	}

	switch n.Kind {
	case yaml.AliasNode:
		o.Content, o.End = start, start+1+len(n.Value)
		ok = bytes.HasPrefix(m.Source[start:m.limit], []byte("*"+n.Value))
	case yaml.ScalarNode:
		o.End, ok = m.scalarEnd(o)
	default:
		at := o.Content
		o.Children = make([]*Origin, 0, len(n.Content))
		room := make([]Origin, len(n.Content))
		for i, c := range n.Content {
			co := &room[i]
			if err := m.measure(co, c, o, at); err != nil {
				return err
			}
			co.Index = i
			o.Children = append(o.Children, co)
			at = max(at, co.End)
		}
		o.End = at
		if m.IsBarePair(o) {
			o.End = m.afterColon(o.Children[1])
		}
		if n.Style&yaml.FlowStyle != 0 && !m.IsBarePair(o) {
			o.End, ok = m.flowEnd(o, at)
		}
	}
	if !ok || o.End > m.limit {
		return &OddForm{n.Line, "something whose end is unknown"}
	}
	return nil
}

// afterColon moves the empty value of a bare pair to after the colon, since the parser puts it before the colon, and
// returns its end.
func (m *measurer) afterColon(value *Origin) int {
	if at := m.skipBlank(value.End); value.Start == value.End && at < m.limit && m.Source[at] == ':' {
		at++
		value.Start, value.Properties, value.Content, value.End = at, at, at, at
	}
	return value.End
}

func (m *measurer) offset(line, column int) (int, bool) {
	if line != m.line || column < m.column {
		i := line - m.base - 1
		if i < 0 || i >= len(m.begins) {
			return 0, false
		}
		m.line, m.column, m.at = line, 1, m.begins[i]
	}
	for m.column < column {
		if m.at >= m.limit {
			return 0, false
		}
		_, w := utf8.DecodeRune(m.Source[m.at:])
		m.at += w
		m.column++
	}
	return m.at, true
}

// skipProperties passes over a node's anchor and tag. It returns where the content starts and where the last property
// ends; both are start when there is no property. The first key of a block starts where the block does, so as many are
// passed as the node has.
func (m *measurer) skipProperties(o *Origin) (content, end int) {
	n := o.Node
	content, end = o.Start, o.Start
	has := 0
	if n.Anchor != "" {
		has++
	}
	if n.Style&yaml.TaggedStyle != 0 || n.Kind == yaml.ScalarNode {
		has++ // the parser does not mark every tagged scalar
	}
	for ; has > 0 && content < m.limit && (m.Source[content] == '&' || m.Source[content] == '!'); has-- {
		end = m.propertyEnd(content)
		content = m.skipBlank(end)
	}
	return content, end
}

// propertyEnd returns the end of an anchor, whose name consists of letters, digits, underscores and dashes, or of a
// tag, which extends to the next white space even across a bracket or a comma.
func (m *measurer) propertyEnd(at int) int {
	isPart := func(b byte) bool {
		return b == '_' || b == '-' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
	}
	if m.Source[at] == '!' {
		isPart = func(b byte) bool { return !lines.IsSpace(b) }
	}
	for at++; at < m.limit && isPart(m.Source[at]); at++ {
	}
	return at
}

// skipBlank passes over white space, line ends and comments.
func (m *measurer) skipBlank(at int) int {
	for at < m.limit {
		switch {
		case lines.IsSpace(m.Source[at]):
			at++
		case m.Source[at] == '#' && (at == 0 || lines.IsSpace(m.Source[at-1])):
			at += len(lines.Text(m.Source[at:m.limit]))
		default:
			return at
		}
	}
	return at
}

func (m *measurer) flowEnd(o *Origin, at int) (int, bool) {
	if at == o.Content {
		at++ // the opening bracket
	}
	for {
		at = m.skipBlank(at)
		if at >= m.limit {
			return at, false
		}
		switch m.Source[at] {
		case ']', '}':
			return at + 1, true
		case ',', ':', '?':
			at++
		default:
			return at, false
		}
	}
}

func (m *measurer) scalarEnd(o *Origin) (int, bool) {
	at, n := o.Content, o.Node
	switch {
	case n.Style&yaml.DoubleQuotedStyle != 0:
		return m.quotedEnd(at, '"')
	case n.Style&yaml.SingleQuotedStyle != 0:
		return m.quotedEnd(at, '\'')
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return m.blockScalarEnd(o)
	case n.Value == "":
		// nothing was written but, perhaps, an anchor or a tag
		o.Content = o.Properties
		return o.Properties, true
	}
	return m.plainEnd(at, n.Value)
}

func (m *measurer) quotedEnd(at int, quote byte) (int, bool) {
	if at >= m.limit || m.Source[at] != quote {
		return at, false
	}
	for at++; at < m.limit; at++ {
		switch {
		case m.Source[at] == '\\' && quote == '"':
			at++
		case m.Source[at] == quote && quote == '\'' && at+1 < m.limit && m.Source[at+1] == quote:
			at++
		case m.Source[at] == quote:
			return at + 1, true
		}
	}
	return at, false
}

// plainEnd follows the value through the source: a plain scalar is its value but for white space, which folds.
func (m *measurer) plainEnd(at int, value string) (int, bool) {
	if end := at + len(value); end <= m.limit && string(m.Source[at:end]) == value {
		return end, true // as nearly always
	}
	for _, want := range value {
		if lines.IsFoldable(want) {
			continue
		}
		for at < m.limit {
			r, w := utf8.DecodeRune(m.Source[at:m.limit])
			if !lines.IsFoldable(r) {
				break
			}
			at += w
		}
		r, w := utf8.DecodeRune(m.Source[at:m.limit])
		if r != want {
			return at, false
		}
		at += w
	}
	return at, true
}

// blockScalarEnd finds the last line of a literal or folded scalar, which includes all lines that are blank or indented
// as deep as its first one.
func (m *measurer) blockScalarEnd(o *Origin) (int, bool) {
	at := o.Content
	if at >= m.limit || m.Source[at] != '|' && m.Source[at] != '>' {
		return at, false
	}
	next := m.lineAfter(at)
	header := m.lineText(at, next)
	end := at + len(header)
	indent, keep := 0, false
	for _, c := range header[1:] {
		if c == '+' {
			keep = true
		} else if c >= '1' && c <= '9' {
			indent = int(c-'0') + max(m.parentIndent(o), 0)
		} else if c != '-' {
			break
		}
	}
	header = bytes.TrimRight(header, " \t")
	if !bytes.Contains(header, []byte("#")) {
		end = at + len(header)
	}
	for ; next < len(m.begins) && m.begins[next] < m.limit; next++ {
		line := m.begins[next]
		text := m.lineText(line, next+1)
		spaces := len(text) - len(bytes.TrimLeft(text, " "))
		if spaces == len(text) && (indent == 0 || spaces <= indent) {
			if keep {
				end = line + len(text)
			}
			continue
		}
		if indent == 0 {
			indent = max(spaces, m.parentIndent(o)+1)
		}
		if spaces < indent {
			break
		}
		end = line + len(text)
	}
	return end, true
}

// lineText returns the rest of the parser's line before the next one, without its break.
func (m *measurer) lineText(at, next int) []byte {
	if next >= len(m.begins) {
		return m.Source[at:m.limit]
	}
	text := bytes.TrimSuffix(m.Source[at:m.begins[next]], []byte(lines.BOM)) // the next line's
	return bytes.TrimRight(text, "\r\n\u0085\u2028\u2029")
}

// parentIndent returns the indentation of the block collection that contains a scalar, -1 at the root.
func (m *measurer) parentIndent(o *Origin) int {
	if o.Parent == nil {
		return -1
	}
	at := o.Parent.Content
	return at - m.begins[m.lineAfter(at)-1]
}

// lineAfter returns the index of the first of the parser's lines that begins after an offset of the document.
func (m *measurer) lineAfter(at int) int {
	i, found := slices.BinarySearch(m.begins, at)
	if found {
		i++
	}
	return i
}
