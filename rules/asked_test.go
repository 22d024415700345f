package rules

import (
	"os"
	"testing"

	"github.com/crdlift/crdlift/lint"
)

// TestAsked: what few would act on is told to those who ask, by a preset or by the rule's name, and to nobody else.
func TestAsked(t *testing.T) {
	t.Parallel()
	for _, fixture := range []struct{ rule, path string }{
		{"cel-unbounded", "cel/cel-unbounded/want-info.yaml"},
		{"schema-format-unrecognized", "style/schema-format-unrecognized/want.yaml"},
	} {
		src, err := os.ReadFile(fixtureRoot + "/" + fixture.path)
		if err != nil {
			t.Fatal(err)
		}
		infos := func(config *lint.Config) (n int) {
			l := &lint.Linter{Rules: All(), Config: config}
			for _, f := range l.File(fixture.path, src).Findings {
				if f.Rule.ID == fixture.rule && f.Severity == lint.Info {
					n++
				}
			}
			return n
		}
		if n := infos(&lint.Config{}); n != 0 {
			t.Errorf("%s: %d infos though nobody asked", fixture.rule, n)
		}
		for name, config := range map[string]*lint.Config{
			"a stricter preset": {Preset: lint.Strict},
			"only this rule":    {Only: []string{fixture.rule}},
			"the rule's name":   {Rules: map[string]lint.Severity{fixture.rule: lint.Warning}},
		} {
			if infos(config) == 0 {
				t.Errorf("%s: no info with %s", fixture.rule, name)
			}
		}
	}
}
