// Command man writes the manual pages of crdlift, one a command, into a folder. It is a module of its own so that
// crdlift does not depend on what makes them.
package main

import (
	"fmt"
	"os"
	"time"

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
	// The same sources give the same bytes: no date.
	header := &doc.GenManHeader{Section: "1", Source: "crdlift", Manual: "crdlift", Date: &time.Time{}}
	root := cli.Commands()
	root.DisableAutoGenTag = true
	return doc.GenManTree(root, header, folder)
}
