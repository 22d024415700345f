package rules_test

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/convert"
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// TestConversionSpeaksAsLint: what a rejection means, convert says in the words of lint and at the same place, and never in
// the server's; only an option of convert may be advised besides.
func TestConversionSpeaksAsLint(t *testing.T) {
	t.Parallel()
	spoken := map[string]bool{}
	paths, err := filepath.Glob("testdata/*/*/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		out, err := convert.Explained(path, src, policy.Options{}, rules.Explainer())
		if err != nil || out.Template != "" {
			continue
		}
		linted := refusals(path, src)
		for _, c := range out.CRDs {
			for _, n := range c.Notes {
				said, known := linted[n.ID]
				if n.Class != policy.Report || !known || slices.Contains(unasked, n.ID) {
					continue
				}
				if strings.Contains(n.Message, "API server rejects this: ") && n.ID != "api-server" {
					t.Errorf("%s: %s is in the server's words: %s", path, n.ID, n.Message)
					continue
				}
				message, _, _ := strings.Cut(n.Message, "; or convert with --policy")
				message, _, _ = strings.Cut(message, "; or 'convert.unapprovedAPI")
				if !said[place{n.Pos, message}] {
					t.Errorf("%s:%d:%d: %s: lint does not say %q there", path, n.Pos.Line, n.Pos.Column, n.ID, n.Message)
				}
				spoken[n.ID] = true
			}
		}
	}
	t.Logf("rejections of %d rules are explained", len(spoken))
	if len(spoken) < 60 {
		t.Errorf("rejections of %d rules are explained, want at least 60", len(spoken))
	}
}

// unasked are notes about what no server was asked, and where a conversion asks for more than its servers do.
var unasked = []string{"document-head-misspelt", "unknown-field"}

// A place is where something is said.
type place struct {
	pos     lint.Position
	message string
}

// refusals are what lint says about what servers reject, by rule.
func refusals(path string, src []byte) map[string]map[place]bool {
	said := map[string]map[place]bool{}
	for _, f := range (&rules.Linter{}).File(path, src).Findings {
		if f.RefusedBy == "" && f.Foreseen == "" {
			continue
		}
		if said[f.Rule.ID] == nil {
			said[f.Rule.ID] = map[place]bool{}
		}
		message := cmp.Or(f.Foreseen, f.Message)
		message, _, _ = strings.Cut(message, "; or convert with --policy")
		message, _, _ = strings.Cut(message, "; or 'convert.unapprovedAPI")
		said[f.Rule.ID][place{f.Pos, message}] = true
	}
	return said
}
