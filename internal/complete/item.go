// Package complete knows what may be written at a place of a manifest, and what to say about what is written there: text and an
// offset in, items and notes out. It knows the schemas of CRDs, and no protocol.
package complete

import (
	"cmp"
	"slices"
	"strings"
)

// A Kind is what an item is, for the icon that an editor shows.
type Kind int

// The kinds of items.
const (
	Field   Kind = iota // a key of an object
	Keyword             // a key of a schema
	Value               // a value
	Choice              // one of several values
	Type                // an apiVersion or a kind
	Marker              // a comment that controller-gen reads
)

// An Item is what may be written at a place.
type Item struct {
	Label      string // what it is found by
	Kind       Kind
	Start, End int    // of the text that it replaces, as offsets
	Insert     string // the text in its place
	Snippet    string // Insert with places for the cursor, ${1} and on, in the words of the language server protocol; "" for none
	Detail     string // its type, on one line; "" for none
	Doc        string // Markdown; "" for none
	Rank       int    // lower ones come first; those of one rank by their labels
	Deprecated bool
}

// A Note is what is said about a part of a text.
type Note struct {
	Start, End int    // of the part, as offsets
	Text       string // Markdown
}

// Sorted are items in the order in which a client shows them.
func Sorted(items []Item) []Item {
	return slices.SortedStableFunc(slices.Values(items), func(a, b Item) int {
		return cmp.Or(cmp.Compare(a.Rank, b.Rank), strings.Compare(a.Label, b.Label))
	})
}
