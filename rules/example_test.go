package rules_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

const crontab = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
  namespace: default
spec:
  group: example.com
  names: {kind: Widget, plural: widgets}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          size: {type: integer}
`

// The zero Linter runs the recommended rules.
func ExampleLinter_File() {
	var linter rules.Linter
	for _, f := range linter.File("crd.yaml", []byte(crontab)).Findings {
		fmt.Printf("%s:%d:%d: %s: %s [%s]\n", f.Pos.File, f.Pos.Line, f.Pos.Column, f.Severity, f.Message, f.Rule.ID)
	}
	// Output:
	// crd.yaml:5:3: warning: CRDs have no namespace, so API servers drop it; remove it [metadata-namespace-set]
}

func ExampleLinter_Fix() {
	var linter rules.Linter
	fixed := linter.Fix("crd.yaml", []byte(crontab), false)
	for _, f := range fixed.Findings {
		fmt.Println(f.Fix.Title)
	}
	fmt.Println(strings.Contains(string(fixed.Output), "namespace:"))
	// Output:
	// remove metadata.namespace
	// false
}

// An older side is any number of manifests.
func ExampleReadOld() {
	older := strings.Replace(crontab, "size: {type: integer}", "size: {type: integer}\n          color: {type: string}", 1)
	old, err := rules.ReadOld([]lint.File{
		{Path: "crd.yaml", Label: "v1.0:crd.yaml", Read: func() ([]byte, error) { return []byte(older), nil }},
	})
	if err != nil {
		panic(err)
	}
	linter := rules.Linter{Against: old, Options: lint.Options{Changes: true}}
	report := linter.Report(linter.File("crd.yaml", []byte(crontab)))
	for _, f := range report.Findings {
		fmt.Printf("%s: %s (%s)\n", f.Rule.ID, f.Field, f.Related[0].Pos.File)
	}
	// Output:
	// field-removed: color (v1.0:crd.yaml)
}

func ExampleWrite() {
	config, err := rules.ReadConfig(".crdlift.yaml", []byte("rules: {metadata-namespace-set: error}"))
	if err != nil {
		panic(err)
	}
	linter := rules.Linter{Options: lint.Options{Config: config}}
	report := linter.Report(linter.File("crd.yaml", []byte(crontab)))
	if err := rules.Write(os.Stdout, "github", report); err != nil {
		panic(err)
	}
	// Output:
	// ::error file=crd.yaml,line=5,endLine=5,col=3,endColumn=11,title=metadata-namespace-set::crd.yaml:5:3: CRDs have no namespace, so API servers drop it; remove it%0Ahttps://crdlift.github.io/crdlift/rules/metadata-namespace-set
}

func ExampleWrite_sarif() {
	var linter rules.Linter
	report := linter.Report(linter.File("crd.yaml", []byte(crontab)))
	var out bytes.Buffer
	if err := rules.Write(&out, "sarif", report); err != nil {
		panic(err)
	}
	var log struct {
		Version string
		Runs    []struct {
			Results []struct {
				RuleID, Level string
				Locations     []struct {
					PhysicalLocation struct {
						Region struct{ StartLine int }
					}
				}
			}
		}
	}
	if err := json.Unmarshal(out.Bytes(), &log); err != nil {
		panic(err)
	}
	for _, r := range log.Runs[0].Results {
		fmt.Printf("SARIF %s: %s, a %s in line %d\n", log.Version, r.RuleID, r.Level, r.Locations[0].PhysicalLocation.Region.StartLine)
	}
	// Output:
	// SARIF 2.1.0: metadata-namespace-set, a warning in line 5
}
