package manifest

import (
	"bytes"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/lines"
)

// A Comment is a comment of a document, from its `#` to the end of its line. What looks like one in a quoted string or a
// block scalar does not count.
type Comment struct {
	Start, End int // bytes in the file
	Text       string
	// Top is true when it is before the document's content: above it, or on its `---` line.
	Top bool
	// OwnLine is true when nothing precedes it on its line except, perhaps, the dashes of list items.
	OwnLine bool

	at int // the comment itself, or the last dash before it
}

// Comments lists the comments of a document in order. JSON has no comments, nor has a document that does not parse.
func (d *Document) Comments() []Comment {
	l, err := d.Layout()
	if err != nil || l.Root == nil {
		return nil
	}
	var all []Comment
	for _, s := range l.Comments {
		c := Comment{Start: s.Start, End: s.End, Text: string(l.Source[s.Start:s.End]), Top: s.Start < l.Root.Start, at: s.Start}
		line := lines.Start(l.Source, s.Start)
		before := l.Source[line:s.Start]
		c.OwnLine = onlyDashes(before)
		if dash := bytes.LastIndexByte(before, '-'); c.OwnLine && dash >= 0 {
			c.at = line + dash
		}
		all = append(all, c)
	}
	return all
}

// onlyDashes reports whether the text before a comment is blank but for dashes that begin list items.
func onlyDashes(before []byte) bool {
	for word := range bytes.FieldsSeq(before) {
		if len(word) != 1 || word[0] != '-' {
			return false
		}
	}
	return true
}

// EntryBelow returns the bytes of what a comment on a line of its own, or after the dash of an item, belongs to: a
// mapping's key with its value, or a list's item. It returns false when no entry follows: at the end of the document,
// or when the comment is indented deeper than the next entry, as at the end of a collection.
func (d *Document) EntryBelow(c Comment) (start, end int, ok bool) {
	l, err := d.Layout()
	if err != nil || !c.OwnLine {
		return 0, 0, false
	}
	indent := lines.Column(l.Source, c.at)
	for o := l.Root; o != nil; {
		key, value := entryAfter(o, c.at)
		switch {
		case value == nil:
			return 0, 0, false
		case key.Start <= c.at: // the comment is inside
			o = value
		case o.Node.Style&yaml.FlowStyle != 0 || indent <= l.Column(o):
			return key.Start, max(key.End, value.End), true
		case key == value: // below the dash of an item, or between the dash and its content
			o = value
		default:
			return 0, 0, false
		}
	}
	return 0, 0, false
}

// entryAfter returns the first entry of a collection that does not end before an offset; of a list, the key is the item.
func entryAfter(o *Origin, at int) (key, value *Origin) {
	switch o.Node.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(o.Children); i += 2 {
			if key, value = o.Children[i], o.Children[i+1]; max(key.End, value.End) > at {
				return key, value
			}
		}
	case yaml.SequenceNode:
		for _, item := range o.Children {
			if item.End > at {
				return item, item
			}
		}
	}
	return nil, nil
}

// Header is the comments above the document's content and those that begin its file, a line each. It does not need the
// document's layout, which takes another reading of the text.
func (d *Document) Header() string {
	begin := d.File.begin()
	header := leadingComments(d.File.Source[begin:])
	if d.Start > begin {
		header += leadingComments(d.Text())
	}
	return header
}

// leadingComments are the lines of a text that are comments, up to the first that is neither one, nor blank, nor `---`.
func leadingComments(text []byte) string {
	var comments []byte
	for line := range bytes.Lines(text) {
		switch trimmed := bytes.TrimSpace(line); {
		case bytes.HasPrefix(trimmed, []byte("#")):
			comments = append(comments, line...)
		case len(trimmed) > 0 && string(trimmed) != "---":
			return string(comments)
		}
	}
	return string(comments)
}
