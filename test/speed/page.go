package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// sections are the texts of the page, by name.
func (b *bench) sections() map[string]string {
	all := map[string]string{"machine": b.machine + ".\n", "targets": targetTable(b.targets)}
	for name, text := range b.measured {
		all[name] = text
	}
	return all
}

// writePage puts sections and the plot into a folder of pages.
func writePage(sections map[string]string, plot []byte, dir string) error {
	path := filepath.Join(dir, "performance.md")
	page, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	text := string(page)
	for name, section := range sections {
		if text, err = replace(text, name, section); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "files.svg"), plot, 0o644)
}

// replace puts a section between its marks in a page.
func replace(page, name, section string) (string, error) {
	begin := fmt.Sprintf("<!-- measured: make speed, %s -->\n", name)
	const end = "<!-- end -->"
	before, rest, found := strings.Cut(page, begin)
	_, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		return "", fmt.Errorf("no lines %q and %q", strings.TrimSpace(begin), end)
	}
	return before + begin + "\n" + section + "\n" + end + after, nil
}
