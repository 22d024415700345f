package suite_test

import (
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/suite"
)

// A suite of openshift/api that is written in our own format passes as it did.
func TestRewritten(t *testing.T) {
	t.Parallel()
	s := readOpenShift(t, "  onCreate: [{name: a, initial: "+jar("spec: {}")+", expected: "+jar("spec: {size: 1}")+"}, {name: b, initial: "+jar("spec: {lid: a}")+", expectedError: a lid needs}]\n"+
		"  onUpdate: [{name: c, initialCRDPatches: [{op: remove, path: /spec/versions/1/schema/openAPIV3Schema/properties/spec/properties/lid/maxLength}], initial: "+jar("spec: {size: 2, lid: long}")+
		", updated: "+jar("spec: {size: 3, lid: long}, status: {full: 6}")+", expectedStatusError: less than or equal to 5}]")
	crd := objects.Definitions("jars.yaml", "jars.yaml", []byte(jars), true)[0]
	r := &suite.Runner{Find: func(*suite.Suite, string, string) (*objects.Definition, string) { return crd, "" }}
	got := string(suite.Rewritten(s, r.Run(s, nil)).YAML())
	const want = suite.SchemaLine + `crdtest: v1
version: v1
base:
  apiVersion: example.com/v1
  kind: Jar
  spec: {}
cases:
- name: onCreate/a
  stored: {spec.size: 1}
- name: onCreate/b
  set: {spec.lid: a}
  rejected: a lid needs a size
- name: onUpdate/c
  old: {set: {spec.lid: long, spec.size: 2}}
  before: [spec.lid.maxLength]
  set: {spec.size: 3}
  then: [{name: status, request: status, set: {status.full: 6}, rejected: {at: status.full, by: maximum}}]
`
	if strings.TrimSpace(got) != strings.TrimSpace(want) {
		t.Errorf("it is written\n%s\nwant\n%s", got, want)
	}
	again := suite.Read(manifest.Parse("jar.crdtest.yaml", []byte(got)).Documents[0])
	for _, p := range again.Wrong {
		t.Error(p.Message)
	}
	for _, result := range r.Run(again, nil) {
		if !result.Passed() {
			t.Errorf("%s does not pass", result.Case.Name)
		}
	}
}
