package convert_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/convert"
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
	"sigs.k8s.io/kustomize/kyaml/kio"
)

// TestFilter: as a filter of a kyaml pipeline, the conversion changes what it can and tells of the rest what lint does. A
// tree has no lines, so notes have paths alone.
func TestFilter(t *testing.T) {
	t.Parallel()
	const crontabs = `apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata: {name: crontabs.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: crontabs, kind: CronTab}
  versions:
  - {name: v1, served: true, storage: true}
`
	widgets := strings.NewReplacer("crontabs", "widgets", "CronTab", "Widget").Replace(crontabs) + "  - {name: v2, served: true, storage: true}\n"
	filter := &convert.Filter{Options: policy.Options{To: policy.V1}, Explain: rules.Explainer()}
	var out bytes.Buffer
	err := kio.Pipeline{
		Inputs:  []kio.Reader{&kio.ByteReader{Reader: strings.NewReader(crontabs + "---\n" + widgets + "---\nkind: ConfigMap\n")}},
		Filters: []kio.Filter{filter},
		Outputs: []kio.Writer{kio.ByteWriter{Writer: &out}},
	}.Execute()
	if err != nil {
		t.Fatal(err)
	}
	if v1, all := strings.Count(out.String(), "apiextensions.k8s.io/v1\n"), strings.Count(out.String(), "apiextensions.k8s.io/v1"); v1 != 1 || all != 2 {
		t.Errorf("one of two CRDs should be of v1:\n%s", out.String())
	}
	crds := filter.CRDs()
	if len(crds) != 2 || filter.Others != 1 {
		t.Fatalf("%d CRDs and %d others, want 2 and 1", len(crds), filter.Others)
	}
	if crds[0].State != policy.Converted || crds[1].State != policy.NeedsPerson {
		t.Errorf("%s %s, and %s %s", crds[0].Name, crds[0].State, crds[1].Name, crds[1].State)
	}
	if len(crds[1].Notes) != 1 {
		t.Fatalf("notes %+v, want one", crds[1].Notes)
	}
	n := crds[1].Notes[0]
	if n.ID != "storage-version-count" || n.Path != "spec.versions[1].storage" || !strings.HasPrefix(n.Message, "2 versions have storage: true") {
		t.Errorf("%s at %s: %s", n.ID, n.Path, n.Message)
	}
	for _, c := range crds {
		for _, n := range c.Notes {
			if n.Pos != (lint.Position{}) || n.Lines != nil {
				t.Errorf("%s: %s is at %v, lines %v; a tree has none", c.Name, n.ID, n.Pos, n.Lines)
			}
		}
	}
}

// TestUnexplained: a program that asks for no explanations has the server's own words, where the server has its errors.
func TestUnexplained(t *testing.T) {
	t.Parallel()
	const src = `apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Everywhere
  names: {plural: widgets, kind: Widget}
  versions:
  - {name: v1, served: true, storage: true}
`
	said := func(explain lint.Explainer) string {
		result, err := convert.Explained("crd.yaml", []byte(src), policy.Options{}, explain)
		if err != nil || len(result.CRDs) != 1 || len(result.CRDs[0].Notes) != 1 {
			t.Fatalf("%+v, %v", result, err)
		}
		n := result.CRDs[0].Notes[0]
		return fmt.Sprintf("%d:%d %s: %s", n.Pos.Line, n.Pos.Column, n.ID, n.Message)
	}
	if of := rules.Explainer(); !of.Explains("scope-invalid") || of.Explains("conversion-pending") {
		t.Error("the explainer does not know its rules")
	}
	plain, explained := said(nil), said(rules.Explainer())
	const server = `6:10 scope-invalid: the v1beta1 API server rejects this: "Everywhere" is not one of "Cluster", "Namespaced"`
	if plain != server {
		t.Errorf("without explanations: %s", plain)
	}
	if !strings.HasPrefix(explained, "6:") || strings.Contains(explained, "rejects this") {
		t.Errorf("with explanations: %s", explained)
	}
}
