package cli

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/convert"
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/conversion"
	"github.com/crdlift/crdlift/internal/overview"
	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/rules"
)

// TestLinksLeadSomewhere converts the fixtures, and follows the links of the reports to their rules: each leads to the page
// of a rule or a kind of note.
func TestLinksLeadSomewhere(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	sarif, page := filepath.Join(dir, "out.sarif"), filepath.Join(dir, "out.md")
	for _, mode := range []string{"--check", "--output-dir=" + filepath.Join(dir, "converted")} { // what is written anew is told where it is written
		Run([]string{"convert", mode, "--verbose", "-o", "sarif=" + sarif, "-o", "markdown=" + page, filepath.Join("..", "..", "testdata", "convert")},
			strings.NewReader(""), io.Discard, io.Discard)
		used, linked := uriOf(t, sarif)
		for id, uri := range linked {
			if uri != report.RulePage(id) || rules.Page(id) == "" {
				t.Errorf("%s has the page %s", id, uri)
			}
		}
		for id := range used {
			if linked[id] == "" {
				t.Errorf("%s has no page", id)
			}
		}
		told := []string{"conversion-reencoded", "column-path-renamed"}
		if mode == "--check" {
			told = append(told, overview.Pending)
		}
		for _, id := range told {
			if !used[id] {
				t.Errorf("nothing is said of %s", id)
			}
		}
		if !used["schema-type-invalid"] || linked["schema-type-invalid"] == "" {
			t.Error("rules of the catalogue have no page")
		}
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		links := regexp.MustCompile(`\]\(`+regexp.QuoteMeta(report.RulePage(""))+`([^)]*)\)`).FindAllStringSubmatch(string(text), -1)
		if len(links) == 0 {
			t.Error("the page links to no rule")
		}
		for _, m := range links {
			if rules.Page(m[1]) == "" {
				t.Errorf("the page links to %s", m[1])
			}
		}
	}
}

// uriOf returns the rules that the results of a SARIF file are of, and the pages of all rules that have one.
func uriOf(t *testing.T, path string) (used map[string]bool, linked map[string]string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var log struct {
		Runs []struct {
			Tool struct {
				Driver struct {
					Rules []struct{ ID, HelpURI string }
				}
			}
			Results []struct{ RuleID string }
		}
	}
	if err := json.Unmarshal(text, &log); err != nil {
		t.Fatal(err)
	}
	used, linked = map[string]bool{}, map[string]string{}
	for _, result := range log.Runs[0].Results {
		used[result.RuleID] = true
	}
	for _, rule := range log.Runs[0].Tool.Driver.Rules {
		if rule.HelpURI != "" {
			linked[rule.ID] = rule.HelpURI
		}
	}
	return used, linked
}

// TestNotesHavePages converts the fixtures in both ways that they are for, and looks up every note: one about a step has an
// id of its own, one about a rejection that of its rule, and each has a page.
func TestNotesHavePages(t *testing.T) {
	t.Parallel()
	kinds := map[string]bool{}
	for _, k := range conversion.Kinds {
		kinds[k.ID] = false
		if rules.ByID(k.ID) != nil {
			t.Errorf("%s is a rule as well", k.ID)
		}
		if rules.Doc(k.ID) == "" || !strings.Contains(rules.Page(k.ID), rules.Doc(k.ID)) {
			t.Errorf("%s has no page", k.ID)
		}
	}
	inputs, err := filepath.Glob("../../testdata/convert/*/input.*")
	if err != nil || len(inputs) == 0 {
		t.Fatal("no fixtures", err)
	}
	for _, path := range inputs {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var options policy.Options
		if text, err := os.ReadFile(filepath.Join(filepath.Dir(path), "options.json")); err == nil {
			if err := json.Unmarshal(text, &options); err != nil {
				t.Fatal(err)
			}
		}
		for _, options.Policy = range []policy.Policy{policy.Exact, policy.Idiomatic} {
			result, err := convert.File(path, src, options)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range candidates(result) {
				for _, n := range c.Notes {
					rule := rules.ByID(n.ID)
					if _, known := kinds[n.ID]; known {
						kinds[n.ID] = true
					} else if rule == nil || n.Class == policy.Safe {
						t.Errorf("%s: nothing lists notes of %s: %s", path, n.ID, n.Message)
					}
				}
			}
		}
	}
	kinds[overview.Pending] = true // which convert --check reports
	for id, made := range kinds {
		if !made {
			t.Errorf("no fixture has a note of %s", id)
		}
	}
}
