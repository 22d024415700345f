// Command crdlift converts CustomResourceDefinition manifests without touching a byte that need not change.
package main

import (
	"os"

	"github.com/crdlift/crdlift/internal/cli"
)

func main() {
	os.Exit(cli.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
