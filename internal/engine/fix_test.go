package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/limit"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/lint"
)

// TestFixPastManyBad: fixes that do no good, however many, do not keep another from being made.
func TestFixPastManyBad(t *testing.T) {
	t.Parallel()
	const bad = 2 * limit.Rounds
	labels := ""
	for i := range bad {
		labels += fmt.Sprintf("    l%02d: x\n", i)
	}
	src := strings.Replace(backup, "spec:\n", "  labels:\n"+labels+"spec:\n", 1)
	rule := &Rule{ID: "label", Severity: lint.Warning, Run: func(p *Pass) {
		for i := range bad {
			path := fmt.Sprintf("metadata.labels.l%02d", i)
			p.Report(at(p.CRD, path), "stays").Fix = &Fix{Title: "write y", Safe: true, Apply: func(c *crd.CRD) bool {
				at(c, path).Node.Value = "y"
				return true
			}}
		}
	}}
	got := (&Linter{Rules: []*Rule{rule, speaks("last", "spec.names.shortNames", remove("spec.names", "shortNames"))}}).Fix("crd.yaml", []byte(src), false)
	if diff := cmp.Diff(strings.Replace(src, "    shortNames: [bk, bu, bkp]\n", "", 1), string(got.Output)); diff != "" {
		t.Error(diff)
	}
	if len(got.Withheld) != bad || got.GaveUp != "" {
		t.Errorf("%d fixes are withheld, want %d; gave up: %q", len(got.Withheld), bad, got.GaveUp)
	}
	for _, w := range got.Withheld {
		if w.Why != "the finding stays" || w.Reveals != nil {
			t.Errorf("withheld: %+v", w)
		}
	}
}

// TestFixWithoutEnd: fixes that make others possible for ever come to an end, which is said; those that come to one by themselves
// are all made.
func TestFixWithoutEnd(t *testing.T) {
	t.Parallel()
	for longest, gaveUp := range map[int]string{limit.Rounds: "", limit.Rounds + 1: "fix-rounds"} {
		grows := &Rule{ID: "grows", Severity: lint.Warning, Run: func(p *Pass) {
			label := at(p.CRD, "metadata.labels.l").Node
			if n := len(label.Value); n <= longest {
				p.Reportf(at(p.CRD, "metadata.labels.l"), "has %d letters", n).Fix = &Fix{Title: "write one more", Safe: true, Apply: func(c *crd.CRD) bool {
					at(c, "metadata.labels.l").Node.Value += "x"
					return true
				}}
			}
		}}
		src := strings.Replace(backup, "spec:\n", "  labels:\n    l: x\nspec:\n", 1)
		got := (&Linter{Rules: []*Rule{grows}}).Fix("crd.yaml", []byte(src), false)
		said := slices.ContainsFunc(got.Left.Findings, func(f *lint.Finding) bool {
			return f.Rule.ID == LimitRule.ID && f.Severity == lint.Info && strings.HasSuffix(f.Message, "after 16 rounds, so there may be more to fix; run --fix again")
		})
		if got.GaveUp != gaveUp || said != (gaveUp != "") || len(got.Findings) != limit.Rounds {
			t.Errorf("up to %d: gave up: %q, said: %t; %d are fixed", longest, got.GaveUp, said, len(got.Findings))
		}
	}
}

// TestFixTriedAgain: a fix that is in vain before another one is made is tried again after it.
func TestFixTriedAgain(t *testing.T) {
	t.Parallel()
	first := remove("spec.names", "shortNames")
	first.Reveals = true
	then := &Fix{Title: "Cluster", Safe: true, Apply: func(c *crd.CRD) bool {
		if _, there := c.Resolve(crd.Steps("spec.names.shortNames")); there {
			return false
		}
		at(c, "spec").Node.Content = nil
		layout.Set(at(c, "spec").Node, "group", layout.String("example.com"))
		return true
	}}
	got := (&Linter{Rules: []*Rule{speaks("first", "spec.names.shortNames", first), speaks("then", "spec.scope", then)}}).Fix("crd.yaml", []byte(backup), false)
	if len(got.Findings) != 2 || len(got.Withheld) != 0 {
		t.Errorf("fixed %v, withheld %v", linesOf(got.Findings), got.Withheld)
	}
}

