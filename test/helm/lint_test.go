package helm

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// sized are rules about the size of a text, which actions change.
var sized = []string{"manifest-too-large"}

// byValue are the folders of templates of which only rendering shows what is wrong.
var byValue = []string{"byhand", "byvalue"}

// TestLintUnion: crdlift finds in a template what it finds in one or another of its renderings.
func TestLintUnion(t *testing.T) {
	t.Run("handwritten", func(t *testing.T) {
		all := lintTally{rules: map[string]*lintCount{}}
		for _, src := range handwritten(t) {
			lacking := all.lacking
			all.count(t, src)
			if folder := filepath.Base(filepath.Dir(src.path)); all.lacking > lacking && !slices.Contains(byValue, folder) {
				t.Errorf("%s lacks findings of its renderings", src.path)
			}
		}
		all.log(t)
		if all.false > 0 || all.passedOver > 0 {
			t.Errorf("%d false findings, %d files passed over", all.false, all.passedOver)
		}
	})
	t.Run("charts", func(t *testing.T) {
		all := lintTally{rules: map[string]*lintCount{}}
		public(t, func(src *template) { all.count(t, src) })
		all.log(t)
		if all.false*200 > all.findings {
			t.Errorf("%d of %d findings are false: more than 0.5%%", all.false, all.findings)
		}
		if all.identical*100 < all.files*95 {
			t.Errorf("%d of %d files have the findings of their renderings: less than 95%%", all.identical, all.files)
		}
	})
}

// A lintTally is what the findings of templates have in common with those of their renderings.
type lintTally struct {
	files, passedOver, notRendered, noYAML     int
	renderings, findings, false, lacking       int
	identical, filesWithFalse, filesLackingOne int
	rules                                      map[string]*lintCount
}

// A lintCount is how many findings of a rule there are.
type lintCount struct{ found, false, lacking int }

func (all *lintTally) of(rule string) *lintCount {
	if all.rules[rule] == nil {
		all.rules[rule] = &lintCount{}
	}
	return all.rules[rule]
}

// count compares a template with its renderings.
func (all *lintTally) count(t *testing.T, src *template) {
	t.Helper()
	renderings, failed := src.renderings(src.text)
	all.noYAML += len(failed)
	if !slices.ContainsFunc(renderings, rendering.hasCRDs) {
		all.notRendered++
		t.Logf("%s renders no CRDs: %v", src.path, failed)
		return
	}
	var linter rules.Linter
	report := linter.File(src.path, []byte(src.text))
	if report.Template != nil {
		all.passedOver++
		t.Logf("%s is passed over", src.path)
		return
	}
	all.files++
	all.renderings += len(renderings)
	var union []*lint.Finding
	seen := map[string]bool{}
	for _, r := range renderings {
		for _, text := range r.texts {
			if !seen[text] {
				seen[text] = true
				union = append(union, linter.File("crd.yaml", []byte(text)).Findings...)
			}
		}
	}
	all.compare(t, src.path, report.Findings, union)
}

// compare counts the findings of a template that none of its renderings has, and the other way round.
func (all *lintTally) compare(t *testing.T, path string, template, rendered []*lint.Finding) {
	t.Helper()
	isFalse, lacking := 0, map[string]bool{}
	for _, f := range template {
		all.findings++
		all.of(f.Rule.ID).found++
		if !slices.Contains(sized, f.Rule.ID) && !slices.ContainsFunc(rendered, func(r *lint.Finding) bool { return says(f, r) }) {
			isFalse++
			all.of(f.Rule.ID).false++
			t.Logf("%s:%d: false: %s %s at %s: %s", path, f.Pos.Line, f.Resource, f.Rule.ID, f.Path, f.Message)
		}
	}
	for _, r := range rendered {
		key := fmt.Sprint(r.Rule.ID, r.Resource, r.Path, r.Message)
		if lacking[key] || slices.Contains(sized, r.Rule.ID) || slices.ContainsFunc(template, func(f *lint.Finding) bool { return says(f, r) }) {
			continue
		}
		lacking[key] = true
		all.of(r.Rule.ID).lacking++
		t.Logf("%s: lacking: %s %s at %s: %s", path, r.Resource, r.Rule.ID, r.Path, r.Message)
	}
	all.false += isFalse
	all.lacking += len(lacking)
	switch {
	case isFalse == 0 && len(lacking) == 0:
		all.identical++
	case isFalse > 0:
		all.filesWithFalse++
	}
	if len(lacking) > 0 {
		all.filesLackingOne++
	}
}

// advising is the rule whose message says what to do, which depends on how the rest is rendered.
const advising = "deprecated-api-version"

// says reports whether a finding of a template is one of a rendering.
func says(template, rendered *lint.Finding) bool {
	if template.Rule.ID != rendered.Rule.ID || !alike(template.Resource, rendered.Resource) || !alike(template.Path, rendered.Path) {
		return false
	}
	return template.Rule.ID == advising || alike(template.Message, rendered.Message)
}

func (all *lintTally) log(t *testing.T) {
	t.Helper()
	table := fmt.Sprintf("%d files, %d renderings, %d findings; %d files identical, %d with a false one (%d), %d lack one (%d)\n"+
		"%d passed over; %d without CRDs in renderings; %d renderings failed or are no YAML\n%-40s %8s %8s %8s\n",
		all.files, all.renderings, all.findings, all.identical, all.filesWithFalse, all.false, all.filesLackingOne, all.lacking,
		all.passedOver, all.notRendered, all.noYAML, "rule", "found", "false", "lacking")
	for _, rule := range slices.Sorted(maps.Keys(all.rules)) {
		c := all.rules[rule]
		table += fmt.Sprintf("%-40s %8d %8d %8d\n", rule, c.found, c.false, c.lacking)
	}
	t.Log(table)
}
