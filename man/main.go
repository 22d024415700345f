// Command man writes the manual pages of crdlift, one a command, into a folder. It is a module of its own so that
// crdlift does not depend on what makes them.
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/crdlift/crdlift/internal/cli"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: man FOLDER")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "man:", err)
		os.Exit(1)
	}
}

func write(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	root := cli.Commands()
	root.DisableAutoGenTag = true
	return page(root, folder)
}

// page writes the page of a command, and those of the commands below it.
func page(command *cobra.Command, folder string) error {
	for _, c := range command.Commands() {
		if err := page(c, folder); err != nil {
			return err
		}
	}
	header := &doc.GenManHeader{Section: "1", Source: "crdlift", Manual: "crdlift", Date: &time.Time{}}
	var text bytes.Buffer
	if err := doc.GenMan(command, header, &text); err != nil {
		return err
	}
	// The same sources give the same bytes: no date. There is no other way to omit it.
	undated := bytes.Replace(text.Bytes(), []byte(`"Jan 0001"`), []byte(`""`), 1)
	name := strings.ReplaceAll(command.CommandPath(), " ", "-") + "." + header.Section
	return os.WriteFile(filepath.Join(folder, name), undated, 0o644)
}
