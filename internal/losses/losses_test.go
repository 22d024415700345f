package losses_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/convert"
	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/losses"
)

// crd is a v1beta1 CRD with versions and a schema, in flow style.
func crd(versions, schema string, more ...string) string {
	return `apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata: {name: foos.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: foos, kind: Foo}
  versions: [` + versions + `]
  validation: {openAPIV3Schema: ` + schema + "}\n" + strings.Join(more, "\n")
}

const (
	one  = "{name: v1, served: true, storage: true}"
	deep = "{type: object, properties: {spec: {type: object, properties: {a: {type: object, properties: {b: {type: string}}}, labels: {type: object, additionalProperties: {type: object, properties: {x: {type: string}}}}}}}}"
)

// object is a Foo with members in flow style.
func object(version, members string) string {
	return "---\n{apiVersion: example.com/" + version + ", kind: Foo, metadata: {name: x, namespace: y}, " + members + "}\n"
}

// told is what is said of objects, with options.
func told(t *testing.T, crd string, o policy.Options, objects ...string) string {
	t.Helper()
	made, err := convert.File("crd.yaml", []byte(crd), o)
	if err != nil {
		t.Fatal(err)
	}
	var all losses.All
	all.Add(losses.Of("crd.yaml", []byte(crd), o, made, convert.File))
	for i, src := range objects {
		look := all.Look(fmt.Sprintf("%d.yaml", i), []byte(src), nil)
		if look.Errs != nil {
			t.Fatal(look.Errs)
		}
		all.Count(look)
	}
	var lines []string
	for _, c := range all.CRDs {
		lines = append(lines, c.Report()...)
	}
	return strings.Join(lines, "\n")
}

func TestTold(t *testing.T) {
	t.Parallel()
	prune, exact := policy.Options{Policy: policy.Idiomatic}, policy.Options{}
	for _, tt := range []struct {
		about   string
		crd     string
		options policy.Options
		objects string
		want    string
	}{
		{"declared fields are kept", crd(one, deep), prune, object("v1", "spec: {a: {b: x}}"), "foos.example.com: 1 object loses nothing"},
		{"a field at the root is kept by a mark there", crd(one, deep), prune, object("v1", "more: 1"),
			"foos.example.com: 1 of 1 object loses fields\n  more, of 1 object: 0.yaml:2\n  'convert.unknownFields: root' loses nothing of these objects, with 1 mark"},
		{"a field in a field takes more marks", crd(one, deep), prune, object("v1", "more: 1") + object("v1", "spec: {a: {c: 1}}"),
			"foos.example.com: 2 of 2 objects lose fields\n  more, of 1 object: 0.yaml:2\n  spec.a.c, of 1 object: 0.yaml:4\n" +
				"  'convert.unknownFields: preserve' loses nothing of these objects, with 4 marks"},
		{"names that are data are hidden, items are told together", crd(one, deep), prune, object("v1", "spec: {labels: {hunter2: {z: 1}, hunter3: {z: 2}}}"),
			"foos.example.com: 1 of 1 object loses fields\n  spec.labels[***].z, of 1 object: 0.yaml:2\n  'convert.unknownFields: preserve' loses nothing of these objects, with 4 marks"},
		{"what is exact may be more than is needed", crd(one, deep), exact, object("v1", "spec: {a: {b: x}}"),
			"foos.example.com: 1 object loses nothing; nor with 'convert.unknownFields: prune', which adds no marks rather than 4"},
		{"another version", crd(one, deep), exact, object("v2", ""), "foos.example.com: 1 object could not be looked at: the CRD does not have the version v2"},
		{"what v1beta1 pruned is not lost by v1", crd(one, deep, "  preserveUnknownFields: false"), prune, object("v1", "more: 1"), "foos.example.com: 1 object loses nothing"},
		{"a schema that is not structural", crd(one, "{properties: {spec: {properties: {a: {type: string}}}}}"), prune, object("v1", "spec: {a: x, b: 1}"),
			"foos.example.com: 1 of 1 object loses fields\n  spec.b, of 1 object: 0.yaml:2\n  'convert.missingTypes: preserve' loses nothing of these objects, with 1 mark"},
	} {
		t.Run(tt.about, func(t *testing.T) {
			t.Parallel()
			if got := told(t, tt.crd, tt.options, tt.objects); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}
