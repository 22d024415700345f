package engine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/lint"
)

func TestExcessiveAliases(t *testing.T) {
	t.Parallel()
	var ran []string
	rule := func(id string, excess, needsOld bool) *Rule {
		return &Rule{ID: id, Severity: lint.Error, Excess: excess, NeedsOld: needsOld, Run: func(p *Pass) { ran = append(ran, id) }}
	}
	chain := "type: object\nproperties:\n  p0: &p0 {type: string}\n"
	for i := 1; i < 400; i++ {
		chain += fmt.Sprintf("  p%d: &p%d {<<: *p%d}\n", i, i, i-1)
	}
	plain, excessive := toyCRD("a", "type: object"), toyCRD("a", chain)
	for _, test := range []struct{ now, old, want string }{
		{plain, plain, "all changed known"},
		{excessive, plain, "known"},
		{plain, excessive, "all known"},
	} {
		ran = nil
		l := &Linter{Rules: []*Rule{rule("all", false, false), rule("changed", false, true), rule("known", true, false)},
			Old: func(string, string, int) *OldCRD { return &OldCRD{CRD: crd.Parse([]byte(test.old))[0]} }}
		l.File("a.yaml", []byte(test.now))
		if got := strings.Join(ran, " "); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}
