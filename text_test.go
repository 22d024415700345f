package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestWidths keeps the limits at which texts are cut in one place, internal/text: no format verb has one of its own.
func TestWidths(t *testing.T) {
	width := regexp.MustCompile(`%[-+# 0-9]*\.[0-9*]+[qsvxX]`)
	files := 0
	for _, dir := range []string{"convert", "internal", "lint", "rules"} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && (d.Name() == "testdata" || d.Name() == "testing"):
				return filepath.SkipDir
			case filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go"):
				return nil
			}
			files++
			src, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for _, verb := range width.FindAllString(string(src), -1) {
				t.Errorf("%s cuts what it prints at a width of its own, %s; use internal/text", path, verb)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 100 {
		t.Errorf("only %d files were looked at", files)
	}
}
