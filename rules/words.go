package rules

import (
	"strings"

	"github.com/crdlift/crdlift/internal/wording"
)

// quoted, short and names are what messages quote: values of the user's, paths of fields, lists of names. Outputs for
// people cut them; all others have them whole.
func quoted(v any) wording.Text       { return wording.Quoted(v) }
func short(path string) wording.Text  { return wording.Path(path) }
func names(all []string) wording.Text { return wording.Names(all) }

// alternatives are two or more words, the last behind an "or".
func alternatives(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
