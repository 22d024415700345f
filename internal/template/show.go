package template

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

// Mentions reports whether a text has something that stands for an action; nothing does where there is no mask.
func (m *MaskedTemplate) Mentions(text string) bool {
	if m == nil {
		return false
	}
	for range m.Codes([]byte(text)) {
		return true
	}
	return false
}

// Show is a text that was made of the masked one, with the actions in it as they are written. It is for messages: where only a
// part of what stands for an action is in the text, the whole action takes its place.
func (m *MaskedTemplate) Show(text string) string {
	src := []byte(text)
	var out bytes.Buffer
	at := 0
	for code, units := range m.Codes(src) {
		if code < at {
			continue
		}
		u, begin, end := m.find(src, code, units)
		if u == nil || begin < at {
			u, begin, end = units[0], code, code+codeLength
			for end < len(src) && src[end] == 'z' {
				end++
			}
		}
		out.Write(src[at:begin])
		out.WriteString(oneLine(m.Source[u.Start:u.End]))
		at = end
	}
	out.Write(src[at:])
	return out.String()
}

// Shown is the source of a masked text that may have changed, for excerpts: with the same lines and columns.
func (m *MaskedTemplate) Shown(text []byte) []byte {
	if bytes.Equal(text, m.Text) {
		return []byte(m.Source)
	}
	if shown, err := m.restore(text); err == nil && len(shown) == len(text) {
		return shown
	}
	return text
}

// Lines are lines of the manifest that actions print.
type Lines struct {
	At     int // offset of the actions in the file
	Column int // of the lines, in bytes
}

// Entries finds the actions in a part of the masked text that begins at an offset which print whole lines.
func (m *MaskedTemplate) Entries(text []byte, offset int) (all []Lines) {
	for at, units := range m.Codes(text) {
		u := units[0]
		if !u.Prints || !u.OwnLine || u.branch {
			continue
		}
		start := bytes.LastIndexByte(text[:at], '\n') + 1
		column := at - 1 - start
		if n := indents().FindStringSubmatch(m.Source[u.Start:u.End]); n != nil {
			if said, err := strconv.Atoi(n[1]); err == nil {
				column = said
			}
		}
		all = append(all, Lines{offset + at, column})
	}
	return all
}

// Printed is the first action with output that stands in a part of a text made of the masked one, with its offset there; "" without
// one.
func (m *MaskedTemplate) Printed(text []byte) (action string, at int) {
	for at, units := range m.Codes(text) {
		if u := units[0]; u.Prints && !u.branch {
			return oneLine(m.Source[u.Start:u.End]), at
		}
	}
	return "", 0
}

// Around are the blocks that an offset of the source is in, from the outermost.
func (t *Template) Around(at int) (all []*Block) {
	for _, b := range t.Blocks {
		if t.Actions[b.Branches[0].Action].End <= at && at < t.Actions[b.End].Start {
			all = append(all, b)
		}
	}
	return all
}

// AsksServer reports whether what stands at an offset of the source depends on what the server says of itself; nothing does where
// there is no mask.
func (m *MaskedTemplate) AsksServer(at int) bool {
	return m != nil && slices.ContainsFunc(m.Around(at), func(b *Block) bool {
		return slices.ContainsFunc(b.Branches, func(branch Branch) bool { return strings.Contains(branch.Condition, ".Capabilities.") })
	})
}

// Begins is the action that begins a block, and its line.
func (t *Template) Begins(b *Block) (action string, line int) {
	a := t.Actions[b.Branches[0].Action]
	return oneLine(t.Source[a.Start:a.End]), 1 + strings.Count(t.Source[:a.Start], "\n")
}
