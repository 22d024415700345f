package rules

import (
	"strings"
	"testing"
)

// foundPrefix begins lines that say what a test of a conversion found, for the rules about that.
const foundPrefix = "# found: "

// withoutWants is a fixture without its expectations: what readers of a rule's page see.
func withoutWants(src []byte) []byte {
	var out strings.Builder
	for line := range strings.Lines(string(src)) {
		before, _, ok := strings.Cut(line, "# want")
		switch {
		case strings.HasPrefix(line, foundPrefix):
		case !ok:
			out.WriteString(line)
		case strings.TrimSpace(before) != "":
			out.WriteString(strings.TrimRight(before, " ") + "\n")
		}
	}
	return []byte(out.String())
}

func TestWithoutWants(t *testing.T) {
	t.Parallel()
	const src = "# found: {rule: x}\n# a comment\nscope: namespaced # want scope-invalid:8 \"unknown\"\n  # want-next x:1\nkind: A\n"
	if got, want := string(withoutWants([]byte(src))), "# a comment\nscope: namespaced\nkind: A\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
