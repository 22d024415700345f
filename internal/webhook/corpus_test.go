package webhook_test

import (
	"os"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/review"
	"github.com/crdlift/crdlift/internal/testing/behaviour"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/internal/testing/webhooks"
	"github.com/crdlift/crdlift/internal/webhook"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
)

// TestCorpusIdentity finds nothing in a webhook that only changes the version, between two versions with the same schema: that of
// the storage version of a real CRD. What is random about objects, or odd about schemas, is no mistake of a webhook.
func TestCorpusIdentity(t *testing.T) {
	t.Parallel()
	corpus.Need(t)
	objects := 0
	for _, file := range corpus.Turn(t, corpus.Sample(t, corpus.Files(t, "v1"), 60)) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		crds, apiVersions, err := behaviour.Decode(text)
		if err != nil {
			continue
		}
		for i, crd := range crds {
			if apiVersions[i] != "apiextensions.k8s.io/v1" || !twice(crd) {
				continue
			}
			r := identity(t, crd, 20)
			if r == nil {
				continue
			}
			objects += r.Objects
			for _, f := range r.Findings {
				t.Errorf("%s: %s: %s %v\n\t%v", file, shown(f), f.Detail, f.Cause, f.Object)
			}
		}
	}
	if objects == 0 {
		t.Error("no object was made of any CRD")
	}
	t.Logf("%d objects", objects)
}

// TestIdentity finds nothing in such a webhook where the schema makes it look as if.
func TestIdentity(t *testing.T) {
	t.Parallel()
	for name, schema := range map[string]string{
		"a default of the status, which a create does not store": `
            spec: {type: object, properties: {size: {type: integer}}}
            status: {type: object, default: {observedGeneration: -1}, properties: {observedGeneration: {type: integer}}}`,
		"a required field that may be empty": `
            spec: {type: object, required: [size, name], properties: {size: {type: integer}, name: {type: string}}}`,
		"a default that is empty": `
            spec: {type: object, default: {}, properties: {name: {type: string, default: ""}, on: {type: boolean, default: false}}}`,
		"a schema that rejects what it has": `
            spec: {type: object, x-kubernetes-validations: [{rule: "self.size > oldSelf.size"}], properties: {size: {type: integer}}}`,
		"parts of numbers, of which a server rejects whole ones": `
            spec: {type: object, properties: {size: {type: number, multipleOf: 0.5, minimum: -0.5, maximum: 1.5}}}`,
		"nulls": `
            spec: {type: object, properties: {a: {type: string, nullable: true}, b: {type: string, nullable: true, default: x}}}`,
		"no schema to speak of": `
            spec: {type: object, x-kubernetes-preserve-unknown-fields: true}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			crds, _, err := behaviour.Decode([]byte(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  names: {kind: Thing, listKind: ThingList, plural: things, singular: thing}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:` + strings.ReplaceAll(schema, "\n            ", "\n          ")))
			if err != nil {
				t.Fatal(err)
			}
			twice(crds[0])
			r := identity(t, crds[0], 40)
			if r == nil || r.Objects == 0 || len(r.Findings) > 0 {
				t.Errorf("%+v", r)
			}
		})
	}
}

// twice leaves a CRD with its storage version, once more by another name.
func twice(crd *apiextensions.CustomResourceDefinition) bool {
	for _, v := range crd.Spec.Versions {
		if !v.Storage {
			continue
		}
		if v.Schema != nil && v.Schema.OpenAPIV3Schema != nil {
			delete(v.Schema.OpenAPIV3Schema.Properties, "apiVersion") // which may be an enum of one version
		}
		other := *v.DeepCopy()
		other.Name, other.Storage, other.Served = "v999", false, true
		crd.Spec.Versions = []apiextensions.CustomResourceDefinitionVersion{v, other}
		crd.Spec.Conversion = &apiextensions.CustomResourceConversion{
			Strategy:                 apiextensions.WebhookConverter,
			ConversionReviewVersions: []string{"v1", "v1beta1"},
			WebhookClientConfig:      &apiextensions.WebhookClientConfig{Service: &apiextensions.ServiceReference{Name: "identity", Namespace: "default", Port: 443}},
		}
		return true
	}
	return false
}

// identity tests the webhook that only changes the version; nil for a CRD that no server takes.
func identity(t *testing.T, crd *apiextensions.CustomResourceDefinition, count int) *webhook.Result {
	t.Helper()
	versions := crd.Spec.Versions
	handler := webhooks.Identity(crd.Spec.Group, crd.Spec.Names.Kind, nil, versions[0].Name, versions[1].Name)
	client, err := review.New(review.Config{CRD: crd, Handler: handler})
	if err != nil {
		t.Fatal(err)
	}
	r, err := webhook.Test(t.Context(), crd, client, webhook.Options{Count: count, Seed: 1})
	if err != nil {
		t.Logf("%s: %v", crd.Name, err)
		return nil
	}
	return r
}
