package apiserver_test

import (
	"reflect"
	"testing"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/testing/corpus"
)

// unchanged fails when judging a CRD modifies it: OnCreate does not copy all of it.
func unchanged(t *testing.T, name string, c *crd.CRD) {
	t.Helper()
	d, err := c.Decode()
	if err != nil {
		return
	}
	before := d.Hub.DeepCopy()
	apiserver.OnCreate(d.Hub, c.Version)
	if !reflect.DeepEqual(before, d.Hub) {
		t.Errorf("%s: judging changed it", name)
	}
}

func TestUnchanged(t *testing.T) {
	t.Parallel()
	const embedded = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: foos.example.com, namespace: a, generation: 7}
spec:
  group: example.com
  names: {plural: foos, kind: Foo}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          x:
            type: object
            x-kubernetes-embedded-resource: true
            x-kubernetes-preserve-unknown-fields: true
            default: {apiVersion: v1, kind: Pod, metadata: {name: a, creationTimestamp: "2020-01-31T08:00:00+02:00", labels: {b: c}}}
status: {storedVersions: [v7]}
`
	for _, c := range crd.Parse([]byte(embedded)) {
		unchanged(t, "embedded", c)
	}
	for _, folder := range []string{"v1", "v1beta1"} {
		for _, f := range fixtures(t, folder) {
			unchanged(t, f.name, f.crd)
		}
	}
}

func TestUnchangedCorpus(t *testing.T) {
	t.Parallel()
	for _, path := range corpus.Sample(t, corpus.Files(t), 12) {
		for _, c := range readCRDs(t, path) {
			unchanged(t, path, c)
		}
	}
}
