package request_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/testing/behaviour"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"sigs.k8s.io/yaml"
)

// serve makes a server for a CRD with one version, v1, of the given schema in flow style, and more of the version's
// fields.
func serve(t testing.TB, schema string, more ...string) *request.Server {
	t.Helper()
	return serveCRD(t, versionOne(schema, more...))
}

// versionOne is a CRD with one version.
func versionOne(schema string, more ...string) string {
	return `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: tests.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Test, plural: tests}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: ` + schema + "}" + strings.Join(more, "") + "}]\n"
}

func serveCRD(t testing.TB, manifest string) *request.Server {
	t.Helper()
	server, err := request.New(decode(t, manifest))
	if err != nil {
		t.Fatal(err)
	}
	return server
}

func decode(t testing.TB, manifest string) *apiextensions.CustomResourceDefinition {
	t.Helper()
	crds, _, err := behaviour.Decode([]byte(manifest))
	if err != nil || len(crds) != 1 {
		t.Fatalf("%d CRDs: %v", len(crds), err)
	}
	return crds[0]
}

// object makes a custom resource of members in flow style.
func object(t testing.TB, members string) request.Object {
	t.Helper()
	var o request.Object
	text := "{apiVersion: example.com/v1, kind: Test, metadata: {name: test}, " + members + "}"
	if err := yaml.Unmarshal([]byte(text), &o); err != nil {
		t.Fatal(err)
	}
	return plain(o).(request.Object)
}

// plain makes whole numbers int64, as decoders do.
func plain(value any) any {
	switch value := value.(type) {
	case float64:
		if value == float64(int64(value)) {
			return int64(value)
		}
	case map[string]any:
		for name, member := range value {
			value[name] = plain(member)
		}
	case []any:
		for i, item := range value {
			value[i] = plain(item)
		}
	}
	return value
}

func TestCreate(t *testing.T) {
	t.Parallel()
	v := serve(t, "{type: object, properties: {spec: {type: object, properties: {size: {type: integer, maximum: 3}, name: {type: string, default: a}}}}}").Version("v1")
	accepted := v.Create(object(t, "spec: {size: 2, other: 1}"))
	if !accepted.Accepted() {
		t.Fatalf("rejected: %+v", accepted)
	}
	if got, _ := request.Keys("spec", "name").In(accepted.Object); got != "a" {
		t.Errorf("the default is %v", got)
	}
	if len(accepted.Changes) == 0 || accepted.Changes[1].Path.String() != "spec.other" {
		t.Errorf("changes are %v", accepted.Changes)
	}
	refused := v.Create(object(t, "spec: {size: 4}"))
	if len(refused.Causes) != 1 || refused.Causes[0].Path.String() != "spec.size" || refused.Object != nil {
		t.Errorf("outcome is %+v", refused)
	}
}

func TestStatusOfDefaults(t *testing.T) {
	t.Parallel()
	schema := "{type: object, properties: {spec: {type: object, properties: {a: {type: integer}}}, status: {type: object, default: {seen: -1}, properties: {seen: {type: integer}}}}}"
	v := serve(t, schema, ", subresources: {status: {}}").Version("v1")
	if got := v.Create(object(t, "spec: {a: 1}")).Changes; len(got) != 0 {
		t.Errorf("without a status, changes are %v", got)
	}
	want := []request.Change{{Kind: request.StatusDropped, Path: request.Keys("status")}}
	if got := v.Create(object(t, "status: {seen: 3}")).Changes; !reflect.DeepEqual(got, want) {
		t.Errorf("with a status, changes are %v", got)
	}
	old := object(t, "status: {seen: 4}")
	if got := v.Update(object(t, "spec: {a: 2}"), old).Changes; len(got) != 0 {
		t.Errorf("on an update without a status, changes are %v", got)
	}
	if got := v.Update(object(t, "status: {seen: 3}"), old).Changes; !reflect.DeepEqual(got, want) {
		t.Errorf("on an update with another status, changes are %v", got)
	}
}
