package report_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

func init() {
	report.Catalogue, report.Documentation, report.FixtureReport = rules.All, rules.Doc, fixtureReport
}

// fixtureReport is what all rules say of their fixtures, each beside its old side if it has one.
func fixtureReport(t *testing.T) *lint.Report {
	t.Helper()
	paths, err := filepath.Glob("../../rules/testdata/*/*/want*.yaml")
	if err != nil || len(paths) < 200 {
		t.Fatalf("%d fixtures, %v", len(paths), err)
	}
	var old []lint.File
	for _, path := range paths {
		before := filepath.Join(filepath.Dir(path), "old.yaml")
		if _, err := os.Stat(before); err == nil {
			old = append(old, lint.File{Path: path, Label: "main:" + path, Read: func() ([]byte, error) { return os.ReadFile(before) }})
		}
	}
	against, err := rules.ReadOld(old)
	if err != nil {
		t.Fatal(err)
	}
	l := rules.Linter{Options: lint.Options{Config: &lint.Config{Preset: lint.All}, Edits: true}, Against: against}
	var files []*rules.FileReport
	for _, path := range paths {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, l.File(path, src))
	}
	return l.Report(files...)
}
