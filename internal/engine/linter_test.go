package engine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/lint"
)

// backup is a CRD that no API server objects to.
const backup = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: backups.example.com
spec:
  group: example.com
  names:
    kind: Backup
    plural: backups
    shortNames: [bk, bu, bkp]
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
`

// linesOf are findings as text.
func linesOf(findings []*lint.Finding) []string {
	var all []string
	for _, f := range findings {
		all = append(all, fmt.Sprintf("%d:%d-%d:%d %s %s", f.Pos.Line, f.Pos.Column, f.Pos.EndLine, f.Pos.EndColumn, f.Rule.ID, f.Message))
	}
	return all
}

func at(c *crd.CRD, path string) crd.Place {
	place, _ := c.Resolve(crd.Steps(path))
	return place
}

// speaks is a rule that reports a path.
func speaks(id, path string, fix *Fix) *Rule {
	return &Rule{ID: id, Summary: "x", Severity: lint.Error, Run: func(p *Pass) {
		if place, there := p.CRD.Resolve(crd.Steps(path)); there {
			found := p.Report(place, "is here")
			if fix != nil {
				own := *fix
				found.Fix = &own
			}
		}
	}}
}

func TestPositions(t *testing.T) {
	t.Parallel()
	l := &Linter{Rules: []*Rule{
		speaks("scalar", "spec.names.kind", nil),
		speaks("mapping", "spec.names", nil),
		speaks("list", "spec.versions", nil),
		speaks("item", "spec.versions[0]", nil),
		speaks("flow-item", "spec.names.shortNames[1]", nil),
		speaks("flow-list", "spec.names.shortNames", nil),
		speaks("root", "", nil),
	}}
	got := linesOf(l.File("crd.yaml", []byte(backup)).Findings)
	want := []string{
		"1:1-1:11 root is here",
		"7:3-7:8 mapping is here",
		"8:11-8:17 scalar is here",
		"10:5-10:15 flow-list is here",
		"10:22-10:24 flow-item is here",
		"12:3-12:11 list is here",
		"13:5-13:9 item is here",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestSameFindingOnce(t *testing.T) {
	t.Parallel()
	twice := &Rule{ID: "twice", Severity: lint.Info, Run: func(p *Pass) {
		p.Report(at(p.CRD, "spec.scope"), "is here")
		p.Report(at(p.CRD, "spec.scope"), "is\nhere")
	}}
	got := (&Linter{Rules: []*Rule{twice}}).File("crd.yaml", []byte(backup)).Findings
	if len(got) != 1 {
		t.Errorf("%d findings, want 1: %v", len(got), linesOf(got))
	}
}

func TestRuleThatPanics(t *testing.T) {
	t.Parallel()
	l := &Linter{Rules: []*Rule{
		{ID: "broken", Severity: lint.Info, Run: func(*Pass) { panic("oh dear") }},
		speaks("works", "spec.scope", nil),
	}}
	got := linesOf(l.File("crd.yaml", []byte(backup)).Findings)
	if len(got) != 2 || !strings.Contains(got[0], "rule broken failed on this, please report it: oh dear") || !strings.Contains(got[1], "works") {
		t.Errorf("got %v", got)
	}
}

// remove takes an entry out of a mapping.
func remove(path, key string) *Fix {
	return &Fix{Title: "remove " + key, Safe: true, Apply: func(c *crd.CRD) bool {
		return len(layout.Remove(at(c, path).Node, key)) > 0
	}}
}

func TestFix(t *testing.T) {
	t.Parallel()
	unsafe := remove("spec.names", "shortNames")
	unsafe.Safe = false
	useless := &Fix{Title: "change nothing", Safe: true, Apply: func(*crd.CRD) bool { return false }}
	// leaves its own finding in place
	futile := &Fix{Title: "write elsewhere", Safe: true, Apply: func(c *crd.CRD) bool {
		layout.Set(at(c, "spec.names").Node, "singular", layout.String("backup"))
		return true
	}}
	// makes an error of another rule
	harmful := &Fix{Title: "rename the scope", Safe: true, Apply: func(c *crd.CRD) bool {
		layout.Rename(at(c, "spec").Node, "scope", "scop")
		return true
	}}
	bystander := &Rule{ID: "bystander", Severity: lint.Error, Run: func(p *Pass) {
		if _, there := p.CRD.Resolve([]string{"spec", "scope"}); !there {
			p.Report(at(p.CRD, "spec"), "has no scope")
		}
	}}
	for name, tt := range map[string]struct {
		rules  []*Rule
		unsafe bool
		fixed  []string // rules
		gone   []string // text of the input that is gone
		left   int      // findings
	}{
		"safe":               {rules: []*Rule{speaks("a", "spec.names.shortNames", remove("spec.names", "shortNames"))}, fixed: []string{"a"}, gone: []string{"    shortNames: [bk, bu, bkp]\n"}},
		"unsafe, not wanted": {rules: []*Rule{speaks("a", "spec.names.shortNames", unsafe)}, left: 1},
		"unsafe":             {rules: []*Rule{speaks("a", "spec.names.shortNames", unsafe)}, unsafe: true, fixed: []string{"a"}, gone: []string{"    shortNames: [bk, bu, bkp]\n"}},
		"nothing to do":      {rules: []*Rule{speaks("a", "spec.names.shortNames", useless)}, left: 1},
		"does not help":      {rules: []*Rule{speaks("a", "spec.names.shortNames", futile)}, left: 1},
		"makes it worse":     {rules: []*Rule{speaks("a", "spec.scope", harmful), bystander}, left: 1},
		"one of three is bad": {
			rules: []*Rule{
				speaks("a", "spec.names.shortNames", remove("spec.names", "shortNames")),
				speaks("b", "spec.scope", harmful), bystander,
				speaks("c", "metadata", remove("", "metadata")),
			},
			fixed: []string{"c", "a"}, gone: []string{"    shortNames: [bk, bu, bkp]\n", "metadata:\n  name: backups.example.com\n"}, left: 1,
		},
		"two fixes of one thing": {
			rules: []*Rule{
				speaks("a", "spec.names.shortNames", remove("spec.names", "shortNames")),
				speaks("b", "spec.names.shortNames", remove("spec.names", "shortNames")),
			},
			fixed: []string{"b", "a"}, gone: []string{"    shortNames: [bk, bu, bkp]\n"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := (&Linter{Rules: tt.rules}).Fix("crd.yaml", []byte(backup), tt.unsafe)
			want := backup
			for _, text := range tt.gone {
				want = strings.Replace(want, text, "", 1)
			}
			if diff := cmp.Diff(want, string(got.Output)); diff != "" {
				t.Error(diff)
			}
			var fixed []string
			for _, f := range got.Findings {
				fixed = append(fixed, f.Rule.ID)
			}
			if diff := cmp.Diff(tt.fixed, fixed); diff != "" {
				t.Error(diff)
			}
			if len(got.Left.Findings) != tt.left {
				t.Errorf("left: %v", linesOf(got.Left.Findings))
			}
		})
	}
}

// TestFixBesideOthers: documents that have nothing to do with a fix do not keep it from being made, whether they do not
// parse or cannot be written.
func TestFixBesideOthers(t *testing.T) {
	t.Parallel()
	const line = "    shortNames: [bk, bu, bkp]\n"
	l := &Linter{Rules: []*Rule{speaks("a", "spec.names.shortNames", remove("spec.names", "shortNames"))}}
	for name, other := range map[string]string{
		"a comment alone": "---\n# Source: chart/templates/empty.yaml\n",
		"broken":          "---\na: b: c\n",
		"null":            "---\nnull\n",
	} {
		for _, src := range []string{backup + other, strings.TrimPrefix(other, "---\n") + "---\n" + backup} {
			if got, want := string(l.Fix("crd.yaml", []byte(src), false).Output), strings.Replace(src, line, "", 1); got != want {
				t.Errorf("%s: %s", name, cmp.Diff(want, got))
			}
		}
	}
}

// TestFixKeepsDocuments moves an entry from spec to the root, where its line may be one at which kubectl splits files,
// since kubectl only checks that such lines begin with ---. The resulting document is right, and yet the fix is not
// made.
func TestFixKeepsDocuments(t *testing.T) {
	t.Parallel()
	fix := &Fix{Title: "move it to the root", Safe: true, Apply: func(c *crd.CRD) bool {
		spec := at(c, "spec").Node
		c.Node.Content = append(c.Node.Content, spec.Content[:2]...)
		spec.Content = spec.Content[2:]
		return true
	}}
	for key, moves := range map[string]bool{"--x": true, "---x": false} {
		line := key + ": y\n"
		src := strings.Replace(backup, "spec:\n", "spec:\n  "+line, 1) + "---\nkind: ConfigMap\n"
		want := src
		if moves {
			want = backup + line + "---\nkind: ConfigMap\n"
		}
		got := (&Linter{Rules: []*Rule{speaks("a", "spec."+key, fix)}}).Fix("crd.yaml", []byte(src), false)
		if diff := cmp.Diff(want, string(got.Output)); diff != "" {
			t.Errorf("%s: %s", key, diff)
		}
	}
}

// TestFixRevealsMore makes a fix possible by another one.
func TestFixRevealsMore(t *testing.T) {
	t.Parallel()
	first := speaks("first", "spec.names.shortNames", remove("spec.names", "shortNames"))
	second := &Rule{ID: "second", Severity: lint.Error, Run: func(p *Pass) {
		_, hidden := p.CRD.Resolve(crd.Steps("spec.names.shortNames"))
		if scope, there := p.CRD.Resolve(crd.Steps("spec.scope")); there && !hidden {
			p.Report(scope, "could not be seen").Fix = remove("spec", "scope")
		}
	}}
	for reveals, want := range map[bool]int{true: 2, false: 0} {
		fix := remove("spec.names", "shortNames")
		fix.Reveals = reveals
		rule := speaks(first.ID, "spec.names.shortNames", fix)
		got := (&Linter{Rules: []*Rule{rule, second}}).Fix("crd.yaml", []byte(backup), false)
		if len(got.Findings) != want {
			t.Errorf("reveals %v: fixed %v, want %d", reveals, linesOf(got.Findings), want)
		}
		withheld := len(got.Withheld) == 1 && got.Withheld[0].Finding.Rule.ID == rule.ID && got.Withheld[0].Reveals.Rule.ID == second.ID
		if withheld == reveals || reveals && len(got.Withheld) > 0 {
			t.Errorf("reveals %v: withheld %v", reveals, got.Withheld)
		}
	}
}

// TestListItems removes items of one list in one go: paths after a removed item change.
func TestListItems(t *testing.T) {
	t.Parallel()
	rule := &Rule{ID: "short", Severity: lint.Warning, Run: func(p *Pass) {
		for i, n := range crd.Get(p.CRD.Node, "spec", "names", "shortNames").Content {
			if len(n.Value) == 2 {
				path := fmt.Sprintf("spec.names.shortNames[%d]", i)
				p.Reportf(at(p.CRD, path), "%s is short", n.Value).Fix = &Fix{Title: "remove it", Safe: true, Apply: func(c *crd.CRD) bool {
					list := at(c, "spec.names.shortNames").Node
					if i >= len(list.Content) {
						return false
					}
					list.Content = append(list.Content[:i:i], list.Content[i+1:]...)
					return true
				}}
			}
		}
	}}
	got := (&Linter{Rules: []*Rule{rule}}).Fix("crd.yaml", []byte(backup), false)
	if want := strings.Replace(backup, "[bk, bu, bkp]", "[bkp]", 1); string(got.Output) != want {
		t.Errorf("got:\n%s", got.Output)
	}
}

// TestEdits applies the text of each fix by hand.
func TestEdits(t *testing.T) {
	t.Parallel()
	l := &Linter{Options: lint.Options{Edits: true}, Rules: []*Rule{
		speaks("a", "spec.names.shortNames", remove("spec.names", "shortNames")),
		speaks("b", "spec.scope", &Fix{Title: "Cluster", Safe: true, Apply: func(c *crd.CRD) bool {
			at(c, "spec.scope").Node.Value = "Cluster"
			return true
		}}),
	}}
	var got []lint.TextEdit
	for _, f := range l.File("crd.yaml", []byte("# front\n---\n"+backup)).Findings {
		got = append(got, f.Fix.Edits...)
	}
	want := []lint.TextEdit{{Line: 12, Column: 1, EndLine: 13, EndColumn: 1}, {Line: 13, Column: 10, EndLine: 13, EndColumn: 20, Text: "Cluster"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestCounts(t *testing.T) {
	t.Parallel()
	l := &Linter{}
	report := l.Report([]*FileReport{
		l.File("one.yaml", []byte(backup+"---\nkind: Namespace\n---\n# nothing\n")),
		l.File("list.json", []byte(`{"kind": "List", "items": [{"kind": "Namespace"}, {"kind": "ConfigMap"}]}`)),
		l.File("chart.yaml", []byte("{{- if .Values.crds }}\nkind: {{ .Values.kind }}\n{{- end }}\n")),
		l.File("patch.yaml", []byte("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: backups.example.com\n")),
		l.File("broken.yaml", []byte("kind: [CustomResourceDefinition\n---\nkind: Namespace\n")),
		l.File("other.yaml", []byte("kind: [\n---\nkind: ConfigMap\n---\nkind: [\n")),
	})
	if report.CRDs != 1 || report.Others != 7 || report.Broken != 2 || len(report.Templates) != 1 || len(report.Files) != 6 {
		t.Errorf("%d CRDs, %d others, %d of them broken, %d templates, files %v", report.CRDs, report.Others, report.Broken, len(report.Templates), report.Files)
	}
	want := []string{
		"1:1-1:11 partial-document this is a part of a CRD, such as a kustomize patch, and is not checked; run lint --kustomize to check what is built",
		"1:1-1:1 yaml-syntax does not parse: a [ is open here that lacks its ], or a comma is missing",
	}
	if diff := cmp.Diff(want, linesOf(report.Findings)); diff != "" {
		t.Error(diff)
	}
}
