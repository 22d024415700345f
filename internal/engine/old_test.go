package engine

import (
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/internal/suppress"
	"github.com/crdlift/crdlift/lint"
)

// TestTogether looks at what becomes of findings that are one entry for people: each is known, ignored and in a baseline
// for itself.
func TestTogether(t *testing.T) {
	t.Parallel()
	const text = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: {group: g, names: {plural: x, kind: X}, scope: Cluster, versions: [{name: v1}]}\nmetadata:\n  name: x\n  labels:\n"
	rule := &Rule{ID: "keys", Severity: lint.Error, Run: func(p *Pass) {
		var all []*Finding
		labels, _ := p.CRD.Resolve([]string{"metadata", "labels"})
		for _, e := range crd.Entries(labels.Node) {
			all = append(all, p.Reportf(crd.Place{Node: e.Key, Path: "metadata.labels[" + e.Name + "]"}, "%s", e.Name))
		}
		Together(all)
	}}
	linter := func() *Linter { return &Linter{Rules: []*Rule{rule}, Options: lint.Options{NewOnly: true}} }
	report := func(l *Linter, lines ...string) *lint.Report {
		src := text
		for _, line := range lines {
			src += "    " + line + "\n"
		}
		return l.Report([]*FileReport{l.File("a.yaml", []byte(src))})
	}
	show := func(r *lint.Report) string {
		var all []string
		var first *lint.Finding
		for _, f := range r.Findings {
			if len(all) == 0 || f.First == nil || f.First != first {
				all, first = append(all, ""), f.First
			}
			all[len(all)-1] += f.Message
			if f.Ignored != "" {
				all[len(all)-1] += "!"
			}
		}
		return strings.Join(all, " ")
	}
	older := report(linter(), "a: x", "b: x", "c: x")
	if got := show(older); got != "abc" {
		t.Error(got)
	}
	newer := report(linter(), "b: x", "c: x", "d: x", "e: x")
	suppress.DropKnown(newer, older)
	if got := show(newer); got != "de" || newer.Findings[0].Pos.Line != 9 || newer.Findings[0].Path != "metadata.labels[d]" {
		t.Errorf("%s %+v", got, newer.Findings[0])
	}
	fewer := report(linter(), "b: x", "c: x")
	if suppress.DropKnown(fewer, older); len(fewer.Findings) != 0 {
		t.Error(show(fewer))
	}
	if got := show(report(linter(), "a: x", "b: x # crdlift:ignore keys -- so", "c: x")); got != "ab!c" {
		t.Error(got)
	}
	known := linter()
	var err error
	if known.Baseline, err = suppress.ReadBaseline("baseline.yaml", suppress.WriteBaseline("baseline.yaml", older, nil), nil); err != nil {
		t.Fatal(err)
	}
	if r := report(known, "b: x", "c: x", "d: x"); show(r) != "b!c!d" || r.BaselineGone != 1 {
		t.Error(show(r), r.BaselineGone)
	}
}

func TestRemoved(t *testing.T) {
	t.Parallel()
	d := manifest.Parse("main:a.yaml", []byte("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: foos.example.com\n")).Documents[0]
	found, _ := crd.Find(d.Root.YNode())
	old := &older.CRD{CRD: found[0], Document: d}
	l := &Linter{Rules: OwnRules()}
	files := []*FileReport{l.File("a.yaml", []byte("a: 1\n")), {FileReport: lint.FileReport{Path: "b.yaml", Gone: true}}}
	for _, f := range files {
		if !l.Removed(&f.FileReport, old) {
			t.Errorf("%s: not reported", f.Path)
		}
	}
	report := l.Report(files)
	if len(report.Files) != 1 || len(report.Findings) != 2 || report.Count(lint.Error) != 2 {
		t.Fatalf("%+v", report)
	}
	for i, file := range []string{"a.yaml", "b.yaml"} {
		f := report.Findings[i]
		if f.Pos != lint.Point(file, 1, 1) || f.Related[0].Pos.File != "main:a.yaml" || f.Related[0].Pos.Line != 4 {
			t.Errorf("%s: %+v", file, f)
		}
	}
	l.Config = &lint.Config{Rules: map[string]lint.Severity{RemovedRule.ID: lint.Off}}
	if f := (&FileReport{FileReport: lint.FileReport{Path: "a.yaml"}}); l.Removed(&f.FileReport, old) || len(f.Findings) != 0 {
		t.Error("reported though it is switched off")
	}
}
