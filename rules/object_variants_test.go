package rules

import (
	"fmt"
	"slices"
	"testing"

	"github.com/crdlift/crdlift/lint"
)

// A crdFile is a file with a CRD of widgets.
type crdFile struct{ path, spec string }

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

// judgedBy is a linter that judges by CRDs.
func judgedBy(t testing.TB, crds []crdFile) *Linter {
	t.Helper()
	by := &Objects{List: true}
	for _, c := range crds {
		file, err := ReadCRDs(fileOf(c.path, widgetsOf(c.spec)), false)
		if err != nil {
			t.Fatal(err)
		}
		by.Add(file)
	}
	return &Linter{Objects: by}
}

// TestUnknownKinds: a kind that no CRD has is said once in a run, with the number of objects, and each time where a baseline is made.
func TestUnknownKinds(t *testing.T) {
	t.Parallel()
	for _, keep := range []bool{false, true} {
		l := judgedBy(t, []crdFile{{path: "crd.yaml", spec: "type: object"}})
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
