package drift

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/crdlift/crdlift/internal/crd"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// values are those of a keyword that differ, in the form in which they are compared: "" for none.
type values struct{ keyword, declared, written string }

// plain returns the values as people read them; "" for both where one is not a single one.
func (v values) plain() (declared, written string) {
	for _, one := range []string{v.declared, v.written} {
		if strings.ContainsAny(one, unclear+"\n") {
			return "", ""
		}
	}
	return v.declared, v.written
}

// unclear is a value that is not compared with others. It differs from none.
const unclear = "\x00"

// typed is a string in a form that neither a number has nor what is not there.
func typed(text string) string {
	if _, err := strconv.ParseFloat(text, 64); err == nil || text == "" {
		return strconv.Quote(text)
	}
	return text
}

// formOf returns what a marker says in a form in which it can be compared with that of a manifest: "" for nothing and false.
// It is not ok for what is not sure, and for values of another form.
func formOf(value any, ok bool) (string, bool) {
	switch v := value.(type) {
	case nil:
		return "", ok
	case bool:
		if v {
			return "true", ok
		}
		return "", ok
	case string:
		return numeral(v), ok
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64), ok
	case []any:
		var all []string
		for _, one := range v {
			text, plain := one.(string)
			all, ok = append(all, numeral(text)), ok && plain
		}
		return joined(all), ok
	}
	return "", false
}

// joined is a list in the form in which it can be compared: in any order.
func joined(all []string) string {
	slices.Sort(all)
	return strings.Join(slices.Compact(all), "\n")
}

// numeral is a number in one form of several, and any other text as it is.
func numeral(text string) string {
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		return strconv.FormatFloat(n, 'g', -1, 64)
	}
	return text
}

// written is the value of a manifest in the form of formOf: of mappings in a list, the members of a name. A value that
// has no such form is not ok.
func written(n *yaml.Node, member string) (value string, ok bool) {
	if n = crd.Deref(n); n == nil {
		return "", true
	}
	switch n.Kind {
	case yaml.ScalarNode:
		return numeral(n.Value), n.Tag != yaml.NodeTagNull
	case yaml.SequenceNode:
		var all []string
		for _, item := range crd.Items(n) {
			item = crd.Deref(item)
			if member != "" {
				item = crd.Deref(crd.Get(item, member))
			}
			if item == nil || item.Kind != yaml.ScalarNode || item.Tag == yaml.NodeTagNull {
				return "", false
			}
			text := item.Value
			if member == "" {
				text = numeral(text)
			}
			all = append(all, text)
		}
		return joined(all), len(all) > 0
	}
	return "", false
}

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
	written := s.Text("description")
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
			t.longest = max(t.longest, len(s.Text("description")))
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
