// Command crdlift lints and converts CustomResourceDefinition manifests.
package main

import (
	"os"

	"github.com/crdlift/crdlift/internal/cli"
	"github.com/crdlift/crdlift/internal/memory"
)

func main() {
	memory.Tune(os.Args[1:])
	os.Exit(cli.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
