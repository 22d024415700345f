package krm

import (
	"bytes"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/kio"
)

// FuzzRun calls the function with any input: it answers with a ResourceList or an error, without a panic, and the same
// each time.
func FuzzRun(f *testing.F) {
	for _, version := range []string{"v1", "v1beta1"} {
		f.Add(list(version, "Namespaced", convertConfig))
		f.Add(list(version, "Nowhere", ""))
		f.Add(list(version, "Cluster", "functionConfig: {apiVersion: v1, kind: ConfigMap, data: {preset: all, fail-on: never}}\n"))
		f.Add(strings.ReplaceAll(list(version, "Cluster", convertConfig), "openAPIV3Schema: {type: object}", "openAPIV3Schema: &a {properties: {a: *a}}"))
	}
	f.Add("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: {}\nfunctionConfig: []\n")
	f.Add("apiVersion: v1\nkind: List\nitems: [null, 1, {kind: CustomResourceDefinition}]\n")
	f.Fuzz(func(t *testing.T, input string) {
		out, stderr, err := call(t, input)
		again, _, _ := call(t, input)
		if out != again {
			t.Errorf("two calls differ:\n%s\n%s", out, again)
		}
		for _, bad := range []string{"please report", "fault of crdlift"} {
			if strings.Contains(out+stderr, bad) {
				t.Errorf("%s\n%s", out, stderr)
			}
		}
		if err == nil {
			if _, err := (&kio.ByteReader{Reader: bytes.NewReader([]byte(out))}).Read(); err != nil {
				t.Errorf("the response cannot be read: %v\n%s", err, out)
			}
		}
	})
}
