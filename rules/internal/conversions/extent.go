package conversions

import (
	"strings"
	"unicode/utf8"

	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/webhook"
	"github.com/crdlift/crdlift/rules/internal/words"
)

// metadataWay is the conversion that loses metadata: one that has it no more, or that and the way back.
func metadataWay(f *webhook.Finding) text.Text {
	return text.Sprintf("%s%s", way(f), when(f.Back, " → %s", text.Value(f.Pair.From)))
}

// manyItems is how many items a list has at least of which it may be the length that shows a finding.
const manyItems = 5

// counted says how many objects show a finding, of those that could.
func counted(f *webhook.Finding) text.Text {
	last := len(f.Path) - 1
	switch {
	case f.Seen == 0:
		return text.Text{}
	case f.Shown == f.Seen && f.Seen > 1 && (last < 0 || !f.Path[last].IsIndex()):
		return text.Sprintf(" (in all %d converted objects with it)", f.Seen)
	case last < 0 || !f.Path[last].IsIndex():
		return text.Sprintf(" (in %d of the %s with it)", f.Shown, text.Count(f.Seen, "converted object"))
	}
	value, _ := f.Path[:last].In(f.Object)
	list, _ := value.([]any)
	return text.Sprintf(" (in %d of the %s with items in %s%s)", f.Shown, text.Count(f.Seen, "converted object"), text.Path(f.Path[:last].Field()),
		when(len(list) >= manyItems, "; the shortest such list that was found has %d", len(list)))
}

// fromTo says what one value became.
func fromTo(f *webhook.Finding) text.Text {
	before, _ := f.Was.(string)
	now, _ := f.Is.(string)
	if n := utf8.RuneCountInString(before); n > longText && len(now) > 0 && len(now) < len(before) && strings.HasPrefix(before, now) {
		return text.Sprintf(" from %d to %s", n, text.Count(utf8.RuneCountInString(now), "character"))
	}
	was, is := text.Apart(words.JSONOf(f.Was), words.JSONOf(f.Is))
	return text.Sprintf(" from %s to %s", was, is)
}

// longText is how many characters a text has of which it is the number that tells what became of it.
const longText = 32
