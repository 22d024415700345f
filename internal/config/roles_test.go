package config

import (
	"testing"

	"github.com/bmatcuk/doublestar/v4"
)

// TestLiteral: the glob matches the path that it is made of, and not what that would match as a glob.
func TestLiteral(t *testing.T) {
	t.Parallel()
	for path, other := range map[string]string{"a/b.yaml": "", "a*b": "axb", "a?": "ax", "[a]": "a", "{a,b}": "a", "}": "", `a\b`: "ab", "[": "", "a b": ""} {
		glob := Literal(path)
		if !doublestar.ValidatePattern(glob) || !MatchFile(glob, path) {
			t.Errorf("%s does not match %s", glob, path)
		}
		if other != "" && MatchFile(glob, other) {
			t.Errorf("%s matches %s", glob, other)
		}
	}
}
