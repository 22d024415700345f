package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "draw docs/lint.svg anew")

// TestPicture keeps docs/lint.svg what the program prints. It is not parallel: the picture is taken in a working
// directory and an environment of its own.
func TestPicture(t *testing.T) {
	root := filepath.Join("..", "..")
	path := filepath.Join(root, "docs", "lint.svg")
	svg, err := picture(root)
	if err != nil {
		t.Fatal(err)
	}
	for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if *update {
		if err := os.WriteFile(path, svg, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	drawn, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(bytes.ReplaceAll(drawn, []byte("\r\n"), []byte("\n")), svg) {
		t.Error("docs/lint.svg is not what crdlift prints; make picture draws it anew")
	}
}
