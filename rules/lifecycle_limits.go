package rules

import (
	"github.com/crdlift/crdlift/internal/compare"
	"github.com/crdlift/crdlift/internal/text"
)

// A maximum or minimum may be none of the values itself, which another keyword says. Such a limit is told as a sentence.

// inWords reports whether a change is told as a sentence of its own.
func inWords(c *compare.Change) bool {
	_, _, words := c.Limits()
	return words
}

// mustBe says in words which limit a change draws.
func mustBe(c *compare.Change) text.Text {
	was, is, _ := c.Limits()
	if was == "" {
		return text.Sprintf("must now be %s", is)
	}
	return text.Sprintf("must now be %s (was %s)", is, was)
}

// outsideExclusive names the values beyond a limit that is none of the values itself; "" where that needs an example.
func outsideExclusive(c *compare.Change) string {
	limit, limited := asMap(c.New)[c.Field].(float64)
	switch {
	case !limited || len(asMap(c.New)) < 2:
		return ""
	case c.Field == "maximum":
		return "values of " + jsonOf(limit) + " and more"
	}
	return "values of " + jsonOf(limit) + " and less"
}

// asMap is a value that is a map or nil.
func asMap(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}
