package engine

import (
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/lint"
)

func TestStablePaths(t *testing.T) {
	t.Parallel()
	const v1 = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
spec:
  names: {shortNames: [a, b]}
  versions:
  - name: v1alpha1
  - name: v1
    additionalPrinterColumns: [{name: Ready, jsonPath: .a}]
    schema: {openAPIV3Schema: {properties: {a.b: {enum: [x, y]}}}}
`
	const v1beta1 = `
apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
spec:
  versions: [{name: v1alpha1}, {name: v1}]
  additionalPrinterColumns: [{name: Ready, JSONPath: .a}]
  validation: {openAPIV3Schema: {properties: {a.b: {enum: [x, y]}}}}
`
	for _, tt := range []struct{ manifest, path, want string }{
		{v1, "", ""},
		{v1, "spec.names.shortNames[1]", "spec/names/shortNames/[]"},
		{v1, "spec.versions[1]", "spec/versions/[v1]"},
		{v1, "spec.versions[1].schema.openAPIV3Schema.properties[a.b].enum[1]", "spec/versions/[v1]/schema/openAPIV3Schema/properties/a.b/enum/[]"},
		{v1, "spec.versions[1].additionalPrinterColumns[0].jsonPath", "spec/versions/[v1]/additionalPrinterColumns/[Ready]/jsonPath"},
		{v1, "spec.versions[9].gone", "spec/versions/[]/gone"},
		{v1beta1, "spec.additionalPrinterColumns[0].JSONPath", "spec/versions/[v1alpha1]/additionalPrinterColumns/[Ready]/jsonPath " +
			"spec/versions/[v1]/additionalPrinterColumns/[Ready]/jsonPath spec/additionalPrinterColumns/[Ready]/JSONPath"},
		{v1beta1, "spec.validation.openAPIV3Schema.properties[a.b]", "spec/versions/[v1alpha1]/schema/openAPIV3Schema/properties/a.b " +
			"spec/versions/[v1]/schema/openAPIV3Schema/properties/a.b spec/validation/openAPIV3Schema/properties/a.b"},
	} {
		found, _ := crd.Find(manifest.Parse("a.yaml", []byte(tt.manifest)).Documents[0].Root.YNode())
		var got []string
		for _, path := range stablePaths(found[0], tt.path) {
			got = append(got, strings.ReplaceAll(path, "\x01", "/"))
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %s, want %s", tt.path, strings.Join(got, " "), tt.want)
		}
	}
}

func TestDropKnown(t *testing.T) {
	t.Parallel()
	rule, other, change := &Rule{ID: "a"}, &Rule{ID: "b"}, &Rule{ID: "c", NeedsOld: true}
	finding := func(r *Rule, path, message string) *Finding {
		return &Finding{Rule: r, Resource: "foos.example.com", stable: []string{path}, Message: message}
	}
	ignored := finding(rule, "spec.ignored", "x")
	ignored.Ignored = "because"
	older := &Report{Findings: []*Finding{
		finding(rule, "spec.a[]", "x"), finding(rule, "spec.a[]", "y"), finding(change, "spec", "x"), ignored,
		finding(rule, "spec.b", "3 fields are pruned: a, b, c"),
	}}
	newer := &Report{Findings: []*Finding{
		finding(rule, "spec.a[]", "z"), finding(rule, "spec.a[]", "y"), finding(rule, "spec.a[]", "x"), // one more than before
		finding(other, "spec.a[]", "x"),                      // of another rule
		finding(change, "spec", "x"),                         // about the change
		finding(rule, "spec.ignored", "x"),                   // not ignored any more
		finding(rule, "spec.b", "2 fields are pruned: a, c"), // less than before
		finding(rule, "spec.c", "x"),
	}}
	want := []*Finding{newer.Findings[0], newer.Findings[3], newer.Findings[4], newer.Findings[5], newer.Findings[7]}
	newer.DropKnown(older)
	if !slices.Equal(newer.Findings, want) {
		t.Errorf("%d findings are left, want %d", len(newer.Findings), len(want))
	}
}

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
	linter := func() *Linter { return &Linter{Rules: []*Rule{rule}, Ratchet: true} }
	report := func(l *Linter, lines ...string) *Report {
		src := text
		for _, line := range lines {
			src += "    " + line + "\n"
		}
		return l.Report([]*FileReport{l.File("a.yaml", []byte(src))})
	}
	show := func(r *Report) string {
		var all []string
		for _, list := range Folded(r.Findings) {
			one := ""
			for _, f := range list {
				one += f.Message
				if f.Ignored != "" {
					one += "!"
				}
			}
			all = append(all, one)
		}
		return strings.Join(all, " ")
	}
	older := report(linter(), "a: x", "b: x", "c: x")
	if got := show(older); got != "abc" {
		t.Error(got)
	}
	newer := report(linter(), "b: x", "c: x", "d: x", "e: x")
	newer.DropKnown(older)
	if got := show(newer); got != "de" || newer.Findings[0].Pos.Line != 9 || newer.Findings[0].At.Path != "metadata.labels[d]" {
		t.Errorf("%s %+v", got, newer.Findings[0])
	}
	fewer := report(linter(), "b: x", "c: x")
	if fewer.DropKnown(older); len(fewer.Findings) != 0 {
		t.Error(show(fewer))
	}
	if got := show(report(linter(), "a: x", "b: x # crdlift:ignore keys -- so", "c: x")); got != "ab!c" {
		t.Error(got)
	}
	known := linter()
	var err error
	if known.Baseline, err = ReadBaseline("baseline.yaml", WriteBaseline("baseline.yaml", older)); err != nil {
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
	old := &OldCRD{found[0], d}
	l := &Linter{Rules: OwnRules()}
	files := []*FileReport{l.File("a.yaml", []byte("a: 1\n")), {Path: "b.yaml", Gone: true}}
	for _, f := range files {
		if !l.Removed(f, old) {
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
	if f := (&FileReport{Path: "a.yaml"}); l.Removed(f, old) || len(f.Findings) != 0 {
		t.Error("reported though it is switched off")
	}
}
