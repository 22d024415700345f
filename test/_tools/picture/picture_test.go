package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

var update = flag.Bool("update", false, "draw the picture again")

// TestPicture keeps the picture what the program prints, with every rule's id in one piece. It is not parallel: the command is run in
// the folder of its files and in an environment of its own.
func TestPicture(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	screen, err := run(root)
	if err != nil {
		t.Fatal(err)
	}
	svg := draw(title, screen)
	for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	ids := regexp.MustCompile(`\[[a-z]+(-[a-z]+)+\]`).FindAllString(screen, -1)
	if len(ids) == 0 {
		t.Error("the picture has no rule")
	}
	for _, id := range ids {
		if !bytes.Contains(svg, []byte(id+"</text>")) {
			t.Errorf("the picture breaks %s", id)
		}
	}
	if *update {
		if err := os.WriteFile(filepath.Join(root, path), svg, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	drawn, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(bytes.ReplaceAll(drawn, []byte("\r\n"), []byte("\n")), svg) {
		t.Errorf("%s is not what crdlift prints; make picture draws it again", path)
	}
}
