package behaviour

import (
	"regexp"

	"github.com/crdlift/crdlift/internal/compare"
)

// matching is a string of at least min and at most max characters (max < 0: any number) that matches the pattern, or
// false when none is found quickly.
func matching(pattern string, min, max int) (string, bool) {
	compiled, err := regexp.Compile(pattern)
	if err != nil {
		return "", false
	}
	least := int64(min)
	for _, text := range compare.Spellings(pattern, &least) {
		for len(text) < min && compiled.MatchString(text+"a") {
			text += "a"
		}
		if len(text) >= min && (max < 0 || len(text) <= max) {
			return text, true
		}
	}
	return "", false
}
