package engine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/limit"
	"github.com/crdlift/crdlift/internal/older"
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
	long := toyCRD("a", "type: object\nproperties:\n  p: {type: string, description: &text "+strings.Repeat("x", limit.AliasBytes/64)+"}\n"+
		strings.Repeat("  q: {type: string, description: *text}\n", 65))
	for _, test := range []struct {
		now, old, want string
		said           int
	}{
		{plain, plain, "all changed known", 0},
		{excessive, plain, "known", 0},
		{plain, excessive, "all known", 1},
		{plain, long, "all known", 1},
	} {
		ran = nil
		l := &Linter{Rules: []*Rule{rule("all", false, false), rule("changed", false, true), rule("known", true, false)},
			Sources: comparedWith(&older.CRD{CRD: crd.Parse([]byte(test.old))[0]})}
		said := 0
		for _, f := range l.File("a.yaml", []byte(test.now)).Findings {
			if f.Rule.ID == LimitRule.ID && f.Severity == lint.Info && strings.HasPrefix(f.Message, "this CRD is not compared") {
				said++
			}
		}
		if said != test.said {
			t.Errorf("%s: it is said %d times that nothing is compared, want %d", test.want, said, test.said)
		}
		if got := strings.Join(ran, " "); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}
