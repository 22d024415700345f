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
		{"another version", crd(one, deep), exact, object("v2", ""), "foos.example.com: 1 object could not be checked: the CRD does not have the version v2"},
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

// TestManyObjects: fields are counted over objects and files, and the first places are shown.
func TestManyObjects(t *testing.T) {
	t.Parallel()
	prune := policy.Options{Policy: policy.Idiomatic}
	more, other, none := object("v1", "more: 1"), object("v1", "other: 1"), object("v1", "spec: {a: {b: x}}")
	for _, tt := range []struct {
		about string
		files []string
		want  string
	}{
		{"as many places as are shown", []string{more + more + more}, "3 of 3 objects lose fields\n  more, of 3 objects: 0.yaml:2, 0.yaml:4, 0.yaml:6\n"},
		{"one more", []string{more + more, more + more}, "4 of 4 objects lose fields\n  more, of 4 objects: 0.yaml:2, 0.yaml:4, 1.yaml:2 and 1 more\n"},
		{"another field in another file", []string{more, other}, "2 of 2 objects lose fields\n  more, of 1 object: 0.yaml:2\n  other, of 1 object: 1.yaml:2\n"},
		{"the same fields again, in another order", []string{more, other + more, other}, "4 of 4 objects lose fields\n  more, of 2 objects: 0.yaml:2, 1.yaml:4\n  other, of 2 objects: 1.yaml:2, 2.yaml:2\n"},
		{"some objects lose nothing", []string{none, more, none}, "1 of 3 objects loses fields\n  more, of 1 object: 1.yaml:2\n"},
	} {
		t.Run(tt.about, func(t *testing.T) {
			t.Parallel()
			want := "foos.example.com: " + tt.want + "  'convert.unknownFields: root' loses nothing of these objects, with 1 mark"
			if got := told(t, crd(one, deep), prune, tt.files...); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// TestPassedOver: what is no object of the CRDs is counted, and so are templates, whose objects are not known.
func TestPassedOver(t *testing.T) {
	t.Parallel()
	src := []byte(crd(one, deep))
	made, err := convert.File("crd.yaml", src, policy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var all losses.All
	all.Add(losses.Of("crd.yaml", src, policy.Options{}, made, convert.File))
	for _, text := range []string{object("v1", ""), "---\n{apiVersion: v1, kind: Pod, metadata: {name: p}}\n", "apiVersion: example.com/v1\nkind: Foo\nmetadata: {name: x, namespace: y}\nmore: {{ .Values.x }}\n"} {
		all.Count(all.Look("o.yaml", []byte(text), nil))
	}
	if c := all.CRDs[0]; all.Others != 1 || all.Templates != 1 || c.Objects != 1 || c.Unjudged != 0 {
		t.Errorf("%d others, %d templates, %+v", all.Others, all.Templates, c)
	}
}

// TestNotConverted: of a CRD that needs a person nothing is known, and nothing of one that another server would reject.
func TestNotConverted(t *testing.T) {
	t.Parallel()
	nameless := strings.Replace(crd(one, deep), "  group: example.com\n", "", 1)
	two := crd(one, deep) + "---\n" + strings.NewReplacer("foos", "bars", "Foo", "Bar", "type: string", "type: strange").Replace(crd(one, deep))
	for src, want := range map[string][]string{nameless: nil, two: {"foos.example.com"}} {
		made, err := convert.File("crd.yaml", []byte(src), policy.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range losses.Of("crd.yaml", []byte(src), policy.Options{}, made, convert.File) {
			got = append(got, c.Name)
			if c.Marks() != 4 {
				t.Errorf("%d marks", c.Marks())
			}
		}
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