// TestWithheld: a fix that was not made says why, once, or which error it would bring to light.
func TestWithheld(t *testing.T) {
	t.Parallel()
	nothing := &Fix{Title: "change nothing", Safe: true, Apply: func(*crd.CRD) bool { return false }}
	revealing := &Fix{Title: "change nothing", Safe: true, Reveals: true, Apply: nothing.Apply}
	bystander := &Rule{ID: "bystander", Severity: lint.Error, Run: func(p *Pass) {
		if _, there := p.CRD.Resolve([]string{"spec", "scope"}); !there {
			p.Report(at(p.CRD, "spec"), "has no scope")
		}
	}}
	// an anchor that the tree no longer has where its alias is
	unwritable := &Fix{Title: "refer to nothing", Safe: true, Apply: func(c *crd.CRD) bool {
		at(c, "spec.scope").Node.Kind = yaml.AliasNode
		return true
	}}
	for name, test := range map[string]struct {
		fix          *Fix
		why, reveals string
	}{
		"nothing to change":              {nothing, "there is nothing to change", ""},
		"nothing to change, and reveals": {revealing, "there is nothing to change", ""},
		"another error":                  {remove("spec", "scope"), "", "bystander"},
	} {
		got := (&Linter{Rules: []*Rule{speaks("a", "spec.scope", test.fix), bystander}}).Fix("crd.yaml", []byte(backup), false)
		if len(got.Withheld) != 1 || string(got.Output) != backup {
			t.Errorf("%s: withheld %v, output\n%s", name, got.Withheld, got.Output)
			continue
		}
		w, reveals := got.Withheld[0], ""
		if w.Reveals != nil {
			reveals = w.Reveals.Rule.ID
		}
		if w.Finding.Rule.ID != "a" || w.Why != test.why || reveals != test.reveals {
			t.Errorf("%s: %s withheld, because %q, which reveals %q", name, w.Finding.Rule.ID, w.Why, reveals)
		}
	}
	got := (&Linter{Rules: []*Rule{speaks("a", "spec.scope", unwritable)}}).Fix("crd.yaml", []byte(backup), false)
	if len(got.Withheld) != 1 || got.Withheld[0].Why == "" || string(got.Output) != backup {
		t.Errorf("unwritable: withheld %v", got.Withheld)
	}
}

// TestAttempts: some attempts are free, and further ones until they have looked at so much text.
func TestAttempts(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		tried, work, size int
		may               bool
	}{
		"the first":                     {0, 0, 1, true},
		"the last of the free ones":     {limit.Attempts - 1, limit.FixText, 1, true},
		"one more of little text":       {limit.Attempts, 10, 1, true},
		"one that fills the bound":      {limit.Attempts, limit.FixText - 1, 1, true},
		"one that goes beyond it":       {limit.Attempts, limit.FixText, 1, false},
		"a large file goes beyond it":   {limit.Attempts, limit.FixText - 9, 10, false},
		"many of a file without a text": {1000, limit.FixText, 0, true},
	} {
		f := &FixResult{tried: test.tried, work: test.work, Output: make([]byte, test.size)}
		if may := f.mayTry(); may != test.may || (f.GaveUp == "fix-attempts") == may {
			t.Errorf("%s: it may be tried: %t; gave up: %q", name, may, f.GaveUp)
		} else if may && (f.tried != test.tried+1 || f.work != test.work+test.size) {
			t.Errorf("%s: counted as %d attempts at %d bytes", name, f.tried, f.work)
		}
	}
}

