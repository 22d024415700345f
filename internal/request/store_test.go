package request_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/request"
	"k8s.io/apimachinery/pkg/runtime"
)

// twoVersions has v1, which is stored, and v2: each with a field, a default and an embedded resource of its own.
const twoVersions = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: tests.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Test, plural: tests}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {a: {type: object, properties: {
      both: {type: string}, one: {type: string}, set1: {type: string, default: by v1}, set2: {type: string}, empty: {type: string, nullable: true},
      resource: {type: object, x-kubernetes-preserve-unknown-fields: true}}}}}}}
  - {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object, properties: {a: {type: object, properties: {
      both: {type: string}, two: {type: string}, set1: {type: string}, set2: {type: string, default: by v2}, empty: {type: string},
      resource: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}}}}}}}
`

// A written object is stored in the storage version, whatever version it is written and read at: what only another one
// declares is lost, and defaults are those of the version that it is written at and of the one that it is stored in.
func TestServeAfterStore(t *testing.T) {
	t.Parallel()
	server := serveCRD(t, twoVersions)
	for _, test := range []struct {
		about, version, members, stored string
		served                          map[string]string
	}{
		{"of the storage version", "v1", "a: {both: x, one: w, two: z}", "a: {both: x, one: w, set1: by v1}",
			map[string]string{"v1": "a: {both: x, one: w, set1: by v1}", "v2": "a: {both: x, set1: by v1}"}},
		{"of the other one", "v2", "a: {both: x, one: w, two: z}", "a: {both: x, set2: by v2}",
			map[string]string{"v1": "a: {both: x, set1: by v1, set2: by v2}", "v2": "a: {both: x, set1: by v1, set2: by v2}"}},
		{"with other values than the defaults", "v2", "a: {set1: mine, set2: mine}", "a: {set1: mine, set2: mine}",
			map[string]string{"v1": "a: {set1: mine, set2: mine}", "v2": "a: {set1: mine, set2: mine}"}},
		{"without what has defaults", "v1", "b: c", "", map[string]string{"v1": "", "v2": ""}},
		{"with a null that only one version allows", "v1", "a: {empty: null}", "a: {empty: null, set1: by v1}",
			map[string]string{"v1": "a: {empty: null, set1: by v1}", "v2": "a: {set1: by v1}"}},
	} {
		t.Run(test.about, func(t *testing.T) {
			t.Parallel()
			admitted := server.Version(test.version).Create(version(t, test.version, test.members)).Object
			before := runtime.DeepCopyJSON(admitted)
			stored, err := server.Version(test.version).Store(admitted)
			if err != nil || !reflect.DeepEqual(bare(stored), bare(version(t, "v1", test.stored))) {
				t.Errorf("it is stored as %s (%v)", text(stored), err)
			}
			if !reflect.DeepEqual(admitted, before) {
				t.Error("Store changes what it is given")
			}
			before = runtime.DeepCopyJSON(stored)
			for name, want := range test.served {
				served, err := server.Version(name).Serve(stored)
				if err != nil || !reflect.DeepEqual(bare(served), bare(version(t, name, want))) {
					t.Errorf("it is served at %s as %s (%v)", name, text(served), err)
				}
			}
			if !reflect.DeepEqual(stored, before) {
				t.Error("Serve changes what it is given")
			}
		})
	}
}

// version is an object of one of two versions.
func version(t *testing.T, name, members string) request.Object {
	o := object(t, members)
	o["apiVersion"] = "example.com/" + name
	return o
}

// bare is an object without its metadata.
func bare(o request.Object) request.Object {
	o = runtime.DeepCopyJSON(o)
	delete(o, "metadata")
	return o
}

// What is stored is not validated. It is repaired as far as upstream does it, and the rest cannot be read at all; why is
// told without values.
func TestServeWhatIsBroken(t *testing.T) {
	t.Parallel()
	server := serveCRD(t, twoVersions)
	for _, test := range []struct{ about, at, apiVersion, members, want, err string }{
		{"a value of another type", "v1", "example.com/v1", "a: {both: [1], set1: x}", "a: {both: [1], set1: x}", ""},
		{"a version that is gone", "v1", "example.com/v3", "a: {}", "", "a version that the CRD does not have"},
		{"another group", "v1", "example.org/v1", "a: {}", "", "a version that the CRD does not have"},
		{"an embedded resource that is none of the other version", "v2", "example.com/v1", "a: {resource: {kind: [secret]}}", "", "an embedded resource of version v2 cannot be decoded"},
		{"the same at its own", "v1", "example.com/v1", "a: {set1: x, resource: {kind: [secret]}}", "a: {set1: x, resource: {kind: [secret]}}", ""},
	} {
		o := object(t, test.members)
		o["apiVersion"] = test.apiVersion
		served, err := server.Version(test.at).Serve(o)
		switch {
		case test.err != "":
			if err == nil || !strings.Contains(err.Error(), test.err) || strings.Contains(err.Error(), "secret") {
				t.Errorf("%s: error is %v", test.about, err)
			}
		case err != nil || !reflect.DeepEqual(bare(served), bare(version(t, test.at, test.want))):
			t.Errorf("%s: it is served as %s (%v)", test.about, text(served), err)
		}
	}
	o := object(t, "a: {}")
	o["metadata"] = request.Object{"name": "test", "generation": int64(0), "labels": request.Object{"a": int64(1)}, "annotations": request.Object{"b": "c"}}
	served, err := server.Version("v2").Serve(o)
	if want := (request.Object{"name": "test", "generation": int64(1), "annotations": request.Object{"b": "c"}}); err != nil || !reflect.DeepEqual(served["metadata"], want) {
		t.Errorf("the metadata is served as %v (%v)", served["metadata"], err)
	}
}

// TestConvertedByWebhook reads an object from etcd at a version that a webhook converts to: it is sent with the defaults of
// the version that it is stored in, and what comes back loses what the version does not declare.
func TestConvertedByWebhook(t *testing.T) {
	t.Parallel()
	server := serveCRD(t, twoVersions)
	stored := request.Object{"apiVersion": "example.com/v1", "kind": "Test", "metadata": map[string]any{"name": "x"}, "a": map[string]any{"one": "w"}}
	decoded, err := server.Decode(stored)
	if want := (request.Object{"one": "w", "set1": "by v1"}); err != nil || !reflect.DeepEqual(decoded["a"], want) || decoded["apiVersion"] != "example.com/v1" {
		t.Fatalf("decoded: %v, %v", decoded, err)
	}
	decoded["apiVersion"] = "example.com/v2" // which is all that the webhook does
	v2 := server.Version("v2")
	if all := v2.Undeclared(decoded); len(all) != 1 || all[0].String() != "a.one" {
		t.Errorf("undeclared: %v", all)
	}
	coerced, err := v2.Coerce(decoded)
	if want := (request.Object{"set1": "by v1"}); err != nil || !reflect.DeepEqual(coerced["a"], want) {
		t.Errorf("at v2: %v, %v", coerced, err)
	}
	if decoded["a"].(map[string]any)["one"] != "w" {
		t.Error("what the webhook answered is changed")
	}
	if _, err := server.Decode(request.Object{"apiVersion": "example.com/v3", "kind": "Test"}); err == nil {
		t.Error("an object of a version that there is not is read")
	}
}
