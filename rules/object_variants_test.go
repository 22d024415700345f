package rules

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/lint"
)

// A crdFile is a file with a CRD of widgets, and what it is to its repository.
type crdFile struct{ path, role, below, spec string }

// widgetsOf is a CRD of widgets whose spec has a schema.
func widgetsOf(spec string) string {
	return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, ` + spec + `}
`
}

// fileOf is a file of a text.
func fileOf(path, text string) lint.File {
	return lint.File{Path: path, Label: path, Read: func() ([]byte, error) { return []byte(text), nil }}
}

// judgedBy is a linter that judges by CRDs, where files have roles.
func judgedBy(t testing.TB, crds []crdFile, roles map[string]lint.Role) *Linter {
	t.Helper()
	by := &Objects{List: true}
	by.Roles = func(path, crd string) (lint.Role, string) {
		i := slices.IndexFunc(crds, func(c crdFile) bool { return c.path == path })
		if crd == "" || i < 0 {
			return roles[path], ""
		}
		return lint.Role(crds[i].role), crds[i].below
	}
	for _, c := range crds {
		file, err := ReadCRDs(fileOf(c.path, widgetsOf(c.spec)), false)
		if err != nil {
			t.Fatal(err)
		}
		by.Add(file)
	}
	return &Linter{Objects: by}
}

// TestObjectVariants: what all CRDs of a kind say that may be installed is said of an object, and what some of them say is an info,
// whichever of them is read first.
func TestObjectVariants(t *testing.T) {
	t.Parallel()
	const (
		size  = "properties: {size: {type: integer}}"
		must  = "required: [size], properties: {size: {type: integer}}"
		small = "properties: {size: {type: integer, maximum: 9}}"
		tiny  = "properties: {size: {type: integer, maximum: 3}}"
		large = "properties: {size: {type: integer, minimum: 20}}"
		any   = "x-kubernetes-preserve-unknown-fields: true"
	)
	for _, test := range []struct {
		why    string
		crds   []crdFile
		path   string
		spec   string
		want   string // findings, each "severity rule message"
		listed string
	}{
		{"the source asks for it, what is built of it does not",
			[]crdFile{{path: "config/crd/a.yaml", spec: must}, {path: "config/all.yaml", role: "built", spec: size}}, "config/samples/o.yaml", "{}",
			"info object-crds-differ spec.size is required; only config/crd/a.yaml says so, and config/all.yaml does not; pass only the CRD that counts", "accepted"},
		{"both reject the place, for another reason",
			[]crdFile{{path: "config/crd/a.yaml", spec: tiny}, {path: "charts/a.yaml", role: "chart", spec: small}}, "config/o.yaml", "{size: 12}",
			"error object-constraint spec.size must be at most 3", "refused"},
		{"one of them rejects it",
			[]crdFile{{path: "config/crd/a.yaml", spec: tiny}, {path: "charts/a.yaml", role: "chart", spec: small}}, "config/o.yaml", "{size: 7}",
			"info object-crds-differ spec.size must be at most 3; only config/crd/a.yaml says so, and charts/a.yaml does not; pass only the CRD that counts", "accepted"},
		{"one that takes anything lets a misspelling pass, which is said",
			[]crdFile{{path: "config/crd/a.yaml", spec: size}, {path: "config/bare.yaml", role: "built", spec: any}}, "config/o.yaml", "{sizes: 7}",
			"info object-crds-differ spec.sizes is not declared and is dropped; kubectl rejects it; did you mean size?; only config/crd/a.yaml says so, and config/bare.yaml does not; pass only the CRD that counts", "accepted"},
		{"two of three say it, and one says more",
			[]crdFile{{path: "a.yaml", spec: must}, {path: "b.yaml", spec: must + ", description: b"}, {path: "c.yaml", spec: size}}, "o.yaml", "{extra: 7}",
			"error object-unknown-field spec.extra is not declared and is dropped; kubectl rejects it\n" +
				"info object-crds-differ spec.size is required; only a.yaml and b.yaml say so, and c.yaml does not; pass only the CRD that counts", "refused"},
		{"all reject it, each at another place: it is rejected for what the nearest says",
			[]crdFile{{path: "a/a.yaml", spec: "required: [size], " + any}, {path: "b/a.yaml", spec: "properties: {colour: {enum: [red], type: string}}"}}, "b/o.yaml", "{colour: blue}",
			"error object-enum spec.colour must be one of red\n" +
				"info object-crds-differ spec.size is required; only a/a.yaml says so, and b/a.yaml does not; pass only the CRD that counts", "refused"},
		{"many are counted",
			[]crdFile{{path: "a.yaml", spec: tiny}, {path: "b.yaml", spec: tiny + ", description: b"}, {path: "c.yaml", spec: tiny + ", description: c"},
				{path: "d.yaml", spec: tiny + ", description: d"}, {path: "e.yaml", spec: tiny + ", description: e"}, {path: "f.yaml", spec: large}}, "o.yaml", "{size: 30}",
			"info object-crds-differ spec.size must be at most 3; only a.yaml, b.yaml, c.yaml and 2 more say so, and f.yaml does not; pass only the CRD that counts", "accepted"},
		{"a CRD of tests judges nothing outside of them",
			[]crdFile{{path: "pkg/testdata/a.yaml", role: "test", below: "pkg/testdata", spec: size}}, "demo/o.yaml", "{labels: []}", "", ""},
		{"and is no other word beside a source",
			[]crdFile{{path: "pkg/testdata/a.yaml", role: "test", below: "pkg/testdata", spec: size}, {path: "config/crd/a.yaml", spec: tiny}}, "demo/o.yaml", "{size: 9}",
			"error object-constraint spec.size must be at most 3", "refused"},
	} {
		rnd := rand.New(rand.NewPCG(39, 4))
		for range 4 {
			rnd.Shuffle(len(test.crds), func(i, j int) { test.crds[i], test.crds[j] = test.crds[j], test.crds[i] })
			l := judgedBy(t, test.crds, nil)
			src := "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nspec: " + test.spec + "\n"
			report := l.Report(l.File(test.path, []byte(src)))
			var got []string
			for _, f := range report.Findings {
				got = append(got, fmt.Sprintf("%s %s %s", f.Severity, f.Rule.ID, f.Message))
				if f.Rule.ID == "object-crds-differ" && f.Fix != nil {
					t.Errorf("%s: offers to %s", test.why, f.Fix.Title)
				}
			}
			slices.Sort(got)
			if said := strings.Join(got, "\n"); said != test.want {
				t.Errorf("%s: got\n%s\nwant\n%s", test.why, said, test.want)
			}
			listed := ""
			for _, one := range report.Objects.Listed {
				listed += one.Verdict
			}
			if listed != test.listed {
				t.Errorf("%s: it is %q, want %q", test.why, listed, test.listed)
			}
		}
	}
}

// TestAssertions: what a test runner compares is no object. It is counted, and no fix touches it.
func TestAssertions(t *testing.T) {
	t.Parallel()
	crds := []crdFile{{path: "config/crd.yaml", spec: "required: [size], properties: {size: {type: integer}}"}}
	const assertion = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nstatus: {ready: true}\n---\napiVersion: v1\nkind: Pod\n"
	roles := map[string]lint.Role{"e2e/00-assert.yaml": lint.RoleTest, "releases/v1/o.yaml": lint.RoleOld, "samples/o.yaml": lint.RoleSample}
	for path, role := range roles {
		l := judgedBy(t, crds, roles)
		out := l.Report(l.File(path, []byte(assertion)))
		left := 1
		if role == lint.RoleSample {
			left = 0
		}
		if out.Objects.LeftOut != left || out.Objects.BuiltIn != 1 || (len(out.Findings) > 0) != (left == 0) || out.Objects.PassedOver() != 1+left {
			t.Errorf("%s: %d are left out, %d are built in, %d findings", path, out.Objects.LeftOut, out.Objects.BuiltIn, len(out.Findings))
		}
		if fixed := l.Fix(path, []byte(assertion), true); (string(fixed.Output) == assertion) != (left == 1) {
			t.Errorf("%s: fixed:\n%s", path, fixed.Output)
		}
	}
}

// TestMissingCRDOfTests: with a rule about objects without a CRD, that of a test is named.
func TestMissingCRDOfTests(t *testing.T) {
	t.Parallel()
	l := judgedBy(t, []crdFile{{path: "testdata/crd.yaml", role: "test", spec: "type: object"}}, nil)
	l.Config = &lint.Config{Rules: map[string]lint.Severity{MissingCRD: lint.Warning}}
	out := l.Report(l.File("o.yaml", []byte("apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\n")))
	if len(out.Findings) != 1 || !strings.Contains(out.Findings[0].Message, "except in a test or an older release") || out.Findings[0].Related[0].Pos.File != "testdata/crd.yaml" {
		t.Errorf("got %v", out.Findings)
	}
}

// TestUnknownKinds: a kind that no CRD has is said once in a run, with the number of objects, and each time where a baseline is made.
func TestUnknownKinds(t *testing.T) {
	t.Parallel()
	for _, keep := range []bool{false, true} {
		l := judgedBy(t, []crdFile{{path: "crd.yaml", spec: "type: object"}}, nil)
		l.KeepAll = keep
		var files []*FileReport
		for i, kinds := range [][]string{{"Gadget", "Gadget"}, {"Gadget", "Widgt"}, {"Gizmo"}} {
			text := ""
			for n, kind := range kinds {
				text += fmt.Sprintf("---\napiVersion: example.com/v1\nkind: %s\nmetadata: {name: a%d}\n", kind, n)
			}
			if i == 1 {
				text += "---\napiVersion: example.com/v1\nkind: Gizmo # crdlift:ignore object-kind-unknown -- theirs\nmetadata: {name: i}\n"
			}
			files = append(files, l.File(fmt.Sprintf("%d.yaml", i), []byte(text)))
		}
		out := l.Report(files...)
		var got []string
		for _, f := range out.Findings {
			if f.Rule.ID == "object-kind-unknown" {
				got = append(got, fmt.Sprintf("%s:%d %s %d %s", f.Pos.File, f.Pos.Line, f.Object.Kind, f.Count(), f.Ignored))
			}
		}
		want := []string{"0.yaml:3 Gadget 3 ", "1.yaml:7 Widgt 1 ", "1.yaml:11 Gizmo 1 theirs", "2.yaml:3 Gizmo 1 "}
		if keep {
			want = []string{"0.yaml:3 Gadget 1 ", "0.yaml:7 Gadget 1 ", "1.yaml:3 Gadget 1 ", "1.yaml:7 Widgt 1 ", "1.yaml:11 Gizmo 1 theirs", "2.yaml:3 Gizmo 1 "}
		}
		if !slices.Equal(got, want) {
			t.Errorf("keep all: %t: got %q, want %q", keep, got, want)
		}
		if n := out.Objects.Counted[lint.Warning] + out.Objects.Counted[lint.Error]; !keep && n != 2 {
			t.Errorf("%d objects are counted, want 2", n)
		}
	}
}
