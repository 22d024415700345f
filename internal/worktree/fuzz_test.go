package worktree

import (
	"path/filepath"
	"strings"
	"testing"
)

// FuzzIgnoreRules matches any rules with any path: they cannot fail, and the last word counts.
func FuzzIgnoreRules(f *testing.F) {
	f.Add("*.yaml\n!a.yaml\n# b\n\\#c\n", "a.yaml")
	f.Add("/a/**/b\n[[:alpha:]-\n{a,b}\n**\n", "a/x/b")
	f.Add("a\\\n \\ \n!\n/\n**/", "a\\/b ")
	f.Add(strings.Repeat("**/*a", 20)+"c", strings.Repeat("a/", 30))
	f.Fuzz(func(t *testing.T, text, path string) {
		base := t.TempDir()
		at := filepath.Join(base, filepath.FromSlash(path))
		if rel, err := filepath.Rel(base, at); err != nil || !filepath.IsLocal(rel) || rel == "." {
			return
		}
		for line, want := range map[string]bool{"*": true, "!*": false} {
			file := filepath.Join(base, "rules")
			write(t, file, text+"\n"+line)
			if got := readRules(file, base).ignored(at, false); got != want {
				t.Errorf("%q ignores %q: %v", text+"\n"+line, path, got)
			}
		}
	})
}
