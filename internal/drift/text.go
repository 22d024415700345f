package drift

import (
	"strings"
	"unicode"

	"github.com/crdlift/crdlift/internal/crd"
)

// Texts compares descriptions in the schema of a version with comments in Go.
type Texts struct {
	root    *crd.Schema
	longest int // of the descriptions, in bytes; 0 until it is known
}

// TextsOf returns the Texts of a schema.
func TextsOf(root *crd.Schema) *Texts { return &Texts{root: root} }

// Differ reports whether the description of a schema was not made from a comment in Go as it is. Where one of them has no
// text there is nothing to compare: tools take descriptions out to make manifests smaller.
func (t *Texts) Differ(s *crd.Schema, declared string) bool {
	written := crd.StringAt(s.Node, "description")
	switch {
	case written == "" || declared == "" || written == declared:
		return false
	case strings.Contains(written, "TODO"), strings.Contains(written, "---"):
		return false // older versions of the generator wrote what comes after it, too
	case strings.Contains(written, "{{"):
		return false // as charts have to write the braces of a text
	}
	w, d := letters(written), letters(declared)
	switch {
	case strings.HasPrefix(w, d): // scripts add to descriptions, such as the version of an image
		return false
	case strings.HasPrefix(d, w): // the option crd:maxDescLen cuts them
		return len(declared) <= t.longestText()
	}
	return true
}

// longestText returns the length of the longest description in the manifest, which tells whether others may have been cut.
func (t *Texts) longestText() int {
	if t.longest == 0 {
		for s := range t.root.All() {
			t.longest = max(t.longest, len(crd.StringAt(s.Node, "description")))
		}
	}
	return t.longest
}

// letters returns the letters and digits of a text: versions of the generator differ in white space, and versions of gofmt
// in how they write lists and quotes.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text)
}
