package cli

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestLinksLeadSomewhere converts the fixtures, and follows what the reports say of their rules: to a heading of the
// catalogue, or nowhere. Some ids of conversions have no page.
func TestLinksLeadSomewhere(t *testing.T) {
	t.Parallel()
	catalogue, err := os.ReadFile(filepath.Join("..", "..", "rules", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	headings := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^### ([a-z0-9-]+)\r?$`).FindAllStringSubmatch(string(catalogue), -1) {
		headings[m[1]] = true
	}
	dir := t.TempDir()
	sarif, page := filepath.Join(dir, "out.sarif"), filepath.Join(dir, "out.md")
	for _, mode := range []string{"--check", "--output-dir=" + filepath.Join(dir, "converted")} { // what is written anew is told where it is written
		Run([]string{"convert", mode, "--verbose", "-o", "sarif=" + sarif, "-o", "markdown=" + page, filepath.Join("..", "..", "testdata", "convert")},
			strings.NewReader(""), io.Discard, io.Discard)
		used, linked := uriOf(t, sarif)
		for id, uri := range linked {
			if anchor, ok := strings.CutPrefix(uri, "https://github.com/crdlift/crdlift/blob/main/rules/README.md#"); !ok || !headings[anchor] || anchor != id {
				t.Errorf("%s has the page %s", id, uri)
			}
		}
		unpaged := []string{"conversion-reencoded"}
		if mode == "--check" {
			unpaged = append(unpaged, pendingRule.ID)
		}
		for _, id := range unpaged {
			if !used[id] || linked[id] != "" {
				t.Errorf("%s: used %v, links to %q", id, used[id], linked[id])
			}
		}
		if !used["schema-type-invalid"] || linked["schema-type-invalid"] == "" {
			t.Error("rules of the catalogue have no page")
		}
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		links := regexp.MustCompile(`\]\([^)]*/rules/README\.md#([^)]*)\)`).FindAllStringSubmatch(string(text), -1)
		if len(links) == 0 {
			t.Error("the page links to no rule")
		}
		for _, m := range links {
			if !headings[m[1]] {
				t.Errorf("the page links to %s", m[1])
			}
		}
	}
}

// uriOf gives the rules that the results of a SARIF file are of, and the pages of all rules that have one.
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
