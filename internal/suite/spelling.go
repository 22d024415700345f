package suite

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/crdlift/crdlift/internal/text"
)

// A spelling is something that the server's errors say in other words in some releases.
type spelling struct {
	releases string                // which say it so
	about    string                // what it is
	old      func() *regexp.Regexp // it, in an expected text or in the newest release's words
	now      string                // what both become
}

// spellings are in the order in which they are applied.
var spellings = []spelling{
	{"before 1.32", "the length that a text may have", text.Pattern(`Too long: may not be (longer|more) than (\d+)( bytes)?`), "Too long: $2"},
	{"1.25 to 1.36", "the type, and not the value, of what a rule or a type is about", text.Pattern(`Invalid value: ("([^"\\]|\\.)*"|-?\d[\w.+-]*|true|false|null|[\[{].*?[\]}])(: |$)`), "Invalid value: "},
	{"1.25 to 1.36", "the same, where the text begins with it", text.Pattern(`^"(string|object|array|number|integer|boolean|null)": `), ""},
	{"1.25 to 1.36", "the type of a number that has a format", text.Pattern(`must be of type int(32|64)`), "must be of type integer"},
	{"1.25 to 1.36", "the type of the number that is there", text.Pattern(`(must be of type \w+): "float64"`), `$1: "number"`},
	{"before 1.34", "an object as Go writes it", text.Pattern(`map\[string\]interface \{\}|\[\]interface \{\}`), ""},
	{"any", "white space", text.Pattern(`\s+`), ""},
}

func spelled(text string) string {
	for _, s := range spellings {
		text = s.old().ReplaceAllString(text, s.now)
	}
	return text
}

// nextCause is where another cause begins in a text, with its path and kind, or the notice that rules did not run.
var nextCause = text.Pattern(`, (?:[\w<][^ ,]*: (?:Invalid value|Required value|Unsupported value|Duplicate value|Too long|Too many|Too few|Forbidden|Not found)|<nil>:?$)`)

// head is what the server says of the object before the causes, or the end of it.
var head = text.Pattern(`^(([A-Z]\w*(\.[\w.-]+)? "[^"]*" )?is )?invalid: `)

// ofSeveral is where a list of causes begins.
var ofSeveral = text.Pattern(`^\[[^\d]`)

// pieces are the parts of an expected text that one cause has each. A text of several causes is not looked for as a whole, as their
// order is that of the server's maps.
func pieces(text string) (all []string) {
	text = strings.TrimPrefix(text, head().FindString(text))
	if ofSeveral().MatchString(text) {
		text = text[1:]
	}
	text = strings.TrimSuffix(text, ",")
	if strings.Count(text, "[") < strings.Count(text, "]") {
		text = strings.TrimSuffix(text, "]")
	}
	for text != "" {
		end := len(text)
		if next := nextCause().FindStringIndex(text); next != nil {
			end = next[0]
		}
		all = append(all, text[:end])
		text = strings.TrimPrefix(text[end:], ", ")
	}
	return all
}

// compareText compares a rejection with a text that the server's error is to have in it, in the words of whichever release.
func (r *run) compareText(x *Exchange, want *Want) {
	causes := x.Outcome.Causes
	message := x.Outcome.Message()
	missing := ""
	if begins := head().FindString(want.WholeText); !strings.Contains(message, begins) {
		missing = begins
	}
	for _, piece := range pieces(want.WholeText) {
		fits := []int{}
		for i, c := range causes {
			if strings.Contains(c.Text(), piece) || strings.Contains(spelled(c.Text()), spelled(piece)) {
				fits = append(fits, i)
			}
		}
		x.Named = append(x.Named, fits)
		if len(fits) == 0 {
			missing = cmp.Or(missing, piece)
		}
	}
	if missing != "" && !strings.Contains(message, want.WholeText) {
		r.fail(Failure{Kind: WrongCause, At: want.At, Exchange: x, Causes: causes, Expected: &Expected{At: want.At, Text: missing}})
	}
}
