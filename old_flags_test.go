package main

import (
	"bytes"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/cli"
)

// TestOldFlags has the program reject each command line on the left of the page of former flags, and know what stands on the right.
func TestOldFlags(t *testing.T) {
	t.Parallel()
	text := read(t, filepath.Join("docs", "reference", "old-flags.md"))
	code := regexp.MustCompile("`([^`]+)`")
	run := func(line string, more ...string) (int, string) {
		var said bytes.Buffer
		args := strings.Fields(strings.TrimPrefix(line, "crdlift "))
		return cli.Run(append(args, more...), strings.NewReader(""), io.Discard, &said), said.String()
	}
	rows := 0
	for _, row := range regexp.MustCompile("(?m)^\\| (`.*) \\| (.*) \\|$").FindAllStringSubmatch(text, -1) {
		rows++
		command := ""
		for _, former := range code.FindAllStringSubmatch(row[1], -1) {
			command, _, _ = strings.Cut(strings.TrimPrefix(former[1], "crdlift "), " ")
			exit, said := run(strings.ReplaceAll(former[1], "OLD", "HEAD"))
			if exit != 2 || !strings.Contains(said, "unknown") && !strings.Contains(said, "unexpected argument") && !strings.Contains(said, `cannot be "strict"`) {
				t.Errorf("%s: exit code %d, %s", former[1], exit, said)
			}
		}
		for _, now := range code.FindAllStringSubmatch(row[2], -1) {
			line := strings.ReplaceAll(now[1], "OLD", "HEAD")
			switch {
			case strings.HasPrefix(line, "make "):
				continue
			case strings.HasPrefix(line, "--"):
				line = command + " " + line
			case !strings.Contains(line, " ") && !strings.Contains(read(t, filepath.Join("docs", "schema", "config.json")), `"`+line+`"`):
				t.Errorf("the configuration has no key %s", line)
				continue
			case !strings.Contains(line, " "):
				continue
			}
			if exit, said := run(line, "--help"); exit != 0 {
				t.Errorf("%s: exit code %d, %s", line, exit, said)
			}
		}
	}
	if rows < 15 {
		t.Errorf("the page has %d rows", rows)
	}
	for _, line := range []string{"where --help", "plan --format text --help"} { // what still works
		if exit, said := run(line); exit != 0 {
			t.Errorf("%s: exit code %d, %s", line, exit, said)
		}
	}
}
