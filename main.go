// Command crdlift lints and converts CustomResourceDefinition manifests.
package main

import (
	"os"
	"runtime/debug"

	"github.com/crdlift/crdlift/internal/cli"
)

func main() {
	tuneCollector()
	os.Exit(cli.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// tuneCollector spends memory rather than time, which suits a program that lives for a second: the heap grows by five
// times between collections while it is small, and by as much as Go grows it normally once it comes near the limit.
// GOGC and GOMEMLIMIT have the last word, as for any Go program.
func tuneCollector() {
	const comfortable = 100 << 20 // bytes
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(comfortable)
	}
}
