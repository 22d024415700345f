package words

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestShelves bounds what users are given to read: README, the guides and the reference together, and what they read first.
// Every guide begins with a heading, and one sentence on what the reader can do with it.
func TestShelves(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	pages, err := filepath.Glob(filepath.Join(root, "docs", "[gr]*", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	begins := regexp.MustCompile("^# [^\\n]+\\n\\n(?:[\\pL[]|`[^`])[^#|]*?[.:]\\s")
	total := 0
	for _, page := range append(pages, filepath.Join(root, "README.md")) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		n := len(strings.Fields(string(text)))
		total += n
		if base := filepath.Base(page); (base == "first-steps.md" || base == "README.md") && n > 900 {
			t.Errorf("%s has %d words; 900 are enough for a first look, and for ten minutes", page, n)
		}
		if filepath.Base(filepath.Dir(page)) == "guides" && !begins.Match(text) {
			t.Errorf("%s does not begin with a heading and a sentence", page)
		}
	}
	if total > 26000 {
		t.Errorf("README, guides and reference have %d words; leave out what no user acts on, or move it to docs/internals: 26000 are the limit", total)
	}
}
