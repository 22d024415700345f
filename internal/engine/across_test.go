package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdlift/crdlift/lint"
)

// backupV1beta1 is a CRD of the older version, whose schema stands above its versions.
const backupV1beta1 = `apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata:
  name: backups.example.com
spec:
  group: example.com
  names: {kind: Backup, plural: backups}
  scope: Namespaced
  versions:
  - {name: v1, served: true, storage: true}
  - {name: v2, served: true, storage: false}
  validation:
    openAPIV3Schema: {type: object}
  subresources:
    status: {}
  additionalPrinterColumns:
  - {name: Größe, type: string, JSONPath: .spec.size}
`

// TestSummary: a rule that looks across files knows every name of a CRD, with its place, and those that the API server
// adds, at the place that lacks them.
func TestSummary(t *testing.T) {
	t.Parallel()
	var got []string
	rule := &Rule{ID: "across", Severity: lint.Error, Across: func(s *Set) {
		for _, c := range s.CRDs {
			for _, n := range append([]Name{c.Resource, c.Group, c.Plural, c.Singular, c.Kind, c.ListKind}, c.ShortNames...) {
				got = append(got, fmt.Sprintf("%s:%d:%d-%d:%d %s %s", n.Pos.File, n.Pos.Line, n.Pos.Column, n.Pos.EndLine, n.Pos.EndColumn, n.Path, n.Value))
			}
		}
	}}
	l := &Linter{Rules: []*Rule{rule}}
	unreadable := strings.Replace(backup, "[bk, bu, bkp]", "bk", 1)
	l.Report([]*FileReport{l.File("a.yaml", []byte(backup)), l.File("b.yaml", []byte(unreadable))})
	want := []string{
		"a.yaml:4:9-4:28 metadata.name backups.example.com",
		"a.yaml:6:10-6:21 spec.group example.com",
		"a.yaml:9:13-9:20 spec.names.plural backups",
		"a.yaml:7:3-7:8 spec.names backup",
		"a.yaml:8:11-8:17 spec.names.kind Backup",
		"a.yaml:7:3-7:8 spec.names BackupList",
		"a.yaml:10:18-10:20 spec.names.shortNames[0] bk",
		"a.yaml:10:22-10:24 spec.names.shortNames[1] bu",
		"a.yaml:10:26-10:29 spec.names.shortNames[2] bkp",
		"b.yaml:4:9-4:28 metadata.name backups.example.com",
		"b.yaml:6:10-6:21 spec.group example.com",
		"b.yaml:9:13-9:20 spec.names.plural backups",
		"b.yaml:7:3-7:8 spec.names backup",
		"b.yaml:8:11-8:17 spec.names.kind Backup",
		"b.yaml:7:3-7:8 spec.names BackupList",
		"b.yaml:10:17-10:19 spec.names.shortNames bk", // read as a list of one
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestReportAcross: what a rule across files reports stands among the findings of the file that it is about, with the
// severity there.
func TestReportAcross(t *testing.T) {
	t.Parallel()
	plural := &Rule{ID: "plural", Severity: lint.Error, Across: func(s *Set) {
		for _, c := range s.CRDs {
			s.Reportf(c, c.Plural, "%s is the plural of %d CRDs", c.Plural.Value, len(s.CRDs))
		}
	}}
	l := &Linter{
		Rules:   []*Rule{plural, speaks("kind", "spec.names.kind", nil), speaks("scope", "spec.scope", nil)},
		Options: lint.Options{Config: &lint.Config{Overrides: []lint.Override{{Paths: []string{"mild.yaml"}, Rules: map[string]lint.Severity{"plural": lint.Info}}, {Paths: []string{"off.yaml"}, Rules: map[string]lint.Severity{"plural": lint.Off}}}}},
	}
	var files []*FileReport
	for _, path := range []string{"a.yaml", "mild.yaml", "off.yaml"} {
		files = append(files, l.File(path, []byte(backup)))
	}
	var got []string
	for _, f := range l.Report(files).Findings {
		got = append(got, fmt.Sprintf("%s:%d:%d %s %s %s %s", f.Pos.File, f.Pos.Line, f.Pos.Column, f.Severity, f.Rule.ID, f.Path, f.Resource))
	}
	want := []string{
		"a.yaml:8:11 error kind spec.names.kind backups.example.com",
		"a.yaml:9:13 error plural spec.names.plural backups.example.com",
		"a.yaml:11:10 error scope spec.scope backups.example.com",
		"mild.yaml:8:11 error kind spec.names.kind backups.example.com",
		"mild.yaml:9:13 info plural spec.names.plural backups.example.com",
		"mild.yaml:11:10 error scope spec.scope backups.example.com",
		"off.yaml:8:11 error kind spec.names.kind backups.example.com",
		"off.yaml:11:10 error scope spec.scope backups.example.com",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestReportOfChanges leaves out what is not about the change, and does not call gone what was not looked for.
func TestReportOfChanges(t *testing.T) {
	t.Parallel()
	var ran []string
	rule := func(id string, r Rule) *Rule {
		r.ID, r.Severity = id, lint.Error
		r.Run = func(p *Pass) {
			ran = append(ran, id)
			p.Report(at(p.CRD, "spec.scope"), "is here")
		}
		return &r
	}
	l := &Linter{
		Rules:   []*Rule{rule("plain", Rule{}), rule("old", Rule{NeedsOld: true}), rule("new", Rule{AboutChange: true})},
		Options: lint.Options{Baseline: &lint.Baseline{Path: "baseline.yaml", Counts: map[string]map[lint.KnownFinding]int{"a.yaml": {{Rule: "plain", Resource: "elsewhere"}: 1}}}},
	}
	for changes, want := range map[bool]string{false: "plain new; 1:1 yaml-syntax, 13:10 new, 13:10 plain; 1 gone", true: "new; 1:1 yaml-syntax, 13:10 new; 0 gone"} {
		ran, l.Changes = nil, changes
		r := l.Report([]*FileReport{l.File("a.yaml", []byte("kind: [CustomResourceDefinition\n---\n"+backup))})
		if got := fmt.Sprintf("%s; %s; %d gone", strings.Join(ran, " "), strings.Join(told(r), ", "), r.BaselineGone); got != want {
			t.Errorf("changes %t: got %s, want %s", changes, got, want)
		}
	}
}

// TestCrowded: a file with several CRDs is one of those where messages name the CRD; files that were read for their
// CRDs' sake are listed after those that hold them, each once.
func TestCrowded(t *testing.T) {
	t.Parallel()
	l := &Linter{}
	two, one := l.File("two.yaml", []byte(backup+"---\n"+backup)), l.File("one.yaml", []byte(backup))
	one.Sources, two.Sources = []string{"two.yaml", "patch.yaml", "patch.yaml"}, []string{"two.yaml"}
	r := l.Report([]*FileReport{one, two})
	if diff := cmp.Diff(map[string]bool{"two.yaml": true}, r.Crowded); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"one.yaml", "two.yaml", "patch.yaml"}, r.Files); diff != "" {
		t.Error(diff)
	}
}

// TestBuiltBeside judges a CRD as it is and as it is built: it is counted once, both have their findings, what a patch settles
// is settled in both, and those built from several files are looked at together.
func TestBuiltBeside(t *testing.T) {
	t.Parallel()
	across := &Rule{ID: "across", Severity: lint.Error, Across: func(s *Set) {
		for _, c := range s.CRDs {
			s.Reportf(c, c.Resource, "%d in %q", len(s.CRDs), s.Unit(c))
		}
	}}
	alone := &Rule{ID: "alone", Severity: lint.Error, Run: func(p *Pass) { p.Reportf(at(p.CRD, "spec.scope"), "unfinished: %t", p.Unfinished()) }}
	l := &Linter{Rules: []*Rule{across, alone}}
	final := &Linter{Rules: l.Rules, Options: lint.Options{Final: true}}
	one, built, other := l.File("one.yaml", []byte(backup)), final.File("one.yaml", []byte(backup)), final.File("two.yaml", []byte(backup))
	built.Sources, other.Sources = []string{"one.yaml", "patch.yaml"}, []string{"two.yaml"}
	r := l.Report([]*FileReport{one, built, other})
	var said []string
	for _, f := range r.Findings {
		said = append(said, f.Pos.File+": "+f.Message)
	}
	slices.Sort(said)
	want := []string{
		`one.yaml: 1 in "one.yaml"`, `one.yaml: 2 in ""`, "one.yaml: unfinished: false", "one.yaml: unfinished: false",
		`two.yaml: 2 in ""`, "two.yaml: unfinished: false",
	}
	if diff := cmp.Diff(want, said); diff != "" {
		t.Error(diff)
	}
	if r.CRDs != 1 || len(r.Defined) != 1 || !slices.Equal(r.Files, []string{"one.yaml"}) {
		t.Errorf("%d CRDs, %d defined, in %v", r.CRDs, len(r.Defined), r.Files)
	}
}
