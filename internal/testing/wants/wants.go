// Package wants is about the comments of fixtures that say what is reported. rules/fixtures_test.go describes them.
package wants

import "strings"

// Found begins lines that say what a test of a conversion found, for the rules about that.
const Found = "# found: "

// Without is a fixture without its expectations: what readers of a rule's page see.
func Without(src []byte) []byte {
	var out strings.Builder
	for line := range strings.Lines(string(src)) {
		before, _, ok := strings.Cut(line, "# want")
		switch {
		case strings.HasPrefix(line, Found):
		case !ok:
			out.WriteString(line)
		case strings.TrimSpace(before) != "":
			out.WriteString(strings.TrimRight(before, " ") + "\n")
		}
	}
	return []byte(out.String())
}
