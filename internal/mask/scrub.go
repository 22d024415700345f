package mask

import (
	"bytes"
	"fmt"
	"maps"
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

// walk visits the scalars of a value and the names of entries that are data, in an order that is always the same.
func (p place) walk(value any, name func(string), scalar func(place, any)) {
	switch value := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			below, declared := p.entry(value, key)
			if !declared && p.isMap() || p.isClosed() {
				name(key)
			}
			below.walk(value[key], name, scalar)
		}
	case []any:
		for _, item := range value {
			p.item().walk(item, name, scalar)
		}
	default:
		scalar(p, value)
	}
}

// entry is the place of an entry of a mapping: what the other entries say of it counts as well.
func (p place) entry(m map[string]any, key string) (below place, declared bool) {
	below, declared = p.member(key)
	below.secret = below.secret || p.kind != aMetadata && saysSecret(func(name string) string { text, _ := m[name].(string); return text }, key)
	return below, declared
}

// saysSecret reports whether a mapping says that its entry of a name is secret: the data of a Secret, or the value of a pair
// whose name is that of something secret, as in a container's environment.
func saysSecret(text func(name string) string, key string) bool {
	switch key {
	case "data", "stringData":
		return text("kind") == "Secret"
	case "value":
		return isSecret(text("name")) || isSecret(text("key"))
	}
	return false
}
