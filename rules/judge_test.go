package rules_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// TestJudge puts together what is said about CRDs and about custom resources, in the order of the files, and once what both
// linters say.
func TestJudge(t *testing.T) {
	t.Parallel()
	const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  names: {kind: Widget, plural: widgets, singular: widget, listKind: WidgetList}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {size: {type: integer, maximum: 3}, sizes: {type: array, items: {type: string, maxLength: 1}}}}
`
	const object = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: one}\nspec: {size: 5, sizes: [ab, cd]}\n"
	const broken = "kind: CustomResourceDefinition\napiVersion: example.com/v1\n a: b: c\n"
	refused := []string{"a:4 object-constraint", "a:4 object-constraint", "a:4 object-constraint"}
	for _, test := range []struct {
		name     string
		files    []string
		crdsOnly bool
		want     []string
	}{
		{name: "an object before its CRD", files: []string{object, crd}, want: refused},
		{name: "a CRD with a mistake beside an object", files: []string{object, strings.Replace(crd, "maximum: 3", "maximum: 3, maxLength: 3", 1) + "---\n" + object},
			want: append(refused[:3:3], "b:16 schema-contradictory", "b:21 object-constraint", "b:21 object-constraint", "b:21 object-constraint")},
		{name: "text that neither linter can read", files: []string{broken, object, crd},
			want: []string{"a:3 yaml-syntax", "b:4 object-constraint", "b:4 object-constraint", "b:4 object-constraint"}},
		{name: "a judge of CRDs only", files: []string{object, broken, crd}, crdsOnly: true, want: []string{"b:3 yaml-syntax"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			by := &rules.Objects{}
			judge := &rules.Judge{Linter: &rules.Linter{}, Objects: func(use func(*rules.Objects)) { use(by) }}
			if test.crdsOnly {
				judge.Objects = nil
			}
			var files []*rules.Judgement
			for i, src := range test.files {
				name := string(rune('a' + i))
				crds, err := rules.ReadCRDs(lint.File{Path: name, Label: name, Read: func() ([]byte, error) { return []byte(src), nil }}, true)
				if err != nil {
					t.Fatal(err)
				}
				by.Add(crds)
			}
			for i, src := range test.files {
				files = append(files, judge.File(string(rune('a'+i)), []byte(src)))
			}
			report := judge.Report(files...)
			var got []string
			for _, f := range report.Findings {
				got = append(got, fmt.Sprintf("%s:%d %s", f.Pos.File, f.Pos.Line, f.Rule.ID))
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
			if is := report.Objects != nil; is == test.crdsOnly {
				t.Errorf("that custom resources are counted is %t", is)
			}
			if want := strings.Count(strings.Join(test.files, ""), "kind: CustomResourceDefinition\nmeta"); report.CRDs != want {
				t.Errorf("%d CRDs, want %d", report.CRDs, want)
			}
		})
	}
}
