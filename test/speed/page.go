package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// write puts what was measured into a folder of pages. When that are not all contests, the rest of the page stays, and
// what is new says on which machine it was measured.
func (b *bench) write(dir string) error {
	path := filepath.Join(dir, "performance.md")
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	all := len(b.measured) == len(contests)
	sections := map[string]string{"machine": b.machine + "." + b.took() + "\n", "targets": targetTable(b.targets)}
	if !all {
		delete(sections, "machine")
		_, old, _, err := cut(string(text), "targets")
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		sections["targets"] = renew(old, b.targets)
	}
	for name, section := range b.measured {
		if !all {
			section = fmt.Sprintf("Measured by itself, on %s.\n\n", b.machine) + section
		}
		sections[name] = section
	}
	page := string(text)
	for name, section := range sections {
		if page, err = replace(page, name, section); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	if err := os.WriteFile(path, []byte(page), 0o644); err != nil || b.plot == nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "files.svg"), b.plot, 0o644)
}

// took says how long to wait for a page.
func (b *bench) took() string {
	if b.began.IsZero() {
		return ""
	}
	return fmt.Sprintf(" The run took %.0f minutes.", time.Since(b.began).Minutes())
}

// renew puts targets into a table in place of what it says of the same ones; those that are new to it come last.
func renew(table string, targets []target) string {
	rows := strings.Split(strings.TrimSpace(table), "\n")
	for _, row := range strings.Split(strings.TrimSpace(targetTable(targets)), "\n")[2:] {
		same := func(other string) bool { return strings.Split(other, "|")[1] == strings.Split(row, "|")[1] }
		if i := slices.IndexFunc(rows, same); i >= 0 {
			rows[i] = row
		} else {
			rows = append(rows, row)
		}
	}
	return strings.Join(rows, "\n") + "\n"
}

// replace puts a section between its marks in a page.
func replace(page, name, section string) (string, error) {
	before, _, after, err := cut(page, name)
	return before + "\n" + section + "\n" + after, err
}

// cut finds a section of a page, and what is around it, with its marks.
func cut(page, name string) (before, section, after string, err error) {
	begin := fmt.Sprintf("<!-- measured: make speed, %s -->\n", name)
	const end = "<!-- end -->"
	before, rest, found := strings.Cut(page, begin)
	section, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		return "", "", "", fmt.Errorf("no lines %q and %q", strings.TrimSpace(begin), end)
	}
	return before + begin, section, end + after, nil
}
