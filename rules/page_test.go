package rules

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/lint"
)

// TestPages checks that every rule has a page with all its parts, in the folder of its topic, and that no page is left
// over. The pages of what a conversion reports stand in a folder of their own.
func TestPages(t *testing.T) {
	t.Parallel()
	left, err := filepath.Glob(fixtureRoot + "/*/*/page.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range left {
		text, err := pages.ReadFile(filepath.ToSlash(path))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parsePage(string(text)); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	for _, topic := range append(Topics(), Topic{Name: notesTopic, Rules: Notes()}) {
		for _, r := range topic.Rules {
			path := filepath.Join(fixtureRoot, topic.Name, r.ID, "page.md")
			if i := slices.Index(left, path); i >= 0 {
				left = slices.Delete(left, i, i+1)
			} else {
				t.Errorf("%s is missing", path)
			}
		}
	}
	if len(left) > 0 {
		t.Errorf("pages of no rule: %s", left)
	}
}

// TestPagesOfNoRule asks for pages that there are not. Earlier ids have none: callers find the rule first.
func TestPagesOfNoRule(t *testing.T) {
	t.Parallel()
	ids := []string{"", "no-such-rule", notesTopic, "../names/scope-invalid"}
	for _, r := range All() {
		ids = append(ids, r.Was...)
		if fix := Fix(r.ID); !slices.Contains([]string{"safe", "unsafe", "in Go types", "no"}, fix) {
			t.Errorf("%s is fixed %q", r.ID, fix)
		}
	}
	for _, id := range ids {
		if Page(id) != "" || Doc(id) != "" || Fix(id) != "" {
			t.Errorf("%q has a page", id)
		}
	}
}

// TestParsePage is about pages that lack something, or have too much.
func TestParsePage(t *testing.T) {
	t.Parallel()
	const do, reported, ignore, source = "\n\n**What to do**: correct it.", "\n\n**When it is reported**: always.", "\n\n**When to ignore it**: never.", "\n\n**Source**: a KEP."
	for text, complaint := range map[string]string{
		"Why." + do + source + "\n":                       "",
		"Why.\n\nMore." + do + reported + ignore + source: "",
		do + source:                             "a part is empty",
		"Why." + do:                             `there is no "Source"`,
		"Why." + source:                         `there is no "What to do"`,
		"Why." + source + do:                    `"What to do" is not the heading of a part, or out of order`,
		"Why." + do + do + source:               `"What to do" is not the heading of a part, or out of order`,
		"Why." + do + "\n\n**Source**:":         `"Source**:" is not the heading of a part, or out of order`,
		"Why." + do + "\n\n**Source**: ":        "a part is empty",
		"Why." + do + "\n\n**Sources**: a KEP.": `"Sources" is not the heading of a part, or out of order`,
		"":                                      "a part is empty",
	} {
		p, err := parsePage(text)
		switch {
		case err != nil && err.Error() != complaint:
			t.Errorf("%q: %v", text, err)
		case err == nil && complaint != "":
			t.Errorf("%q: want %s", text, complaint)
		case err == nil && strings.Contains(text, ignore) && p.markdown() != text:
			t.Errorf("%q became %q", text, p.markdown())
		case err == nil && !strings.Contains(text, ignore) && !strings.Contains(p.markdown(), "**When to ignore it**: "+neverIgnored+source):
			t.Errorf("%q became %q", text, p.markdown())
		}
	}
}

// TestNever checks the sentence that stands for a missing "When to ignore it": the API server rejects every manifest that
// such a rule has something to say of.
func TestNever(t *testing.T) {
	t.Parallel()
	refused, taken := map[string]int{}, map[string]string{}
	for _, f := range fixtures(t) {
		report := f.report(t)
		for _, found := range report.Findings {
			refusedObject := report.Objects != nil && report.Objects.Count(lint.Refused) > 0 && found.Severity == lint.Error
			if found.RefusedBy != "" || refusedObject {
				refused[found.Rule.ID]++
			} else {
				taken[found.Rule.ID] = f.path
			}
		}
	}
	for _, r := range All() {
		if !strings.Contains(Doc(r.ID), neverIgnored) {
			continue
		}
		if taken[r.ID] != "" {
			t.Errorf("%s: the page says that the manifest cannot be applied; that of %s can", r.ID, taken[r.ID])
		}
		if refused[r.ID] == 0 && !unreached[r.ID] && r.ID != engine.UnmatchedRule {
			t.Errorf("%s: the page says that the manifest cannot be applied, and no fixture shows it", r.ID)
		}
	}
}

// withoutExample are the rules whose pages have no example, with the reason. The example of a page comes from the fixtures
// of its rule.
var withoutExample = map[string]string{
	"api-server":              "it reports errors for which there is no rule, and each known error has one",
	"cel-internal-error":      "no manifest is known to cause the error",
	"checks-not-run":          "it depends on the errors that other rules report",
	"crd-added":               "it compares sets of files, and a fixture is one file",
	"crd-not-compared":        "the older form of a fixture can be read",
	"crd-removed":             "it compares sets of files, and a fixture is one file",
	"crd-two-owners":          "it compares sets of files, and a fixture is one file",
	"ignore-reason-missing":   "fixtures have no ignore comments; the page quotes one",
	"ignore-unknown-rule":     "fixtures have no ignore comments",
	"ignore-unused":           "fixtures have no ignore comments",
	"kustomize-list-replaced": "a fixture is one file, and no kustomization",
	"limit-exceeded":          "it takes a large input; TestLimits has one for each limit",
	"partial-document":        "a fixture is a whole CRD",
	"requirement-crd-missing": "it compares sets of files, and a fixture is one file",
	"schema-build-failed":     "no manifest is known to cause the error",
	"template-placeholder":    "fixtures are not templates; the page quotes placeholders",
	"yaml-syntax":             "a fixture parses",
}

// TestExamples checks that the page of each rule shows an example, except for those that say why not.
func TestExamples(t *testing.T) {
	t.Parallel()
	for _, r := range All() {
		has, reason := strings.Contains(Page(r.ID), "\n**Example**\n"), withoutExample[r.ID]
		switch {
		case !has && reason == "":
			t.Errorf("%s: the page has no example: write a want.yaml in the folder of the rule", r.ID)
		case has && reason != "":
			t.Errorf("%s: the page has an example: remove the rule from withoutExample", r.ID)
		}
	}
	for id := range withoutExample {
		if ByID(id) == nil {
			t.Errorf("%s in withoutExample is not a rule", id)
		}
	}
}
