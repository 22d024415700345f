package older

import (
	"bytes"
	"iter"
	"slices"

	"github.com/crdlift/crdlift/internal/xrd"
)

// mayHold reports whether a text may hold a CRD, or an object that was meant to be one.
func mayHold(text []byte) bool {
	return xrd.MayHold(text) || isVeiled(text)
}

// veils are what hides a name: escapes, a line that goes on in the next, base64, and what Crossplane makes a name of.
var veils = [][]byte{[]byte(`\x`), []byte(`\u`), []byte(`\U`), []byte("\\\n"), []byte("\\\r"), []byte("!!binary"), []byte("tag:yaml.org,2002:"), claims}

var claims = []byte("claimNames")

// isVeiled reports whether a text may have names, and the kind, in an escaped form.
func isVeiled(text []byte) bool {
	return slices.ContainsFunc(veils, func(v []byte) bool { return bytes.Contains(text, v) })
}

// mentions reports whether a text may hold a CRD of a name. A name that no API server would take may be written in ways that
// are not recognised.
func mentions(text []byte, name string) bool {
	return !isName(name) || bytes.Contains(text, []byte(name)) || isVeiled(text)
}

// names are the parts of a text that could be the name of a CRD, as isName has it, without punctuation of the sentence
// around it, or of the list item that begins with it.
func names(text []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for start := 0; start < len(text); {
			if !isNameByte(text[start]) {
				start++
				continue
			}
			end, dotted := start, false
			for ; end < len(text) && isNameByte(text[end]); end++ {
				dotted = dotted || text[end] == '.'
			}
			word := text[start:end]
			start = end
			if !dotted { // as hardly any word is
				continue
			}
			if name := bytes.Trim(word, ".-"); len(name) > 2 && !yield(name) {
				return
			}
		}
	}
}

// isName reports whether names finds a name wherever it is written plainly.
func isName(name string) bool {
	for found := range names([]byte(name)) {
		return string(found) == name
	}
	return false
}

func isNameByte(b byte) bool {
	return 'a' <= b && b <= 'z' || '0' <= b && b <= '9' || b == '-' || b == '.'
}
