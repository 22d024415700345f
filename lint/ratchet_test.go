package lint

import (
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
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
		return &Finding{Rule: r, Resource: "foos.example.com", At: crd.Place{Path: path}, Message: message}
	}
	ignored := finding(rule, "spec.ignored", "x")
	ignored.Ignored = "because"
	older := &Report{Findings: []*Finding{
		finding(rule, "spec.a[0]", "x"), finding(rule, "spec.a[1]", "x"), finding(change, "spec", "x"), ignored,
		finding(rule, "spec.b", `version "v1" is at a.yaml:12:3`),
	}}
	newer := &Report{Findings: []*Finding{
		finding(rule, "spec.a[3]", "x"), finding(rule, "spec.a[4]", "x"), finding(rule, "spec.a[5]", "x"), // one more than before
		finding(other, "spec.a[0]", "x"), finding(rule, "spec.a[0]", "y"), // of another rule, another message
		finding(change, "spec", "x"),                              // about the change
		finding(rule, "spec.ignored", "x"),                        // not ignored any more
		finding(rule, "spec.b", `version "v2" is at a.yaml:90:1`), // the same
	}}
	want := slices.Concat(newer.Findings[2:7])
	newer.DropKnown(older)
	if !slices.Equal(newer.Findings, want) {
		t.Errorf("%d findings are left, want %d", len(newer.Findings), len(want))
	}
}

func TestDropKnownOfSeveral(t *testing.T) {
	t.Parallel()
	const text = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: {group: g, names: {plural: x, kind: X}, scope: Cluster, versions: [{name: v1}]}\nmetadata:\n  name: x\n  labels:\n"
	rule := &Rule{ID: "keys", Severity: Error, Run: func(p *Pass) {
		var places []crd.Place
		labels, _ := p.CRD.Resolve([]string{"metadata", "labels"})
		for _, e := range crd.Entries(labels.Node) {
			places = append(places, crd.Place{Node: e.Key, Path: "metadata.labels[" + e.Name + "]"})
		}
		p.ReportAll(places, func(indexes []int) string {
			var names []string
			for _, i := range indexes {
				names = append(names, places[i].Path[len("metadata.labels["):len(places[i].Path)-1])
			}
			return strings.Join(names, ", ")
		})
	}}
	l := &Linter{Rules: []*Rule{rule}, Ratchet: true}
	report := func(keys ...string) *Report {
		src := text
		for _, key := range keys {
			src += "    " + key + ": x\n"
		}
		return l.Report([]*FileReport{l.File("a.yaml", []byte(src))})
	}
	newer := report("a", "b", "c", "d")
	newer.DropKnown(report("c", "a"))
	if len(newer.Findings) != 1 || newer.Findings[0].Message != "b, d" || newer.Findings[0].Pos.Line != 8 || newer.Findings[0].At.Path != "metadata.labels[b]" {
		t.Errorf("%+v", newer.Findings)
	}
	fewer := report("a", "b")
	fewer.DropKnown(report("c", "b", "a"))
	if len(fewer.Findings) != 0 {
		t.Errorf("%+v", fewer.Findings[0])
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
	if len(report.Files) != 1 || len(report.Findings) != 2 || report.Count(Error) != 2 {
		t.Fatalf("%+v", report)
	}
	for i, file := range []string{"a.yaml", "b.yaml"} {
		f := report.Findings[i]
		if f.Pos != (Position{file, 1, 1, 1, 1}) || f.Related[0].Pos.File != "main:a.yaml" || f.Related[0].Pos.Line != 4 {
			t.Errorf("%s: %+v", file, f)
		}
	}
	l.Config = &Config{Rules: map[string]Severity{RemovedRule.ID: Off}}
	if f := (&FileReport{Path: "a.yaml"}); l.Removed(f, old) || len(f.Findings) != 0 {
		t.Error("reported though it is switched off")
	}
}
