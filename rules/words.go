package rules

import (
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/text"
)

// fieldName is what a schema describes, in a message: the field as users of the custom resource know it. Long paths lose
// their beginning.
func fieldName(s *crd.Schema) text.Text {
	if s == nil {
		return text.Sprintf("the schema")
	}
	path := s.FieldPath()
	if path == "" {
		return text.Sprintf("the root")
	}
	return text.Path(path)
}

const (
	wantLabel = "use at most 63 lower-case letters, digits and -, beginning with a letter"

	wantKindLabel = "use at most 63 letters, digits and -, beginning with a letter"
)

// article puts the indefinite article in front of a type.
func article(typ string) string {
	if strings.ContainsRune("aeiou", rune(typ[0])) {
		return "an " + typ
	}
	return "a " + typ
}

// andMore says how many errors about the same default are not told.
func andMore(n int) string {
	if n == 0 {
		return ""
	}
	return " (and " + text.Count(n, "more error") + ")"
}

// atInner is a way into a default in a message.
func atInner(inner string) text.Text {
	if inner == "" {
		return text.Text{}
	}
	return text.Sprintf(" at %s", text.Path(inner))
}
