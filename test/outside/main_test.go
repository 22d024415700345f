package main

import (
	"encoding/json"
	"strings"
	"testing"
)

const manifest = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
  namespace: default
spec:
  group: example.com
  names: {kind: Widget, plural: widgets, listKind: WidgetList, singular: widget}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          size: {type: string}
`

func TestRun(t *testing.T) {
	var out strings.Builder
	if err := run(&out, "crd.yaml", []byte(strings.Replace(manifest, "type: string", "type: integer", 1)), []byte(manifest)); err != nil {
		t.Fatal(err)
	}
	told, sarif, _ := strings.Cut(out.String(), "{")
	for _, want := range []string{
		"18:24 error field-type-changed at spec.versions[0].schema.openAPIV3Schema.properties[size].type\n",
		"5:3 warning metadata-namespace-set at metadata.namespace\n", "widgets.example.com: converted\n",
	} {
		if !strings.Contains(told, want) {
			t.Errorf("%q is missing in:\n%s", want, told)
		}
	}
	var log struct{ Runs []struct{ Results []any } }
	if err := json.Unmarshal([]byte("{"+sarif), &log); err != nil || len(log.Runs) != 1 || len(log.Runs[0].Results) < 2 {
		t.Errorf("%v, %d runs:\n%s", err, len(log.Runs), sarif)
	}
}
