package rules

import (
	"strings"

	"github.com/crdlift/crdlift/internal/text"
)

// quoted, short and names are what messages quote: values of the user's, paths of fields, lists of names. Outputs for
// people cut them; all others have them whole.
func quoted(v any) text.Text       { return text.Quoted(v) }
func short(path string) text.Text  { return text.Path(path) }
func names(all []string) text.Text { return text.Names(all) }

// alternatives are two or more words, the last behind an "or".
func alternatives(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
