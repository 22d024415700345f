package test

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// loaded is what a page loads from the site, with what is behind the question mark.
var loaded = regexp.MustCompile(`<(?:script|link rel="stylesheet"|ol)[^>]* (?:src|href|data-index)="([^"?]*)\??([^"]*)"`)

// TestNamedByContent looks whether what browsers cache is named by its content: pages name their style sheets, scripts and the index
// that is searched, and the script of the playground names its program.
func TestNamedByContent(t *testing.T) {
	t.Parallel()
	files(t)
	sum := func(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text)))[:12] }
	folder := filepath.Join(built, "playground")
	for page, parts := range map[string]int{"playground": 5, "search": 5, "rules/scope-invalid": 3} {
		all := loaded.FindAllStringSubmatch(read(t, filepath.Join(built, page, "index.html")), -1)
		if len(all) != parts {
			t.Errorf("%s loads %q", page, all)
		}
		for _, part := range all {
			if want := sum(read(t, filepath.Join(built, page, part[1]))); part[2] != want {
				t.Errorf("%s loads %s?%s, whose content is %s", page, part[1], part[2], want)
			}
		}
	}
	script := read(t, filepath.Join(folder, "main.js"))
	programs, err := filepath.Glob(filepath.Join(folder, "crdlift-*.bin"))
	if err != nil || len(programs) != 1 {
		t.Fatalf("the programs are %q, %v", programs, err)
	}
	name := "crdlift-" + sum(read(t, programs[0])) + ".bin"
	if filepath.Base(programs[0]) != name || !strings.Contains(script, `"`+name+`"`) {
		t.Errorf("the program is %s and its content's name is %s, which the script has to have", programs[0], name)
	}
}
