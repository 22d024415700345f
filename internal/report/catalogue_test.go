package report

import (
	"testing"

	"github.com/crdlift/crdlift/lint"
)

// What tests take from package rules, which imports this one: rules_test.go fills it in.
var (
	Catalogue     func() lint.Rules
	Documentation func(id string) string
	FixtureReport func(t *testing.T) *lint.Report
)
