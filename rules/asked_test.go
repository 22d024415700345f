package rules

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/lint"
)

// TestAsked: what few would act on is told to those who ask, by a preset or by the rule's name, and to nobody else.
func TestAsked(t *testing.T) {
	t.Parallel()
	for _, fixture := range []struct{ rule, path string }{
		{"cel-unbounded", "cel/cel-unbounded/want-info.yaml"},
		{"schema-format-unrecognized", "style/schema-format-unrecognized/want.yaml"},
		{"schema-properties-missing", "pruning/schema-properties-missing/want.yaml"},
		{"printer-column-duplicate", "columns/printer-column-duplicate/want-wide.yaml"},
	} {
		src, err := os.ReadFile(fixtureRoot + "/" + fixture.path)
		if err != nil {
			t.Fatal(err)
		}
		reported := func(config *lint.Config) (n int) {
			l := &engine.Linter{Rules: allRules, Options: lint.Options{Config: config}}
			for _, f := range l.File(fixture.path, src).Findings {
				if f.Rule.ID == fixture.rule {
					n++
				}
			}
			return n
		}
		few := reported(&lint.Config{})
		for name, config := range map[string]*lint.Config{
			"the preset all":  {Preset: lint.All},
			"only this rule":  {Only: []string{fixture.rule}},
			"the rule's name": {Rules: map[string]lint.Severity{fixture.rule: lint.Warning}},
		} {
			if all := reported(config); all <= few {
				t.Errorf("%s: %d findings with %s, and %d though nobody asked", fixture.rule, all, name, few)
			}
		}
	}
}

// whenSpokenFor is what the pages say of rules whose Run is made by unlessConverted.
const whenSpokenFor = "**When it is reported**: when you name a server of 1.21 or older with `--kubernetes-version`, when you name this rule in\n" +
	"the configuration or on the command line, and in the preset `all`. Otherwise `deprecated-api-version`, which tells you\n" +
	"to convert the manifest, is reported in its place, unless it is off."

// TestSpokenFor: what a conversion decides by itself is told to those who name the rule, and its page says so.
func TestSpokenFor(t *testing.T) {
	t.Parallel()
	for rule, path := range map[string]string{
		"version-field-deprecated":            "versions/version-field-deprecated/want.yaml",
		"preserve-unknown-fields-implicit":    "pruning/preserve-unknown-fields-implicit/want.yaml",
		"schema-missing":                      "pruning/schema-missing/want.yaml",
		"schema-not-structural-v1beta1":       "pruning/schema-not-structural-v1beta1/want.yaml",
		"conversion-review-versions-implicit": "conversion/conversion-review-versions-implicit/want.yaml",
	} {
		src, err := os.ReadFile(fixtureRoot + "/" + path)
		if err != nil {
			t.Fatal(err)
		}
		for name, c := range map[string]struct {
			config lint.Config
			speaks bool
		}{
			"by default":                  {lint.Config{}, false},
			"named by --only":             {lint.Config{Only: []string{rule}}, true},
			"named in configuration":      {lint.Config{Rules: map[string]lint.Severity{rule: lint.Info}}, true},
			"in the preset all":           {lint.Config{Preset: lint.All}, true},
			"when the other is off":       {lint.Config{Rules: map[string]lint.Severity{"deprecated-api-version": lint.Off}}, true},
			"when the server has v1beta1": {lint.Config{KubernetesVersion: lint.KubernetesVersion{Major: 1, Minor: 21}}, true},
		} {
			l := &engine.Linter{Rules: allRules, Options: lint.Options{Config: &c.config}}
			speaks := slices.ContainsFunc(l.File(path, src).Findings, func(f *lint.Finding) bool { return f.Rule.ID == rule })
			if speaks != c.speaks {
				t.Errorf("%s: %s: reports: %v", rule, name, speaks)
			}
		}
		if !strings.Contains(Doc(rule), whenSpokenFor) {
			t.Errorf("%s: the page does not say when it speaks", rule)
		}
	}
}
