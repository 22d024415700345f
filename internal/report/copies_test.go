package report

import (
	"fmt"
	"html"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdlift/crdlift/lint"
)

const (
	basesFile = "config/crd/bases/example.com_widgets.yaml"
	chartFile = "charts/a|b::error::\x1b](1)/widgets.yaml"
	distFile  = "dist/install.yaml"
)

// inRepository is a report on a repository: a source has two mistakes, one of which a chart has as well, and one the chart twice and
// a bundle; the chart has one of its own. Findings of tests, releases, designs and other projects are only counted.
func inRepository() *lint.Report {
	at := func(file string, line int) lint.Position {
		return lint.Position{File: file, Line: line, Column: 3, EndLine: line, EndColumn: 7}
	}
	told := func(rule *lint.Rule, role lint.Role, because, message string, pos lint.Position, copies ...lint.Position) *lint.Finding {
		return &lint.Finding{
			Rule: rule, Severity: rule.Severity, Message: message, Resource: "widgets.example.com", Path: fmt.Sprintf("spec.versions[%d]", pos.Line),
			Source: lint.Source{Pos: pos, Excerpt: "  type: object"}, Role: role, RoleBecause: because, Copies: copies,
		}
	}
	const made = "Makefile:12 writes it"
	r := &lint.Report{
		Files: []string{basesFile, chartFile, distFile, "test/crd.yaml"}, Counts: lint.Counts{CRDs: 3},
		Findings: []*lint.Finding{
			told(typeRule, lint.RoleSource, made, "no type", at(basesFile, 5), at(chartFile, 8)),
			told(nameRule, lint.RoleSource, made, "no case", at(basesFile, 9), at(chartFile, 12), at(distFile, 3), at(chartFile, 14)),
			told(infoRule, lint.RoleChart, "below charts/Chart.yaml", "of the chart alone", at(chartFile, 20)),
			told(infoRule, lint.RoleSource, made, "ignored", at(basesFile, 30), at(chartFile, 33)),
		},
	}
	r.Findings[0].Origin = &lint.Origin{
		Mark:       lint.Mark{Pos: at("api/types.go", 7), Symbol: "Spec", At: lint.TypeDeclaration, Add: []lint.Marker{{Text: "+listType=map"}}},
		Confidence: lint.ExactOrigin, Generator: "controller-gen v0.21.0",
	}
	r.Findings[2].CopyOf = basesFile
	r.Findings[3].Ignored = "for now"
	leave := func(n int, rule *lint.Rule, role lint.Role, file, crd string) {
		for range n {
			f := told(rule, role, "named "+string(role), "no type", at(file, 1))
			f.Resource = crd
			r.LeftOut = append(r.LeftOut, f)
		}
	}
	leave(2, typeRule, lint.RoleTest, "test/crd.yaml", "widgets.example.com")
	leave(1, nameRule, lint.RoleTest, "test/crd.yaml", "widgets.example.com")
	r.LeftOut[0].Ignored = "not counted at all"
	leave(6, typeRule, lint.RoleOld, "releases/v1.yaml", "widgets.example.com")
	leave(1, typeRule, lint.RoleDocs, "docs/crd.yaml", "widgets.example.com")
	leave(1, typeRule, lint.RoleForeign, "vendor.yaml", "routes.gateway.example.net")
	leave(2, typeRule, lint.RoleForeign, "vendor.yaml", "monitors.watch|\x1b[31m.example.org")
	leave(1, infoRule, lint.RoleForeign, "vendor.yaml", "issuers.cert.example.io")
	leave(1, infoRule, lint.RoleForeign, "vendor.yaml", "")
	return r
}

func TestLeftOut(t *testing.T) {
	t.Parallel()
	const want = "left out: 2 in tests, 6 in old releases, 1 in documentation, 5 of third-party CRDs (watch|\x1b[31m.example.org, cert.example.io, 1 more); " +
		"crdlift breaking --all-files shows them"
	if got := LeftOut(inRepository(), "crdlift breaking"); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	for story, test := range map[string]struct {
		all  []*lint.Finding
		want string
	}{
		"nothing":              {nil, ""},
		"only what is ignored": {[]*lint.Finding{{Role: lint.RoleTest, Ignored: "x"}}, ""},
		"one":                  {[]*lint.Finding{{Role: lint.RoleDocs}}, "left out: 1 in documentation; crdlift lint --all-files shows it"},
		"counted":              {[]*lint.Finding{{Role: lint.RoleOld, More: 4}}, "left out: 5 in old releases; crdlift lint --all-files shows them"},
		"two groups":           {[]*lint.Finding{{Role: lint.RoleForeign, Resource: "a.b"}, {Role: lint.RoleForeign, Resource: "a.a.c"}}, "left out: 2 of third-party CRDs (a.c, b); crdlift lint --all-files shows them"},
	} {
		if got := LeftOut(&lint.Report{LeftOut: test.all}, "crdlift lint"); got != test.want {
			t.Errorf("%s: got %q, want %q", story, got, test.want)
		}
	}
	for group, want := range map[string]string{"cert.example.io": "5 of CRDs that no code here declares (watch|", "example.io": "5 of third-party CRDs (watch|"} {
		r := inRepository()
		r.Defined = []lint.CRD{{Name: "widgets." + group}}
		if got := LeftOut(r, "crdlift lint"); !strings.Contains(got, want) {
			t.Errorf("beside a CRD of %s: got %q, want %q", group, got, want)
		}
	}
	for _, role := range lint.Roles() {
		if counted := len(LeftOutParts(map[lint.Role]int{role: 1})); (counted == 1) == role.Told() {
			t.Errorf("findings about files of the role %s are counted %d times", role, counted)
		}
	}
}

