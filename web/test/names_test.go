package test

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestNamedByContent looks whether what browsers cache is named by its content: the page names its script, the script its program.
func TestNamedByContent(t *testing.T) {
	t.Parallel()
	files(t)
	sum := func(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text)))[:12] }
	folder := filepath.Join(built, "playground")
	script := read(t, filepath.Join(folder, "main.js"))
	if page := read(t, filepath.Join(folder, "index.html")); !strings.Contains(page, `src="../playground/main.js?`+sum(script)+`"`) {
		t.Errorf("the page does not name the script by its content, %s", sum(script))
	}
	programs, err := filepath.Glob(filepath.Join(folder, "crdlift-*.bin"))
	if err != nil || len(programs) != 1 {
		t.Fatalf("the programs are %q, %v", programs, err)
	}
	name := "crdlift-" + sum(read(t, programs[0])) + ".bin"
	if filepath.Base(programs[0]) != name || !strings.Contains(script, `"`+name+`"`) {
		t.Errorf("the program is %s and its content's name is %s, which the script has to have", programs[0], name)
	}
}
