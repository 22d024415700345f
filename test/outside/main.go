// Program outside lints, compares, repairs and converts one manifest with crdlift's packages, and writes what it finds as
// SARIF. It stands for the programs of others: it knows the public packages only.
package main

import (
	"fmt"
	"io"
	"log"
	"os"

	"github.com/crdlift/crdlift/convert"
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: outside OLD NEW")
	}
	old, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	src, err := os.ReadFile(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	if err := run(os.Stdout, os.Args[2], old, src); err != nil {
		log.Fatal(err)
	}
}

// run tells of a manifest, given an older one: what there is to say of it, what is left after the fixes, what becomes of it
// in the other API version, and the findings once more, as SARIF.
func run(w io.Writer, path string, old, src []byte) error {
	against, err := rules.ReadOld([]lint.File{{Path: path, Label: "old", Read: func() ([]byte, error) { return old, nil }}})
	if err != nil {
		return err
	}
	linter := rules.Linter{Options: lint.Options{Config: &lint.Config{Preset: lint.All}, Edits: true}, Against: against}
	report := linter.Report(linter.File(path, src))
	for _, f := range report.Findings {
		fmt.Fprintf(w, "%d:%d %s %s at %s\n", f.Pos.Line, f.Pos.Column, f.Severity, f.Rule.ID, f.Path)
	}
	fixed := linter.Fix(path, src, true)
	fmt.Fprintf(w, "fixed %d, left %d\n", len(fixed.Findings), len(fixed.Left.Findings))
	converted, err := convert.File(path, fixed.Output, policy.Options{To: policy.V1beta1})
	if err != nil {
		return err
	}
	for _, c := range converted.CRDs {
		fmt.Fprintf(w, "%s: %s\n", c.Name, c.State)
	}
	return rules.Write(w, "sarif", report)
}
