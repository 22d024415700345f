package rules

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/crdlift/crdlift/internal/conversion"
	"github.com/crdlift/crdlift/internal/diff"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/lint"
)

// TestCataloguePage keeps rules/README.md in step with the rules, and the examples on their pages with their fixtures.
func TestCataloguePage(t *testing.T) {
	t.Parallel()
	examples := map[string][]fixture{}
	for _, f := range fixtures(t) {
		examples[f.rule] = append(examples[f.rule], f)
	}
	made := map[string]example{}
	for _, topic := range Topics() {
		for _, r := range topic.Rules {
			made[r.ID] = shown(t, r, examples[r.ID])
			path := filepath.Join(fixtureRoot, topic.Name, r.ID, "example.md")
			text := made[r.ID].markdown()
			upToDate(t, path, text)
			if diff := gocmp.Diff(made[r.ID], parseExample(text), gocmp.AllowUnexported(example{})); diff != "" {
				t.Errorf("%s is read in another way than it is written (-want +got):\n%s", path, diff)
			}
		}
	}
	upToDate(t, "README.md", cataloguePage(made))
}

// TestExamplesOfRules checks that no example is left over from a rule that has another name or topic now.
func TestExamplesOfRules(t *testing.T) {
	t.Parallel()
	left, err := filepath.Glob(fixtureRoot + "/*/*/example.md")
	if err != nil || len(left) == 0 {
		t.Fatal("no examples", err)
	}
	for _, path := range left {
		folder := filepath.Dir(path)
		if id := filepath.Base(folder); topicOf(id) != filepath.Base(filepath.Dir(folder)) || ByID(id) == nil {
			t.Errorf("%s belongs to no rule", path)
		}
	}
}

// upToDate holds a file that is made from rules and fixtures against what they make now.
func upToDate(t *testing.T, path, text string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if have, err := os.ReadFile(path); err != nil || string(have) != text {
		t.Errorf("rules/%s is out of date; go test ./rules -run Catalogue -update writes it anew", filepath.ToSlash(path))
	}
}

// cataloguePage is the table of all rules and kinds of notes. Each leads to its page.
func cataloguePage(examples map[string]example) string {
	var out strings.Builder
	row := func(r *lint.Rule, rest string) {
		fmt.Fprintf(&out, "| [`%s`](%s) | %s | %s |\n", r.ID, report.RulePage(r.ID), strings.ReplaceAll(r.Summary, "|", `\|`), rest)
	}
	fmt.Fprintf(&out, "# Rules\n\n")
	fmt.Fprintf(&out, "All %d rules, by topic. Each leads to its page, with an example. `crdlift explain RULE` prints the page, `crdlift explain`\n", len(All()))
	fmt.Fprintf(&out, "the list. This page is made from the rules: `make update` writes it again.\n\n")
	fmt.Fprintf(&out, "**Severity** is the default, which the configuration can override; **preset** is the smallest set that runs the rule;\n")
	fmt.Fprintf(&out, "**fix** is safe where `--fix` repairs a finding, unsafe where that takes `--fix --unsafe-fixes`, and in Go types where\n")
	fmt.Fprintf(&out, "only `--fix-go` does, which [the guide](../docs/guides/go-types.md) is about.\n")
	for _, topic := range Topics() {
		fmt.Fprintf(&out, "\n## %s\n\n| rule | reports | severity | preset | fix |\n|---|---|---|---|---|\n", topic.Title)
		for _, r := range topic.Rules {
			row(r, fmt.Sprintf("%s | %s | %s", r.Severity, r.Preset, examples[r.ID].fix))
		}
	}
	fmt.Fprintf(&out, "\n## Notes of conversions\n\n")
	fmt.Fprintf(&out, "`crdlift convert` reports its changes under these ids. They are not rules and cannot be turned off. Errors that an API\n")
	fmt.Fprintf(&out, "server would report have the id of the corresponding rule above.\n\n| note | reports | class |\n|---|---|---|\n")
	for i, r := range Notes() {
		row(r, string(conversion.Kinds[i].Class))
	}
	return out.String()
}

// shown takes the first fixture of a rule that has a finding as its example.
func shown(t *testing.T, r *lint.Rule, all []fixture) example {
	e := example{fix: "no", inGo: inGo(t, r, all)}
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
		if i < 0 || e.shown != nil {
			continue
		}
		e.shown = &Example{Code: excerpt(src, found[i].Pos.Line), Line: found[i].Pos.Line, Message: found[i].Message}
		for _, there := range found[i].Related {
			name := filepath.Base(there.Pos.File)
			if earlier, err := os.ReadFile(filepath.Join(filepath.Dir(f.path), name)); err == nil && strings.HasPrefix(name, "old") {
				e.shown.Before = excerpt(earlier, there.Pos.Line)
				break
			}
		}
		if fixed := f.fixer(t).Fix(f.path, src, true).Output; !bytes.Equal(fixed, src) {
			unified := diff.Unified("crd.yaml", "crd.yaml", src, fixed)
			if _, hunks, ok := bytes.Cut(unified, []byte("+++ crd.yaml\n")); ok && len(hunks) < 2000 {
				e.shown.Fixed = string(hunks)
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
