package page_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/page"
	"github.com/crdlift/crdlift/lint"
)

// TestCoverage looks at the lines of a page: those of a CRD with what is tested of each, as text whatever they hold; of a long CRD,
// and of one that cannot be read, only those with constraints.
func TestCoverage(t *testing.T) {
	t.Parallel()
	c := func(line int, state, keyword string) lint.CoveredConstraint {
		return lint.CoveredConstraint{Kind: "enums", Keyword: keyword, Field: "spec.a", Line: line, State: state}
	}
	rule := c(3, "tested", "rule")
	rule.Kind, rule.By, rule.Next, rule.Mutants = "rules", "door/a", "tested; no case distinguishes it from a < b", []lint.Mutant{{Expression: "a < b"}, {Expression: "told", Told: true}}
	all := []lint.Coverage{
		{CRD: "doors.shop.example.com", File: "short", Versions: []string{"v1", "v2"}, Constraints: []lint.CoveredConstraint{
			c(1, "dead", "enum"), c(2, "tested", "enum"), c(2, "met", "enum"), rule, c(4, "reached", "enum"), c(4, "not reached", "enum"),
		}},
		{CRD: "gates.shop.example.com", File: "long", Constraints: []lint.CoveredConstraint{c(1500, "tested", "enum"), c(2001, "tested", "enum")}},
		{CRD: "walls.shop.example.com", File: "gone", Constraints: []lint.CoveredConstraint{c(7, "reached", "enum")}},
	}
	files := map[string]string{"short": "one\ntwo <script>alert(1)</script>\nthree\nfour\nfive\n", "long": strings.Repeat("x\n", 2001)}
	var b bytes.Buffer
	err := page.WriteCoverage(&b, all, func(path string) ([]byte, error) {
		if files[path] == "" {
			return nil, errors.New("it is not there")
		}
		return []byte(files[path]), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	got := b.String()
	for _, want := range []string{
		`<h3>doors.shop.example.com <small>v1, v2</small></h3>`, `<code>short</code> · 2 of 5 constraints, rules 1 of 1, mutants of tested rules 1 of 2`,
		`<tr class="none" data-severity="none"><th scope="row">1</th><td>one<ul><li>enum of spec.a: dead</li></ul></td></tr>`,
		`<tr class="reached" data-severity="reached"><th scope="row">2</th><td>two &lt;script&gt;alert(1)&lt;/script&gt;<ul><li>enum of spec.a: tested by </li>`,
		`<tr class="tested" data-severity="tested"><th scope="row">3</th><td>three<ul><li>rule of spec.a: tested by door/a<br>Rules that`,
		`Rules that no case tells apart from it: <code>a &lt; b</code></li>`,
		`<tr class="missed" data-severity="missed"><th scope="row">4</th>`,
		`<tr class="none" data-severity="none"><th scope="row">5</th><td>five</td></tr>`,
		`Only the lines with constraints are shown, of 2001.`, `<th scope="row">1500</th><td>x<ul>`, `<th scope="row">2001</th><td>x<ul>`,
		`The file cannot be read: only the numbers`, `<th scope="row">7</th><td><ul>`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if n := strings.Count(got, "<tr class="); n != 5+2+1 {
		t.Errorf("%d lines are shown", n)
	}
}
