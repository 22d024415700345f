package suppress

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdlift/crdlift/internal/repository"
	"github.com/crdlift/crdlift/lint"
)

// roleByFile are the roles of files at "repo".
type roleByFile map[string]repository.Decision

func (r roleByFile) CRD(file, _ string) repository.Decision { return r[file] }
func (r roleByFile) File(file string) repository.Decision   { return r[file] }

var inTree = roleByFile{
	"repo/bases": {Role: lint.RoleSource}, "repo/chart": {Role: lint.RoleChart, Source: "repo/bases", Rank: 1},
	"repo/dist": {Role: lint.RoleBuilt, Source: "repo/bases", Rank: 2}, "repo/test": {Role: lint.RoleTest},
}

// TestBaselineOfCopies: a mistake is known by the entry of any file that has it, its source or a copy; a baseline written anew has one
// entry for it, and is as good. What is ignored in one file by other means says nothing of the others, and no test hides anything.
func TestBaselineOfCopies(t *testing.T) {
	t.Parallel()
	size := &lint.Rule{ID: "size", Severity: lint.Warning}
	const everywhere = "bases dist chart test"
	for story, test := range map[string]struct {
		entries string   // the files that the baseline has it of
		found   string   // the files that have it
		want    []string // what is told, with its copies; what is ignored in brackets
		left    int
	}{
		"nobody knows it":             {"", everywhere, []string{"bases also chart dist"}, 1},
		"a baseline of all files":     {everywhere, everywhere, []string{"[bases also chart dist: baseline]", "[test: baseline]"}, 0},
		"a baseline of what is told":  {"bases", everywhere, []string{"[bases also chart dist: baseline]"}, 1},
		"a copy was the source":       {"dist", everywhere, []string{"[bases also chart dist: baseline]"}, 1},
		"a test had it":               {"test", "bases chart test", []string{"bases also chart", "[test: baseline]"}, 0},
		"a copy alone has it":         {"chart", "chart", []string{"[chart: baseline]"}, 0},
		"copies alone have it":        {"dist", "dist chart", []string{"[chart also dist: baseline]"}, 0},
		"a copy ignores it":           {"", "bases dist chart! test", []string{"bases also dist", "[chart: so]"}, 1},
		"copies have it, one ignored": {"", "dist chart!", []string{"dist", "[chart: so]"}, 0},
		"the source ignores it":       {"", "bases! dist chart", []string{"[bases also chart dist: so]"}, 0},
		"a test ignores it":           {"", "test! chart", []string{"[test: so]", "chart"}, 0},
		"it is ignored and known":     {"dist", "bases! dist", []string{"[bases also dist: so]"}, 0},
	} {
		look := func(baseline []byte) (*lint.Report, []string) {
			run := &Run{Config: &lint.Config{Path: "repo/.crdlift.yaml"}}
			var err error
			if run.Baseline, err = ReadBaseline("repo/baseline.yaml", baseline, nil); err != nil {
				t.Fatalf("%s: %v", story, err)
			}
			all := &lint.Report{}
			for name := range strings.FieldsSeq(test.found) {
				if name, ignored := strings.CutSuffix(name, "!"); ignored {
					run.Config.Ignores = append(run.Config.Ignores, lint.Ignore{File: name, Reason: "so"})
				}
			}
			for name := range strings.FieldsSeq(strings.ReplaceAll(test.found, "!", "")) {
				f := &lint.Finding{Rule: size, Severity: lint.Warning, Resource: "widgets.example.com", Path: "spec", Source: lint.Source{Pos: lint.Point("repo/"+name, 1, 1)}}
				run.Mark(&File{FileReport: &lint.FileReport{Path: f.Pos.File, Findings: []*lint.Finding{f}}})
				all.Findings = append(all.Findings, f)
			}
			if story != "copies alone have it" { // and their source was not looked at
				all.Files = []string{"repo/bases"}
			}
			Fold(all, inTree)
			return all, toldIn(all)
		}
		var entries strings.Builder
		for file := range strings.FieldsSeq(test.entries) {
			fmt.Fprintf(&entries, "- {path: %s, findings: [{rule: size, resource: widgets.example.com, path: spec}]}\n", file)
		}
		all, told := look([]byte("version: 1\nfiles:\n" + entries.String()))
		if diff := cmp.Diff(test.want, told); diff != "" || len(all.LeftOut) != test.left {
			t.Errorf("%s: %d are left out; %s", story, len(all.LeftOut), diff)
		}
		for _, f := range all.Findings {
			of := inTree[f.Pos.File].Source
			if !slices.Contains(all.Files, of) {
				of = ""
			}
			if f.CopyOf != of {
				t.Errorf("%s: of the finding in %s, the source is %q, not %q", story, f.Pos.File, f.CopyOf, of)
			}
		}
		written := WriteBaseline("repo/baseline.yaml", all, nil)
		if n, want := strings.Count(string(written), "rule: size"), strings.Count(strings.Join(told, ";"), "baseline")+all.Count(lint.Warning); n != want {
			t.Errorf("%s: a baseline written anew has %d entries, want %d:\n%s", story, n, want, written)
		}
		if again, _ := look(written); again.Count(lint.Warning) > 0 {
			t.Errorf("%s: a baseline written anew does not have all", story)
		}
	}
}

// toldIn are the findings of a report: the file of each, those of its copies, and why it is ignored.
func toldIn(r *lint.Report) (all []string) {
	for _, f := range r.Findings {
		said := strings.TrimPrefix(f.Pos.File, "repo/")
		for i, at := range f.Copies {
			if i == 0 {
				said += " also"
			}
			said += " " + strings.TrimPrefix(at.File, "repo/")
		}
		if f.Ignored != "" {
			said = fmt.Sprintf("[%s: %s]", said, f.Ignored)
		}
		all = append(all, said)
	}
	return all
}

// TestFoldAcross leaves out what relates a source to a test's CRD: whoever mends the source can do nothing about it.
func TestFoldAcross(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		related string
		across  bool
		told    int
	}{
		"another source": {"repo/bases", true, 1},
		"a test":         {"repo/test", true, 0},
		"a mere place":   {"repo/test", false, 1},
	} {
		one := &lint.Finding{Rule: &lint.Rule{ID: "names", Across: test.across}, Source: lint.Source{Pos: lint.Point("repo/bases", 1, 1)},
			Related: []lint.Related{{Pos: lint.Point(test.related, 1, 1)}}}
		all := &lint.Report{Findings: []*lint.Finding{one}}
		Fold(all, inTree)
		if len(all.Findings) != test.told || len(all.LeftOut) != 1-test.told {
			t.Errorf("%s: %d are told, %d left out", name, len(all.Findings), len(all.LeftOut))
		}
	}
}
