// Command site makes the site of crdlift: a page for each rule, the documentation, and what leads to the playground.
//
//	go run ./site ROOT OUT
//
// ROOT is the repository, OUT the folder to write to. What is in OUT from an earlier run goes, except for what other
// programs build there: the script and the program of the playground, and the bundle that searches.
//
// Read site.go first: it lists what the site has. links.go knows where a file of the repository is on the site, markdown.go
// makes pages of Markdown, page.go puts them into templates; the other files are about one kind of page each.
package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: site ROOT OUT")
		os.Exit(2)
	}
	s, err := build(os.DirFS(os.Args[1]))
	if err == nil {
		err = s.write(os.Args[2])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

// builtElsewhere are how the paths of files begin that other programs build.
var builtElsewhere = []string{playgroundScript, playgroundPath + "crdlift-", searchScript}

// write writes the files of the site below a folder, and removes what is not the site's there.
func (s *site) write(out string) error {
	err := filepath.WalkDir(out, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(out, path)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		if s.files[name] != nil || slices.ContainsFunc(builtElsewhere, func(own string) bool { return strings.HasPrefix(name, own) }) {
			return nil
		}
		return os.Remove(path)
	})
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	for name, content := range s.files {
		path := filepath.Join(out, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
