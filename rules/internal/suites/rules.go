// Package suites has the rules about suites of tests of CRDs, and is the kind of run that runs these. Read this file first: it has
// what is told; judge.go runs the suites of a file, and words.go says how cases fail.
package suites

import (
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/suite"
	"github.com/crdlift/crdlift/lint"
)

// Rules are about suites and their cases. A case that fails in several ways is reported by the rule of each.
var Rules = []*engine.Rule{
	about(suite.Rejected, lint.Error, "cases whose object should be accepted, and that the API server rejects"),
	about(suite.Accepted, lint.Error, "cases whose object should be rejected, and that the API server accepts"),
	about(suite.WrongCause, lint.Error, "cases that are rejected for another reason than they name"),
	about(suite.MoreCauses, lint.Error, "cases that are rejected for more reasons than they name"),
	about(suite.NotStored, lint.Error, "cases whose object is not stored as they expect"),
	about(suite.Unwarned, lint.Error, "cases that expect other warnings of the API server"),
	about(suite.OldRejected, lint.Error, "cases that cannot begin, as their old object is rejected"),
	about(suite.Undeclared, lint.Error, "fields in cases that the CRD does not declare"),
	about(suite.Unreachable, lint.Error, "paths in cases that lead nowhere"),
	about(keyUnknown, lint.Error, "keys that the format of suites does not have"),
	about(suite.Unrun, lint.Error, "suites and cases that cannot be run as they are written"),
	about(crdRejected, lint.Error, "CRDs with tests that the API server does not create"),
	about(tooLittle, lint.Error, "CRDs of which suites test less than required"),
	about(unusable, lint.Warning, "enum values that no object can have, as a validation rule ends in an error"),
	inAll(about(untestable, lint.Info, "constraints of CRDs that no object breaks")),
	inAll(about(skipped, lint.Info, "cases that are skipped")),
}

const (
	keyUnknown  suite.Kind = "suite-key-unknown"
	crdRejected suite.Kind = "test-crd-rejected"
	tooLittle   suite.Kind = "test-coverage"
	untestable  suite.Kind = "test-constraint-dead"
	unusable    suite.Kind = "test-value-unusable"
	skipped     suite.Kind = "test-skipped"
)

func about(kind suite.Kind, severity lint.Severity, summary string) *engine.Rule {
	return &engine.Rule{ID: string(kind), Summary: summary, Severity: severity, Suite: true}
}

func inAll(r *engine.Rule) *engine.Rule {
	r.Preset = lint.All
	return r
}
