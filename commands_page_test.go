package main

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/crdlift/crdlift/internal/cli"
)

// TestCommandsPage holds the table of all commands to the program: each command has a row, and each flag that takes a revision, connects
// to an address, or writes files stands in its column. TestGitRuns says where programs are run; the rows that name one are those of the
// commands that take a command behind --.
func TestCommandsPage(t *testing.T) {
	t.Parallel()
	rows := map[string][]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z ]+)` \\| (.*) ?\\|$").FindAllStringSubmatch(read(t, filepath.Join("docs", "reference", "commands.md")), -1) {
		rows[row[1]] = strings.Split(row[2], "|")
	}
	connecting := []string{"connect", "url"}
	writing := []string{"cache", "cover-html", "cover-out", "data", "fix", "fix-go", "init", "kubeconfig", "list", "output-dir", "save", "update", "write", "write-baseline"}
	flag := regexp.MustCompile("`--([a-z-]+)`")
	var check func(c *cobra.Command, path string)
	check = func(c *cobra.Command, path string) {
		if below := c.Commands(); len(below) > 0 && c.Name() != "completion" {
			for _, sub := range below {
				check(sub, strings.TrimSpace(path+" "+sub.Name()))
			}
			return
		}
		if c.Hidden {
			return
		}
		row := rows[path]
		delete(rows, path)
		if len(row) != 5 {
			t.Errorf("crdlift %s has no row with five columns: %q", path, row)
			return
		}
		if n := len(strings.Fields(row[0])); n > 12 {
			t.Errorf("crdlift %s is described by %d words; 12 are enough", path, n)
		}
		compare := func(column string, has func(*pflag.Flag) bool) {
			var want, got []string
			c.Flags().VisitAll(func(f *pflag.Flag) {
				if has(f) {
					want = append(want, f.Name)
				}
			})
			for _, m := range flag.FindAllStringSubmatch(column, -1) {
				got = append(got, m[1])
			}
			slices.Sort(want)
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("crdlift %s: the flags are %q, and the page has %q in %q", path, want, got, column)
			}
		}
		compare(row[1], func(f *pflag.Flag) bool { return strings.Contains(f.Value.Type(), "REVISION") })
		compare(row[2], func(f *pflag.Flag) bool { return slices.Contains(connecting, f.Name) })
		compare(row[3], func(f *pflag.Flag) bool { return f.Name == "kubectl" })
		compare(row[4], func(f *pflag.Flag) bool {
			return slices.Contains(writing, f.Name) && (f.Name != "list" || f.Value.Type() != "bool")
		})
		if runs := strings.Contains(c.Use, "[-- COMMAND...]"); runs != (strings.TrimSpace(row[3]) != "") {
			t.Errorf("crdlift %s: the usage is %q, and the page says %q", path, c.Use, row[3])
		}
	}
	check(cli.Commands(), "")
	for path := range rows {
		t.Errorf("there is no command crdlift %s", path)
	}
}
