package rules

import (
	"strings"
	"testing"
)

// TestMessagesAreWhole wants nothing cut for programs: of the fixtures as they are, and with long values of many kinds,
// which the brief messages cut.
func TestMessagesAreWhole(t *testing.T) {
	t.Parallel()
	const ellipsis = "…"
	long := strings.Repeat("abcdefgh", 12)
	variants := []*strings.Replacer{
		strings.NewReplacer(),
		strings.NewReplacer("example.com", long+".example.com", "kind: ", "kind: "+long),
		strings.NewReplacer("spec:", long+":", ": string", ": string"+long, "enum: [", "enum: ["+long+", "),
		strings.NewReplacer("rule: \"", "rule: \""+long, "pattern: ", "pattern: "+long, "format: ", "format: "+long, "default: ", "default: "+long),
	}
	brief := map[string]bool{}
	for _, f := range fixtures(t) {
		for _, longer := range variants {
			src := longer.Replace(string(f.src))
			for _, finding := range f.linter(t).File(f.path, []byte(src)).Findings {
				if strings.Contains(finding.Message, ellipsis) && !strings.Contains(src, ellipsis) {
					t.Errorf("%s: %s: %s", f.path, finding.Rule.ID, finding.Message)
				}
				if strings.Contains(finding.Brief, ellipsis) {
					brief[finding.Rule.ID] = true
				}
			}
		}
	}
	if len(brief) < 10 {
		t.Errorf("messages of %d rules would be cut; there should be more to look at", len(brief))
	}
}
