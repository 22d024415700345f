package report

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/lint"
)

var lostRule = &lint.Rule{ID: "webhook-data-lost", Summary: "stored fields that a round trip loses", Severity: lint.Error, Conversion: true}

// ofConversions is a report on a test of conversions: a field that is lost, shown by an object with texts that no terminal may see, and
// one that is lost on purpose.
func ofConversions() *lint.Report {
	lost := func(line int, field string) *lint.Finding {
		return &lint.Finding{
			Rule: lostRule, Severity: lint.Error, Path: "spec.versions[0]." + field, Message: "v1 → v2 → v1 loses spec." + field,
			Resource: "gadgets.example.com", Versions: []string{"v1", "v2"}, Field: "spec." + field, Old: "large",
			Source: lint.Source{Pos: lint.Position{File: plainFile, Line: line, Column: 17, EndLine: line, EndColumn: 21}, Excerpt: "                " + field + ": {type: string}"},
		}
	}
	shown, ignored := lost(25, "size"), lost(26, "note")
	shown.Witness = map[string]any{
		"apiVersion": "example.com/v1", "kind": "Gadget", "metadata": map[string]any{"name": "a"},
		"spec": map[string]any{"size": "large", "text": "::error::[x](y) | <b> \x1b[31m", "port": "80"},
	}
	shown.Replay = "crdlift webhook test --url http://127.0.0.1:8080 --replay cases/data-lost-v1-v2-1.yaml crd.yaml"
	ignored.Ignored, ignored.IgnoredBy = "gone in v2", lint.ByComment
	return &lint.Report{
		Files: []string{plainFile}, Counts: lint.Counts{CRDs: 3}, Findings: []*lint.Finding{shown, ignored},
		Conversions: &lint.Conversions{Tested: 2, PassedOver: 1, Versions: 4, Pairs: 4, Objects: 1200, Untested: []string{"no object of v2 could be made"}},
	}
}

func TestConversionSummary(t *testing.T) {
	t.Parallel()
	if got, want := Summary(ofConversions()), "1 error (1 ignored); tested the conversion of 2 CRDs, skipped 1"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestLongObjects: people are shown the beginning of an object, and programs all of it.
func TestLongObjects(t *testing.T) {
	t.Parallel()
	r := ofConversions()
	var items []any
	for range 100 {
		items = append(items, strings.Repeat("x", 300))
	}
	r.Findings[0].Witness = map[string]any{"spec": items}
	shown := write(t, Text, r, Options{})
	if lines := strings.Count(shown, "\n"); lines > maxObjectLines+8 || !strings.Contains(shown, "# 61 more lines\n") {
		t.Errorf("%d lines:\n%s", lines, shown)
	}
	for line := range strings.Lines(shown) {
		if len([]rune(line)) > 2*maxWidth {
			t.Errorf("a line of %d characters", len([]rune(line)))
		}
	}
	var read struct {
		Findings []struct{ Witness map[string][]string }
	}
	if err := json.Unmarshal([]byte(write(t, JSON, r, Options{})), &read); err != nil {
		t.Fatal(err)
	}
	if n := len(read.Findings[0].Witness["spec"]); n != 100 {
		t.Errorf("%d items in JSON", n)
	}
}