// TestEditsUpToTheBound: the edits of a fix are made as long as the work for them stays within the bound. Fixes beyond
// it are counted; findings without a fix are not.
func TestEditsUpToTheBound(t *testing.T) {
	t.Parallel()
	d := manifest.Parse("crd.yaml", []byte(backup)).Documents[0]
	found, _ := crd.Find(d.Root.YNode())
	size := crd.Size(d.Root.YNode())
	for name, test := range map[string]struct{ before, made int }{
		"from the beginning":   {0, 2},
		"to the very bound":    {limit.EditNodes - 2*size, 2},
		"room for one of them": {limit.EditNodes - 2*size + 1, 1},
		"room for just one":    {limit.EditNodes - size, 1},
		"room for none":        {limit.EditNodes - size + 1, 0},
		"at the bound already": {limit.EditNodes, 0},
		"beyond it":            {limit.EditNodes + 1, 0},
	} {
		inGo := &lint.Finding{Origin: &lint.Origin{Confidence: lint.ExactOrigin}}
		findings := []*Finding{
			{Finding: &lint.Finding{}, Fix: remove("spec.names", "shortNames")}, {},
			{Finding: inGo, Fix: remove("spec.names", "plural")}, {Finding: &lint.Finding{}, Fix: remove("spec", "scope")},
		}
		out := &FileReport{editWork: test.before}
		makeEdits(d, findings, out)
		made := 0
		for _, f := range findings {
			if f.Fix != nil && len(f.Fix.edits) > 0 {
				made++
			}
		}
		if made != test.made || out.Unedited != 2-test.made {
			t.Errorf("%s: the edits of %d fixes are made, want %d; %d are counted as left out", name, made, test.made, out.Unedited)
		}
		if said := len(new(Linter).Report([]*FileReport{out}).Findings); said != min(out.Unedited, 1) {
			t.Errorf("%s: %d findings say that %d are left out", name, said, out.Unedited)
		}
	}
	if found[0].Name() != "backups.example.com" || crd.Size(d.Root.YNode()) != size {
		t.Error("making edits changed the tree")
	}
}

// TestEditsOfUselessFixes: a fix that changes nothing, or cannot be written, is no fix to an editor.
func TestEditsOfUselessFixes(t *testing.T) {
	t.Parallel()
	for name, apply := range map[string]func(*crd.CRD) bool{
		"there is nothing to do": func(*crd.CRD) bool { return false },
		"the text is the same":   func(c *crd.CRD) bool { return at(c, "spec.scope").Node != nil },
		"it cannot be written": func(c *crd.CRD) bool {
			at(c, "spec.scope").Node.Kind = yaml.AliasNode
			return true
		},
	} {
		l := &Linter{Options: lint.Options{Edits: true}, Rules: []*Rule{speaks("a", "spec.scope", &Fix{Title: "x", Safe: true, Apply: apply})}}
		if f := l.File("crd.yaml", []byte(backup)).Findings[0]; f.Fix != nil {
			t.Errorf("%s: %+v", name, f.Fix)
		}
	}
}

// TestEditsOfWhatIsLeft: after fixes, the edits of those that were not made are against the file as it is then.
func TestEditsOfWhatIsLeft(t *testing.T) {
	t.Parallel()
	unsafe := remove("spec", "scope")
	unsafe.Safe = false
	l := &Linter{Options: lint.Options{Edits: true}, Rules: []*Rule{speaks("a", "spec.names.shortNames", remove("spec.names", "shortNames")), speaks("b", "spec.scope", unsafe)}}
	left := l.Fix("crd.yaml", []byte(backup), false).Left.Findings
	want := []lint.TextEdit{{Line: 10, Column: 1, EndLine: 11, EndColumn: 1}}
	if len(left) != 1 || left[0].Fix == nil {
		t.Fatalf("left: %v", linesOf(left))
	}
	if diff := cmp.Diff(want, left[0].Fix.Edits); diff != "" {
		t.Error(diff)
	}
}
