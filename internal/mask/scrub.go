package mask

import (
	"bytes"
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
	hidden := m.hiddenWords()
	var out strings.Builder
	end := 0 // of what is hidden, or written
	for i := range words {
		for _, n := range hidden.lengths {
			if i+n <= len(words) && i+n > end && hidden.all[words[i:i+n]] {
				if i >= end {
					out.WriteString(words[end:i] + Hidden)
				}
				end = i + n
				break
			}
		}
	}
	return out.String() + words[end:]
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

// hiddenWords are hidden texts. An object may have as many as it has values, so that words about it are not searched for each.
type hiddenWords struct {
	all     map[string]bool
	lengths []int // of all, the longest first
}

// hiddenWords are those in the object. What the CRD has as well is no secret.
func (m *Mask) hiddenWords() *hiddenWords {
	if m.words != nil {
		return m.words
	}
	m.words = &hiddenWords{all: map[string]bool{}}
	tree, _, err := m.object.Tree()
	if err != nil {
		return m.words
	}
	add := func(whole string) {
		for line := range strings.Lines(whole) {
			line = strings.TrimSpace(line)
			if utf8.RuneCountInString(line) >= minWord && !bytes.Contains(m.known(), []byte(line)) {
				m.words.all[line] = true
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
	for word := range m.words.all {
		m.words.lengths = append(m.words.lengths, len(word))
	}
	slices.Sort(m.words.lengths)
	m.words.lengths = slices.Compact(m.words.lengths)
	slices.Reverse(m.words.lengths)
	return m.words
}
