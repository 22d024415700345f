// Command crdlift lints and converts CustomResourceDefinition manifests.
package main

import (
	"os"

	"github.com/crdlift/crdlift/internal/cli"
)

func main() {
	tuneCollector()
	os.Exit(cli.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
