package webhook

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/review"
	"github.com/crdlift/crdlift/internal/testing/behaviour"
	"k8s.io/apimachinery/pkg/runtime"
)

// A converter is a webhook that changes the spec of an object on its way to a version.
type converter func(spec map[string]any, to string)

func (c converter) Convert(_ context.Context, _, to string, objects ...Object) *review.Answer {
	a := &review.Answer{}
	for _, o := range objects {
		o = runtime.DeepCopyJSON(o)
		o["apiVersion"] = "example.com/" + to
		if spec, ok := o["spec"].(map[string]any); ok {
			c(spec, to)
		}
		a.Objects, a.Raw = append(a.Objects, o), append(a.Raw, o)
	}
	return a
}

func (converter) Send(context.Context, string, []byte) ([]byte, error) {
	return nil, errors.New("nothing else is answered")
}

// versions is a CRD of links whose specs have some properties at v1, and others at v2, which is stored.
func versions(v1, v2 string) string {
	return `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: links.example.com}
spec:
  group: example.com
  names: {kind: Link, listKind: LinkList, plural: links, singular: link}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: false
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {` + v1 + `}}}}}
  - name: v2
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {` + v2 + `}}}}}
`
}

// told are the findings about a converter of links, some of which have specs at v1, each as "rule field: change".
func told(t *testing.T, manifest string, c converter, count int, specs ...string) (all []string) {
	t.Helper()
	for _, f := range tested(t, manifest, c, count, specs...).Findings {
		all = append(all, fmt.Sprintf("%s %s: %s", strings.TrimPrefix(f.Property.ID(), "webhook-"), f.Path.Field(), changes[f.Change]))
	}
	return all
}

var changes = []string{"unchanged", "lost", "changed", "added", "reordered"}

func tested(t *testing.T, manifest string, c converter, count int, specs ...string) *Result {
	t.Helper()
	crds, _, err := behaviour.Decode([]byte(manifest))
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Count: count, Seed: 1, Skip: map[Group]bool{Pairs: true, Large: true, GarbageOf: true, Concurrency: true, PartialOf: true}}
	for i, spec := range specs {
		o.Samples = append(o.Samples, object(t, fmt.Sprintf(`{"apiVersion":"example.com/v1","kind":"Link","metadata":{"name":"a%d"},"spec":%s}`, i, spec)))
	}
	r, err := Test(t.Context(), crds[0], c, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestRefused tells what a schema has against a sample, rather than that its rules were not asked.
func TestRefused(t *testing.T) {
	t.Parallel()
	ruled := "ref: {type: object, x-kubernetes-validations: [{rule: self.kind != ''}], properties: {kind: {type: string}, size: {type: integer}}}"
	r := tested(t, versions(ruled, ruled), linked, 0, `{"ref":{"kind":"K","size":"9"}}`)
	if len(r.Refused) != 1 || r.Refused[0].What != "the sample a0" || r.Refused[0].Cause.Keyword != "type" {
		t.Errorf("%+v", r.Refused)
	}
}
