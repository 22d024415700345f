package lsp

import (
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"go.lsp.dev/protocol"
)

// FuzzPositions holds offsets, and the edits of a client, against the text as units of UTF-16, in which most clients count.
func FuzzPositions(f *testing.F) {
	f.Add("a\r\nbé💾\rc\n", uint32(1), uint32(2), uint32(1), uint32(9), "💾\n")
	f.Add("", uint32(0), uint32(0), uint32(1), uint32(0), "x")
	f.Add("\ufeffa\u2028b\u0085", uint32(0), uint32(3), uint32(0), uint32(4), "")
	f.Add("é\n"+strings.Repeat("añ世💾 x", blockSize/3)+"\nb", uint32(1), uint32(3*blockSize/2), uint32(2), uint32(1), "c")
	f.Add(strings.Repeat("a💾", blockSize), uint32(0), uint32(blockSize), uint32(0), uint32(2*blockSize), "")
	f.Fuzz(func(t *testing.T, text string, line, character, endLine, endCharacter uint32, more string) {
		if text = strings.ReplaceAll(text, "\x00", "0"); !utf8.ValidString(text) {
			t.Skip("no JSON holds it")
		}
		m := newMapper([]byte(text), protocol.PositionEncodingKindUTF16)
		for offset := range text {
			if offset > 0 && text[offset-1:offset+1] == "\r\n" {
				continue // the two are one end
			}
			if back, found := m.positionOffset(m.offsetPosition(offset)); !found || back != offset {
				t.Fatalf("%q: %d is at %v, which is %d", text, offset, m.offsetPosition(offset), back)
			}
		}
		e := &protocol.TextDocumentContentChangePartial{Text: more, Range: protocol.Range{
			Start: protocol.Position{Line: line, Character: character}, End: protocol.Position{Line: endLine, Character: endCharacter},
		}}
		got, err := m.edited(e)
		want, possible := edit(text, e)
		if (err == nil) != possible || possible && string(got.text) != want {
			t.Fatalf("%q with %v became %+v, %v, and not %q", text, e, got, err, want)
		}
	})
}

// edit is a text after an edit, found line by line and unit by unit.
func edit(text string, e *protocol.TextDocumentContentChangePartial) (after string, possible bool) {
	lines := strings.SplitAfter(strings.NewReplacer("\r\n", "\r\n\x00", "\n", "\n\x00", "\r", "\r\x00").Replace(text), "\x00")
	at := func(p protocol.Position) int {
		if int(p.Line) == len(lines) && p.Character == 0 {
			return len(text)
		}
		if int64(p.Line) >= int64(len(lines)) {
			return -1
		}
		offset := 0
		for _, line := range lines[:p.Line] {
			offset += len(strings.TrimSuffix(line, "\x00"))
		}
		units := uint32(0)
		for _, r := range strings.TrimRight(lines[p.Line], "\r\n\x00") {
			if units += uint32(max(1, utf16.RuneLen(r))); units > p.Character {
				break
			}
			offset += len(string(r))
		}
		return offset
	}
	start, end := at(e.Range.Start), at(e.Range.End)
	if start < 0 || end < start {
		return "", false
	}
	return text[:start] + e.Text + text[end:], true
}
