package engine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/vicinity"
	"github.com/crdlift/crdlift/lint"
)

// TestVersionsOfFindings: a finding names the versions that its place belongs to.
func TestVersionsOfFindings(t *testing.T) {
	t.Parallel()
	rule := &Rule{ID: "every", Severity: lint.Info, Run: func(p *Pass) {
		for _, path := range []string{
			"", "metadata.name", "spec", "spec.scope", "spec.versions", "spec.versions[0]", "spec.versions[1].name", "spec.validation",
			"spec.validation.openAPIV3Schema.type", "spec.subresources.status", "spec.additionalPrinterColumns[0].name",
		} {
			if place, there := p.CRD.Resolve(crd.Steps(path)); there {
				p.Report(place, path)
			}
		}
	}}
	var got []string
	for _, f := range (&Linter{Rules: []*Rule{rule}}).File("crd.yaml", []byte(backupV1beta1)).Findings {
		got = append(got, strings.TrimSpace(f.Path+" "+strings.Join(f.Versions, ",")))
	}
	if diff := cmp.Diff([]string{
		"", "metadata.name", "spec", "spec.scope", "spec.versions", "spec.versions[0] v1", "spec.versions[1].name v2", "spec.validation v1,v2",
		"spec.validation.openAPIV3Schema.type v1,v2", "spec.subresources.status v1,v2", "spec.additionalPrinterColumns[0].name v1,v2",
	}, got); diff != "" {
		t.Error(diff)
	}
}

// TestPositionsInOddPlaces: a finding about a value that is nowhere, or that stands elsewhere, has a position all the
// same.
func TestPositionsInOddPlaces(t *testing.T) {
	t.Parallel()
	const src = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: {group: &g example.com, scope: *g, names: {}, others: [[v1, v2]]}\n"
	for name, test := range map[string]struct{ path, want string }{
		"no node":                {"nowhere", "1:1-1:11"},
		"an alias, by its key":   {"spec.scope", "3:31-3:36"},
		"an empty mapping":       {"spec.names", "3:42-3:47"},
		"an item that is a list": {"spec.others[0]", "3:63-3:65"},
		"the list that holds it": {"spec.others", "3:53-3:59"},
	} {
		rule := &Rule{ID: "odd", Severity: lint.Info, Reading: true, Run: func(p *Pass) {
			place, there := p.CRD.Resolve(crd.Steps(test.path))
			if !there {
				place.Node = nil
			}
			p.Report(place, "here")
		}}
		f := (&Linter{Rules: []*Rule{rule}}).File("crd.yaml", []byte(src)).Findings[0]
		if got := fmt.Sprintf("%d:%d-%d:%d", f.Pos.Line, f.Pos.Column, f.Pos.EndLine, f.Pos.EndColumn); got != test.want {
			t.Errorf("%s: at %s, want %s", name, got, test.want)
		}
	}
}

// TestBriefMessages: outputs for people have a message of their own only where values of the user's are long, and
// advice ends both.
func TestBriefMessages(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 100)
	rule := func(value string) *Rule {
		return &Rule{ID: "r", Severity: lint.Info, Run: func(p *Pass) {
			p.Reportf(at(p.CRD, "spec.scope"), "%s\nis odd", text.Quoted(value)).Advise("do\nsay so")
		}}
	}
	short := (&Linter{Rules: []*Rule{rule("a")}}).File("crd.yaml", []byte(backup)).Findings[0]
	if short.Message != `"a" is odd; do say so` || short.Brief != "" || short.Advice != "do say so" {
		t.Errorf("%+v", short)
	}
	cut := (&Linter{Rules: []*Rule{rule(long)}}).File("crd.yaml", []byte(backup)).Findings[0]
	if cut.Message != `"`+long+`" is odd; do say so` || cut.Brief != `"`+long[:59]+`…" is odd; do say so` {
		t.Errorf("%+v", cut)
	}
}

// TestAboutVersions: a message for several versions can be had, in one line as all are.
func TestAboutVersions(t *testing.T) {
	t.Parallel()
	rule := &Rule{ID: "r", Severity: lint.Info, Run: func(p *Pass) {
		p.Report(at(p.CRD, "spec.scope"), "v1 is odd").About = func(versions, items []string) text.Text {
			return text.Sprintf("%s\nare odd", text.Names(versions))
		}
		p.Report(at(p.CRD, "spec.group"), "odd for all")
	}}
	found := (&Linter{Rules: []*Rule{rule}}).File("crd.yaml", []byte(backup)).Findings
	if found[0].About != nil {
		t.Error("a message that is about no versions can be had for several")
	}
	message, brief := found[1].About([]string{"v1", "v2", "v3", "v4", "v5"}, nil)
	if message != "v1, v2, v3, v4, v5 are odd" || brief != "v1, v2, v3, v4 and 1 more are odd" {
		t.Errorf("%s, in brief %s", message, brief)
	}
}

