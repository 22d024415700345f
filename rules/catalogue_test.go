package rules

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/conversion"
	"github.com/crdlift/crdlift/internal/diff"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/lint"
)

// TestCataloguePage keeps rules/README.md in step with the rules and their fixtures.
func TestCataloguePage(t *testing.T) {
	t.Parallel()
	page := cataloguePage(t)
	if *update {
		if err := os.WriteFile("README.md", page, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	have, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, page) {
		t.Error("rules/README.md is out of date; go test ./rules -run Catalogue -update writes it anew")
	}
	for _, r := range All() {
		if !strings.Contains(Page(r.ID), Doc(r.ID)) && bytes.Equal(have, page) {
			t.Errorf("crdlift explain %s does not show its page", r.ID)
		}
		if strings.Contains(Page(r.ID), goHeading) != strings.Contains(Doc(r.ID), goHeading) {
			t.Errorf("the documentation of %s does not have the markers of its page", r.ID)
		}
	}
}

func cataloguePage(t *testing.T) []byte {
	examples := map[string][]fixture{}
	for _, f := range fixtures(t) {
		examples[f.rule] = append(examples[f.rule], f)
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "# Rules\n\n")
	fmt.Fprintf(&out, "All %d rules, by topic. `crdlift explain RULE` prints a rule's part of this page, `crdlift rules` the list.\n", len(All()))
	fmt.Fprintf(&out, "This page is made from the rules and from the fixtures below `rules/testdata`: `make update` writes it anew.\n\n")
	fmt.Fprintf(&out, "**Severity** is the default, which the configuration can override; **preset** is the smallest set that runs the rule;\n")
	fmt.Fprintf(&out, "**fix** is safe where `--fix` repairs a finding, unsafe where that takes `--fix --unsafe-fixes`, and in Go types where\n")
	fmt.Fprintf(&out, "only `--fix-go` does. **In Go types** names the markers that fix a CRD of controller-gen; see\n")
	fmt.Fprintf(&out, "[the guide](../docs/go-types.md).\n")
	var body bytes.Buffer
	for _, topic := range Topics() {
		fmt.Fprintf(&out, "\n## %s\n\n| rule | reports | severity | preset | fix |\n|---|---|---|---|---|\n", topic.Title)
		for _, r := range topic.Rules {
			e := exampleOf(t, r, examples[r.ID])
			fmt.Fprintf(&out, "| [`%s`](#%s) | %s | %s | %s | %s |\n", r.ID, r.ID, strings.ReplaceAll(r.Summary, "|", `\|`), r.Severity, r.Preset, e.fix)
			fmt.Fprintf(&body, "\n### %s\n\nReports %s.\n\nSeverity: %s. Preset: %s. Fix: %s.", r.ID, r.Summary, r.Severity, r.Preset, e.fix)
			if r.NeedsOld {
				fmt.Fprintf(&body, " Runs with `--against`.")
			}
			fmt.Fprintf(&body, "\n\n%s\n", written(r.ID))
			body.WriteString(inGo(t, r, examples[r.ID]))
			body.WriteString(e.text)
		}
	}
	out.WriteString("\n## The rules one by one\n")
	out.Write(body.Bytes())
	out.Write(notesPage())
	return out.Bytes()
}

// notesPage is the part of the catalogue about notes of conversions.
func notesPage() []byte {
	var out, body bytes.Buffer
	fmt.Fprintf(&out, "\n## Notes of conversions\n\n")
	fmt.Fprintf(&out, "`crdlift convert` reports its changes under these ids. They are not rules and cannot be turned off. Errors that an API\n")
	fmt.Fprintf(&out, "server would report have the id of the corresponding rule above.\n\n| note | reports | class |\n|---|---|---|\n")
	for _, k := range conversion.Kinds {
		fmt.Fprintf(&out, "| [`%s`](#%s) | %s | %s |\n", k.ID, k.ID, k.Summary, k.Class)
		fmt.Fprintf(&body, "\n### %s\n\nReports %s.\n\nClass: %s.\n\n%s\n", k.ID, k.Summary, k.Class, Doc(k.ID))
	}
	out.WriteString("\n## The notes one by one\n")
	out.Write(body.Bytes())
	return out.Bytes()
}

// An example shows a rule at work.
type example struct {
	fix  string // "safe", "unsafe", "in Go types" or "no"
	text string
}

// exampleOf takes the first fixture of a rule as its example.
func exampleOf(t *testing.T, r *lint.Rule, all []fixture) example {
	e := example{fix: "no"}
	if fixesGo(r) {
		e.fix = "in Go types"
	}
	slices.SortStableFunc(all, func(a, b fixture) int { return plainFirst(a) - plainFirst(b) })
	for _, f := range all {
		if strings.HasPrefix(filepath.Base(f.path), "ok") {
			continue
		}
		l := f.linter(t)
		l.Edits = true
		i := -1
		src := withoutWants(f.src)
		found := l.Report([]*engine.FileReport{l.File(f.path, src)}).Findings
		for j, finding := range found {
			if finding.Rule.ID != r.ID {
				continue
			}
			if i < 0 {
				i = j
			}
			if fix := finding.Fix; fix != nil && e.fix != "safe" {
				e.fix = map[bool]string{true: "safe", false: "unsafe"}[fix.Safe]
			}
		}
		if i < 0 || e.text != "" {
			continue
		}
		e.text = fmt.Sprintf("\n**Example**\n\n```yaml\n%s```\n\n> line %d: %s\n", excerpt(src, found[i].Pos.Line), found[i].Pos.Line, found[i].Message)
		if fixed := f.fixer(t).Fix(f.path, src, true).Output; !bytes.Equal(fixed, src) {
			unified := diff.Unified("crd.yaml", "crd.yaml", src, fixed)
			if _, hunks, ok := bytes.Cut(unified, []byte("+++ crd.yaml\n")); ok && len(hunks) < 2000 {
				e.text += fmt.Sprintf("\nFixed:\n\n```diff\n%s```\n", hunks)
			}
		}
	}
	return e
}

// plainFirst orders want.yaml, which shows the rule's usual case, before its variants.
func plainFirst(f fixture) int {
	if name, _, _ := strings.Cut(filepath.Base(f.path), "."); name == "want" {
		return 0
	}
	return 1
}

// excerpt is the text around a line, numbered from its beginning.
func excerpt(src []byte, line int) string {
	lines := strings.Split(strings.TrimRight(string(src), "\n"), "\n")
	var out strings.Builder
	for i := max(line-5, 1); i <= min(line+4, len(lines)); i++ {
		mark := " "
		if i == line {
			mark = ">"
		}
		fmt.Fprintf(&out, "%s%3d  %.120s\n", mark, i, lines[i-1])
	}
	return out.String()
}

// withoutWants takes the expectations out of a fixture.
func withoutWants(src []byte) []byte {
	var out strings.Builder
	for line := range strings.Lines(string(src)) {
		before, _, ok := strings.Cut(line, "# want")
		switch {
		case strings.HasPrefix(line, foundMark):
		case !ok:
			out.WriteString(line)
		case strings.TrimSpace(before) != "":
			out.WriteString(strings.TrimRight(before, " ") + "\n")
		}
	}
	return []byte(out.String())
}
