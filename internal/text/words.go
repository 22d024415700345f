// Package text has the words that messages for people share: counts, suggestions for misspelt words, values cut to a
// length, and the escapes that make text harmless to terminals.
//
// Read words.go first, which has every limit at which values are cut. spelling.go and harmless.go are independent. Outputs for programs are never cut.
package text

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Count is a number with its noun, which takes an s unless the number is one: "1 file", "0 files".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Verb is the form of a verb that goes with a number: "1 does", "2 do".
func Verb(n int, singular, plural string) string {
	if n == 1 {
		return singular
	}
	return plural
}

// More is a text with a number of further things in it, such as " (and %d more)"; "" for nothing.
func More(n int, format string) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(format, n)
}

// Separate are the errors that were joined into one, such as those of several documents; nil for no error.
func Separate(err error) []error {
	if joined, is := err.(interface{ Unwrap() []error }); is {
		return joined.Unwrap()
	}
	if err == nil {
		return nil
	}
	return []error{err}
}

// And lists items: "a, b and c".
func And(items []string) string { return list(items, " and ") }

// Or lists alternatives: "a, b or c".
func Or(items []string) string { return list(items, " or ") }

func list(items []string, word string) string {
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	last := len(items) - 1
	return strings.Join(items[:last], ", ") + word + items[last]
}

// Capital begins a text with a capital letter.
func Capital(s string) string {
	_, size := utf8.DecodeRuneInString(s)
	return strings.ToUpper(s[:size]) + s[size:]
}

// OneLine folds white space, so that a text never spans lines.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

const ellipsis = "…"

// cut is OneLine, of a longer text as many characters as the limit: up to the end of a word, if one ends near there, and
// an ellipsis.
func cut(s string, limit int) string {
	s = OneLine(s)
	runes := []rune(s)
	if len(runes) <= limit {
		return s
	}
	kept := string(runes[:limit-1])
	if end := strings.LastIndexByte(kept, ' '); runes[limit-1] != ' ' && end > len(kept)*2/3 {
		kept = kept[:end]
	}
	return strings.TrimRight(kept, " ") + ellipsis
}

// A Text is a text in two lengths: whole for programs, and brief for a line that people read, in which foreign values
// are cut. The words about them are never cut.
type Text struct{ whole, brief string }

// String returns the whole text.
func (t Text) String() string { return t.whole }

// Brief returns the text with the values in it cut.
func (t Text) Brief() string { return t.brief }

// How many characters of a value a brief text has.
const (
	maxQuoted  = 60
	maxValue   = 40
	maxPath    = 50
	maxForeign = 60
	maxReason  = 240 // of somebody else's words where they are all there is to say
	maxNames   = 72  // of all names together; one alone is cut like a value
	fewNames   = 4

	maxDescription = 200 // of the first sentence about a field
	maxDigits      = 12  // of the name of a commit
)

// Sprintf is fmt.Sprintf. Arguments that are Texts are whole in the whole text and brief in the brief one.
func Sprintf(format string, args ...any) Text {
	whole := fmt.Sprintf(format, args...)
	var briefs []any
	for i, arg := range args {
		if t, ok := arg.(Text); ok && t.brief != t.whole {
			if briefs == nil {
				briefs = append(briefs, args...)
			}
			briefs[i] = t.brief
		}
	}
	if briefs == nil {
		return Text{whole, whole}
	}
	return Text{whole, fmt.Sprintf(format, briefs...)}
}

// brief is a value cut at a limit; one that is short enough stays as it is.
func brief(s string, limit int) string {
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	return cut(s, limit)
}

// Description is what somebody says about a field, in a text that lists many.
func Description(s string) string { return cut(s, maxDescription) }

// wholeHash is the name of a commit, written out: SHA-1 or SHA-256.
var wholeHash = Pattern(`^[0-9a-f]{40}(?:[0-9a-f]{24})?$`)

// Revision is a revision as messages have it. A commit that is written out, as programs do it, says no more to people than
// its first digits.
func Revision(revision string) string {
	if wholeHash().MatchString(revision) {
		return revision[:maxDigits]
	}
	return revision
}

// Quoted is a value of the user's in quotes.
func Quoted(v any) Text {
	s := fmt.Sprint(v)
	return Text{strconv.Quote(s), strconv.Quote(brief(s, maxQuoted))}
}

// Value is a value of the user's without quotes: a number, JSON, a word.
func Value(v any) Text {
	s := fmt.Sprint(v)
	return Text{s, brief(s, maxValue)}
}

// Foreign is what somebody else says about a value, such as the API server.
func Foreign(s string) Text { return Text{s, brief(s, maxForeign)} }

// Reason returns the text of a foreign error message, such as the reason of a rejection, in one line.
func Reason(s string) Text {
	s = OneLine(s)
	return Text{s, brief(s, maxReason)}
}

// Path is the path of a field. The end of one that is long says more than its beginning.
func Path(path string) Text {
	r := []rune(path)
	if len(r) <= maxPath {
		return Text{path, path}
	}
	tail := string(r[len(r)-maxPath+1:])
	if i := strings.IndexByte(tail, '.'); i >= 0 && i < maxPath/2 {
		tail = tail[i:]
	}
	return Text{path, ellipsis + tail}
}

// Names lists names, of many in the brief text as many as fit a message.
func Names(all []string) Text {
	brief, length := []string{}, 0
	for i, name := range all {
		name = cut(name, maxValue)
		if length += len([]rune(name)) + len(", "); i > 0 && (length > maxNames || i == fewNames) {
			break
		}
		brief = append(brief, name)
	}
	text := Text{strings.Join(all, ", "), strings.Join(brief, ", ")}
	if more := len(all) - len(brief); more > 0 {
		text.brief += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// Apart are two values that differ. In the brief texts, those that begin alike are shown from where they part.
func Apart(before, now string) (Text, Text) {
	a, b := Value(before), Value(now)
	if a.brief != b.brief {
		return a, b
	}
	x, y := []rune(before), []rune(now)
	alike := 0
	for alike < min(len(x), len(y)) && x[alike] == y[alike] {
		alike++
	}
	from := max(alike-8, 0) // a little of the common text shows the place
	return Text{before, ellipsis + brief(string(x[from:]), maxValue)}, Text{now, ellipsis + brief(string(y[from:]), maxValue)}
}
