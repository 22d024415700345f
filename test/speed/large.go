package main

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// largest is how many files the contest "large" takes.
const largest = 106

// large has linters look at the largest CRDs of the corpus.
func (b *bench) large() (string, error) {
	if b.v1 == "" {
		return noCorpus, nil
	}
	files, err := single(b.v1)
	if err != nil {
		return "", err
	}
	files = files[:min(largest, len(files))]
	dir := filepath.Join(b.dir, "large")
	for i, f := range files {
		if err := copyFile(filepath.Join(dir, fmt.Sprintf("%03d.yaml", i)), f.path); err != nil {
			return "", err
		}
	}
	f, err := survey(dir)
	if err != nil {
		return "", err
	}
	return b.hold(heat{
		on: ", large CRDs", subject: subject{path: f.path}, peers: linters, show: comparison,
		caption: fmt.Sprintf("%s, of %s to %s each", f.caption(), megabytes(files[len(files)-1].size), megabytes(files[0].size)),
		rows: slices.Concat(b.parse(f.path), b.judge(f.path), []contestant{
			b.linting("judges as the API server does, and runs the recommended rules", f.path)}),
		goals: belowKubeconform,
	})
}

// A sized is a file and its size.
type sized struct {
	path string
	size int64
}

// single lists the YAML files below a folder that hold one document, a CustomResourceDefinition, and nothing else. The
// largest come first, and those of one size by their paths.
func single(dir string) (files []sized, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if ext := filepath.Ext(path); err != nil || !d.Type().IsRegular() || ext != ".yaml" && ext != ".yml" {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		one, err := isSingle(f)
		if err != nil || !one {
			return err
		}
		info, err := f.Stat()
		files = append(files, sized{path, info.Size()})
		return err
	})
	slices.SortFunc(files, func(a, b sized) int { return cmp.Or(cmp.Compare(b.size, a.size), strings.Compare(a.path, b.path)) })
	return files, err
}

// isSingle goes by the lines that begin at the margin, where all that is of interest stands in YAML of the block style. A
// parser would hold a file in memory; run says what that costs.
func isSingle(r io.Reader) (bool, error) {
	begun, crds, continued := false, 0, false
	for lines := bufio.NewReader(r); ; {
		text, continues, err := lines.ReadLine()
		switch {
		case err == io.EOF:
			return crds == 1, nil
		case err != nil:
			return false, err
		case continued: // the rest of a long line
		case begun && (string(text) == "---" || bytes.HasPrefix(text, []byte("--- "))):
			return false, nil
		case string(text) == "kind: CustomResourceDefinition":
			crds++
		}
		begun = begun || len(text) > 0 && !strings.ContainsRune("#-%", rune(text[0]))
		continued = continues
	}
}

// copyFile copies a file without holding it in memory, and makes the folder for it.
func copyFile(to, from string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return cmp.Or(err, out.Close())
}