// TestTogetherTakesTwo: one finding is not linked with itself.
func TestTogetherTakesTwo(t *testing.T) {
	t.Parallel()
	one, other := &Finding{Finding: &lint.Finding{}}, &Finding{Finding: &lint.Finding{}}
	if Together([]*Finding{one}); one.First != nil {
		t.Error("one finding is linked")
	}
	if Together([]*Finding{one, other}); one.First != one.Finding || other.First != one.Finding {
		t.Error("two findings are not linked")
	}
}

// TestOldSide: a rule sees the CRD as it was, and its positions.
func TestOldSide(t *testing.T) {
	t.Parallel()
	d := manifest.Parse("main:crd.yaml", []byte("# old\n"+backup)).Documents[0]
	found, _ := crd.Find(d.Root.YNode())
	var asked []string
	l := &Linter{
		Rules: []*Rule{{ID: "moved", Severity: lint.Error, NeedsOld: true, Run: func(p *Pass) {
			p.Was(p.Report(at(p.CRD, "spec.scope"), "moved"), at(p.Old().CRD, "spec.scope"), "it was\nhere")
		}}, AddedRule},
	}
	l.Sources = vicinity.Sources{
		Old: func(name, path string, nth int) *older.CRD {
			asked = append(asked, fmt.Sprintf("%s %s %d", path, name, nth))
			if nth > 0 || name != found[0].Name() {
				return nil
			}
			return &older.CRD{CRD: found[0], Document: d}
		},
		Unknown: func(name, _ string) bool { return name == "unknown.example.com" },
	}
	src := backup + "---\n" + backup + "---\n" + strings.Replace(backup, "backups.example.com", "others.example.com", 1) +
		"---\n" + strings.Replace(backup, "backups.example.com", "unknown.example.com", 1)
	r := l.Report([]*FileReport{l.File("crd.yaml", []byte(src))})
	if diff := cmp.Diff([]string{"crd.yaml backups.example.com 0", "crd.yaml backups.example.com 1", "crd.yaml others.example.com 0", "crd.yaml unknown.example.com 0"}, asked); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{
		"11:10-11:20 moved moved",
		"23:9-23:28 crd-added backups.example.com is new: there is nothing to compare it with, and nothing to do",
		"42:9-42:27 crd-added others.example.com is new: there is nothing to compare it with, and nothing to do",
	}, linesOf(r.Findings)); diff != "" {
		t.Fatal(diff)
	}
	if was := r.Findings[0].Related[0]; was.Pos.File != "main:crd.yaml" || was.Pos.Line != 12 || was.Pos.Column != 10 || was.Message != "it was here" {
		t.Errorf("it was at %+v", was)
	}
	l.Old = nil
	if r := l.Report([]*FileReport{l.File("crd.yaml", []byte(src))}); len(r.Findings) != 0 {
		t.Errorf("with nothing to compare with: %v", told(r))
	}
}

// TestAbove: a rule knows which CRD of the file it looks at, and which rules there are.
func TestAbove(t *testing.T) {
	t.Parallel()
	item := strings.ReplaceAll("\n"+strings.TrimSuffix(backup, "\n"), "\n", "\n  ")
	list := "kind: List\nitems:\n-" + item[2:] + "\n-" + item[2:] + "\n-" + item[2:] + "\n"
	var above []int
	l := &Linter{Rules: []*Rule{{ID: "counts", Severity: lint.Info, Run: func(p *Pass) {
		above = append(above, p.Above())
		if !p.Has("counts") || p.Has("count") {
			t.Error("it does not know the rules of its run")
		}
	}}}}
	l.File("crds.yaml", []byte(backup+"---\n"+list+"---\n"+backup))
	if diff := cmp.Diff([]int{0, 1, 2, 3, 4}, above); diff != "" {
		t.Error(diff)
	}
}

// TestValuesOfRules: users know of a rule that it is about all files, or about the change, whichever way it says so.
func TestValuesOfRules(t *testing.T) {
	t.Parallel()
	run, across := func(*Pass) {}, func(*Set) {}
	for name, test := range map[string]struct {
		rule           Rule
		across, change bool
	}{
		"looks at one CRD":                   {Rule{Run: run}, false, false},
		"looks across":                       {Rule{Across: across}, true, false},
		"compares":                           {Rule{Run: run, NeedsOld: true}, false, true},
		"compares, and runs outside of CRDs": {Rule{NeedsOld: true}, true, true},
		"is about the change":                {Rule{Run: run, AboutChange: true}, false, true},
		"speaks for the engine":              {Rule{}, false, false},
	} {
		if v := test.rule.Value(); v.Across != test.across || v.AboutChange != test.change {
			t.Errorf("%s: across %t, about the change %t", name, v.Across, v.AboutChange)
		}
	}
}