// TestThirdParties: release notes say that CRDs of other projects changed, which come with the release, and nothing of tests.
func TestThirdParties(t *testing.T) {
	t.Parallel()
	o := Options{Changelog: &Changelog{Since: "v1"}}
	const want = "# API changes since v1\n\nNone.\n\nThird-party CRDs changed as well (watch&#124;&#92;x1b&#91;31m.example.org, cert.example.io, 1 more): 5 changes, 3 of them breaking.\n"
	r := inRepository()
	if diff := cmp.Diff(want, write(t, Markdown, r, o)); diff != "" {
		t.Error(diff)
	}
	r.LeftOut = r.LeftOut[:8]
	if got := write(t, Markdown, r, o); strings.Contains(got, "as well") {
		t.Error(got)
	}
}

// TestAllCopies names every copy where that is asked for, also of findings that say the same as others before them.
func TestAllCopies(t *testing.T) {
	t.Parallel()
	r := inRepository()
	r.Findings = r.Findings[:1]
	for range maxAlike + 1 {
		again := *r.Findings[0]
		r.Findings = append(r.Findings, &again)
	}
	r.Findings[1].Copies = append(r.Findings[1].Copies, lint.Point(distFile, 4, 5))
	for _, format := range []string{Text, Short, Markdown, GitHub, GitLab, JUnit} {
		all, few := html.UnescapeString(write(t, format, r, Options{Copies: true})), write(t, format, r, Options{})
		if !strings.Contains(all, "also in "+distFile+":4:5") || strings.Contains(all, "2 copies") {
			t.Errorf("%s: a copy is not named:\n%s", format, all)
		}
		if !strings.Contains(few, "also in 2 copies") || strings.Contains(few, distFile) {
			t.Errorf("%s: the copies are not counted:\n%s", format, few)
		}
	}
	const chart = "      = also in charts/a|b::error::\\x1b](1)/widgets.yaml:8:3\n"
	if out := write(t, Text, r, Options{Copies: true}); strings.Count(out, chart) != len(r.Findings) || !strings.Contains(out, chart+"      = also in "+distFile+":4:5\n\n") {
		t.Error(out)
	}
}

// TestJUnitOfRepository has no case of a copy that has but what its source has, and no file passes whose findings are only counted.
func TestJUnitOfRepository(t *testing.T) {
	t.Parallel()
	var got []string
	for _, suite := range readJUnit(t, inRepository(), Options{}).Suites {
		for _, c := range suite.Cases {
			said := suite.Name + " " + c.Name
			if c.Skipped != nil {
				said += " skipped: " + c.Skipped.Message
			}
			got = append(got, said)
		}
	}
	chart := `charts/a|b::error::\x1b](1)/widgets.yaml`
	want := []string{
		basesFile + " " + typeRule.ID, basesFile + " " + nameRule.ID, basesFile + " " + infoRule.ID + " (ignored) skipped: for now", chart + " " + infoRule.ID,
		"test/crd.yaml crdlift lint skipped: 2 findings left out: named test",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestFingerprintsAnywhere: a finding keeps the second kind of fingerprint where another file is the source of its CRD. Without a
// CRD, the file is all that tells findings apart.
func TestFingerprintsAnywhere(t *testing.T) {
	t.Parallel()
	of := func(file, crd string) string {
		return fingerprintsAnywhere(&lint.Report{Findings: []*lint.Finding{{Rule: typeRule, Resource: crd, Path: "spec", Source: lint.Source{Pos: lint.Point(file, 1, 1)}}}})[0]
	}
	if of("a.yaml", "c.d") != of("b.yaml", "c.d") || of("a.yaml", "c.d") == of("a.yaml", "e.d") || of("a.yaml", "") == of("b.yaml", "") {
		t.Error("the file makes a difference where it should not, or none where it should")
	}
}
