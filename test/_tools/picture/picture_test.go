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

var update = flag.Bool("update", false, "draw the pictures anew")

// TestPictures keeps the pictures what the program prints. It is not parallel: they are taken in the repository's working
// directory and in an environment of their own.
func TestPictures(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	for _, p := range pictures {
		svg, err := p.draw(root)
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
		path := filepath.Join(root, p.path())
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
			t.Errorf("%s is not what crdlift prints; make picture draws it anew", p.path())
		}
	}
}
