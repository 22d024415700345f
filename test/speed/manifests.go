package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/crdlift/crdlift/internal/testing/specimen"
)

// writeFiles fills a new folder with as many files of one CRD each, and says how many bytes they have.
func writeFiles(dir string, count int, c specimen.CRD) (size int64, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return 0, err
	}
	for c.Number = range count {
		text := c.YAML()
		size += int64(len(text))
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%05d.yaml", c.Number)), []byte(text), 0o644); err != nil {
			return 0, err
		}
	}
	return size, nil
}

// writeDocuments writes a file of about that many bytes with many CRDs in it, each of about 20 KB, without holding it in
// memory; measure says why.
func writeDocuments(path, version string, size int64) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	for c := specimen.Sized(version, 0, 20_000); size > 0 && err == nil; c.Number++ {
		var written int
		written, err = f.WriteString("---\n" + c.YAML())
		size -= int64(written)
	}
	if failed := f.Close(); err == nil {
		err = failed
	}
	return err
}

// before is what a CRD was before a part was added to it.
func before(c specimen.CRD) specimen.CRD {
	c.Parts--
	return c
}
