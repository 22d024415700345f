package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestConsole runs what follows a $ on the pages, which show all that it prints, or its beginning and "...".
func TestConsole(t *testing.T) {
	t.Parallel()
	console := regexp.MustCompile("(?ms)^```console\n(.*?)^```$")
	for _, name := range []string{"testing.md", "helm.md", "crossplane.md", "schemas.md"} {
		page := filepath.Join("docs", "guides", name)
		for _, m := range console.FindAllStringSubmatch(read(t, page), -1) {
			dir := scratch(t)
			for said := range strings.SplitSeq(strings.TrimPrefix("\n"+m[1], "\n$ "), "\n$ ") {
				command, want, _ := strings.Cut(said, "\n")
				got := run(t, dir, page, command)
				beginning, cut := strings.CutSuffix(strings.TrimSuffix(want, "\n"), "\n...")
				if got = strings.TrimSuffix(got, "\n"); got != beginning && !(cut && strings.HasPrefix(got, beginning+"\n")) {
					t.Errorf("%s: %s prints\n%s", page, command, got)
				}
			}
		}
	}
}
