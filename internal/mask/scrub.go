package mask

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/crdlift/crdlift/internal/text"
)

// minWord is how long a hidden text is at least, in characters, for a message to be searched for it. Shorter ones are in every
// word; messages have them only by mistake, and no secret is as short.
const minWord = 4

// Scrub takes out of words about the object what is hidden of it. No rule says any of it; that a later one does must not matter.
func (m *Mask) Scrub(words string) string {
	if m == nil {
		return words
	}
	for _, word := range m.hiddenWords() {
		if len(word) <= len(words) {
			words = strings.ReplaceAll(words, word, Hidden)
		}
	}
	return words
}

// Args are the arguments of a message without what is hidden of the object.
func (m *Mask) Args(args []any) []any {
	if m == nil {
		return args
	}
	shown := slices.Clone(args)
	for i, arg := range args {
		switch arg := arg.(type) {
		case text.Text:
			if whole := m.Scrub(arg.String()); whole != arg.String() { // of which the brief text may have a part
				shown[i] = text.Value(whole)
			}
		case string:
			shown[i] = m.Scrub(arg)
		case fmt.Stringer, error, []string:
			shown[i] = m.Scrub(fmt.Sprint(arg))
		}
	}
	return shown
}

// hiddenWords are the hidden texts in the object, the longest first. What the CRD has as well is no secret.
func (m *Mask) hiddenWords() []string {
	if m.words != nil {
		return m.words
	}
	m.words = []string{}
	tree, _, err := m.object.Tree()
	if err != nil {
		return nil
	}
	add := func(whole string) {
		for line := range strings.Lines(whole) {
			line = strings.TrimSpace(line)
			if utf8.RuneCountInString(line) >= minWord && !bytes.Contains(m.known(), []byte(line)) {
				m.words = append(m.words, line)
			}
		}
	}
	m.root().walk(tree, func(name string) {
		if m.All {
			add(name)
		}
	}, func(p place, value any) {
		if _, is := value.(bool); !is && p.hides(value) {
			add(fmt.Sprint(value))
		}
	})
	slices.SortFunc(m.words, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	m.words = slices.Compact(m.words)
	return m.words
}
