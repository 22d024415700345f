package engine

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/older"
	"github.com/crdlift/crdlift/lint"
)

const toldCRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: foos.example.com}
spec:
  group: example.com
  names: {kind: Foo, plural: foos}
  versions:
  - {name: v1, served: true, storage: true}
  - {name: v1alpha1, served: false, storage: false, deprecated: true}
`

// TestTold tests what reports say of CRDs without findings, beside the older ones.
func TestTold(t *testing.T) {
	t.Parallel()
	was := manifest.Parse("old.yaml", []byte(toldCRD)).Documents[0]
	found, _ := crd.Find(was.Root.YNode())
	l := &Linter{Sources: comparedWith(&older.CRD{CRD: found[0], Document: was})}
	got := l.Report([]*FileReport{l.File("foos.yaml", []byte("# a comment\n"+toldCRD))}).Defined
	versions := []lint.APIVersion{{Name: "v1", Served: true, Storage: true}, {Name: "v1alpha1", Deprecated: true}}
	want := []lint.CRD{{
		Name: "foos.example.com", Group: "example.com", Kind: "Foo", File: "foos.yaml", Line: 2,
		APIVersion: "apiextensions.k8s.io/v1", Versions: versions, Before: versions,
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestToldOfTemplates tests that nothing is said of versions that are known only when a template is rendered.
func TestToldOfTemplates(t *testing.T) {
	t.Parallel()
	src := `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: foos.example.com}
spec:
  group: {{ .Values.group }}
  names: {kind: Foo, plural: foos}
  versions:
  - name: v1
    served: {{ .Values.served }}
    storage: true
`
	l := &Linter{}
	got := l.Report([]*FileReport{l.File("chart/templates/foos.yaml", []byte(src))}).Defined
	want := []lint.CRD{{
		Name: "foos.example.com", Group: "{{ .Values.group }}", Kind: "Foo", File: "chart/templates/foos.yaml", Line: 1,
		APIVersion: "apiextensions.k8s.io/v1",
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
