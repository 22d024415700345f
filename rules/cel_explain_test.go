package rules

import (
	"strings"
	"testing"
)

// TestPartsOfExpressions wants a finding to point into an expression on a line that is quoted in part only, and to the whole
// of one that is longer than what is quoted.
func TestPartsOfExpressions(t *testing.T) {
	t.Parallel()
	const head, tail = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"foos.example.com"},` +
		`"spec":{"group":"example.com","scope":"Namespaced","names":{"plural":"foos","kind":"Foo"},` +
		`"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{"keep":{"type":"integer"}},` +
		`"x-kubernetes-validations":[{"message":`, `}]}}}]}}`
	for _, c := range []struct{ name, expression, at string }{
		{"short", "self.kep > 0", `.kep > 0`},
		{"long", "self.kep > 0" + strings.Repeat(" && self.keep > 0", 100), `"self.kep`},
	} {
		text := head + `"` + strings.Repeat("keep some ", 100) + `","rule":"` + c.expression + `"` + tail
		want, seen := strings.Index(text, c.at)+1, 0
		for _, f := range everyRule().File("crd.json", []byte(text)).Findings {
			if f.Rule.ID == "cel-compile-error" {
				if seen++; f.Pos.Column != want {
					t.Errorf("%s: at column %d, want %d", c.name, f.Pos.Column, want)
				}
			}
		}
		if seen != 1 {
			t.Errorf("%s: %d findings, want 1", c.name, seen)
		}
	}
}
