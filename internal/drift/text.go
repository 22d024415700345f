package drift

import (
	"strings"
	"unicode"
)

// textsDiffer reports whether the description in a manifest was not made from a comment in Go as it is. Where one of them
// has no text there is nothing to compare: tools take descriptions out to make manifests smaller. The longest description
// in the manifest, in bytes, tells whether it may have been cut.
func textsDiffer(written, declared string, longest func() int) bool {
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
		return len(declared) <= longest()
	}
	return true
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
