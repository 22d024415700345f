package webhook

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/testing/behaviour"
	kjson "sigs.k8s.io/json"
)

const things = `
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
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            x-kubernetes-preserve-unknown-fields: true
            properties:
              plain: {type: array, items: {type: string}}
              tags: {type: array, x-kubernetes-list-type: set, items: {type: string}}
              parts:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items: {type: object, required: [name], properties: {name: {type: string}, size: {type: integer}}}
`

// serverOf is a server with a CRD.
func serverOf(t *testing.T, manifest string) *request.Server {
	t.Helper()
	crds, _, err := behaviour.Decode([]byte(manifest))
	if err != nil {
		t.Fatal(err)
	}
	server, err := request.New(crds[0])
	if err != nil {
		t.Fatal(err)
	}
	return server
}

func object(t *testing.T, text string) (o Object) {
	t.Helper()
	if err := kjson.UnmarshalCaseSensitivePreserveInts([]byte(text), &o); err != nil {
		t.Fatal(err)
	}
	return o
}

// TestCompare tells what is lost from what only looks otherwise.
func TestCompare(t *testing.T) {
	t.Parallel()
	v := serverOf(t, things).Version("v1")
	kinds := []string{"unchanged", "lost", "changed", "added", "reordered"}
	for _, c := range []struct{ name, before, after, want string }{
		{"the same", `{"spec": {"a": 1}}`, `{"spec": {"a": 1}}`, ""},
		{"another version", `{"apiVersion": "example.com/v1", "kind": "Thing"}`, `{"apiVersion": "example.com/v2", "kind": "Thing"}`, ""},
		{"a number, written otherwise", `{"spec": {"a": 1}}`, `{"spec": {"a": 1.0}}`, ""},
		{"a number beyond what floats hold", `{"spec": {"a": 9007199254740993}}`, `{"spec": {"a": 9007199254740992}}`, "changed spec.a"},
		{"a field is gone", `{"spec": {"a": 1, "b": "x"}}`, `{"spec": {"a": 1}}`, "lost spec.b"},
		{"a field that was empty is gone", `{"spec": {"a": 0, "b": "", "c": [], "d": {}, "e": false}}`, `{"spec": {}}`,
			"slightly lost spec.a, slightly lost spec.b, slightly lost spec.c, slightly lost spec.d, slightly lost spec.e"},
		{"an object of what is empty is gone", `{"spec": {"a": {"b": [], "c": {"d": ""}}}}`, `{"spec": {}}`, "slightly lost spec.a"},
		{"an object with a value is gone", `{"spec": {"a": {"b": [], "c": {"d": "x"}}}}`, `{"spec": {}}`, "lost spec.a"},
		{"null in the place of an empty list", `{"spec": {"a": []}}`, `{"spec": {"a": null}}`, "slightly changed spec.a"},
		{"a field that is new", `{"spec": {}}`, `{"spec": {"a": 1, "b": {}}}`, "added spec.a, slightly added spec.b"},
		{"a number became a text", `{"spec": {"a": 80}}`, `{"spec": {"a": "http"}}`, "changed spec.a"},
		{"the same duration", `{"spec": {"a": "60s"}}`, `{"spec": {"a": "1m0s"}}`, "slightly changed spec.a"},
		{"the same quantity", `{"spec": {"a": "1000m"}}`, `{"spec": {"a": 1}}`, "slightly changed spec.a"},
		{"the same time", `{"spec": {"a": "2020-01-01T00:00:00Z"}}`, `{"spec": {"a": "2020-01-01T01:00:00+01:00"}}`, "slightly changed spec.a"},
		{"another duration", `{"spec": {"a": "60s"}}`, `{"spec": {"a": "2m0s"}}`, "changed spec.a"},
		{"a list in another order", `{"spec": {"plain": ["a", "b"]}}`, `{"spec": {"plain": ["b", "a"]}}`, "reordered spec.plain"},
		{"a set in another order", `{"spec": {"tags": ["a", "b"]}}`, `{"spec": {"tags": ["b", "a"]}}`, ""},
		{"a set without a member", `{"spec": {"tags": ["a", "b"]}}`, `{"spec": {"tags": ["b"]}}`, "lost spec.tags[0]"},
		{"a map in another order", `{"spec": {"parts": [{"name": "a", "size": 1}, {"name": "b", "size": 2}]}}`,
			`{"spec": {"parts": [{"name": "b", "size": 2}, {"name": "a", "size": 1}]}}`, ""},
		{"an item of a map with another value", `{"spec": {"parts": [{"name": "a", "size": 1}, {"name": "b", "size": 2}]}}`,
			`{"spec": {"parts": [{"name": "b", "size": 3}, {"name": "a", "size": 1}]}}`, "changed spec.parts[1].size"},
		{"an item of a map by another name", `{"spec": {"parts": [{"name": "a"}]}}`, `{"spec": {"parts": [{"name": "b"}]}}`,
			"lost spec.parts[0], added spec.parts[0]"},
		{"a list that is cut", `{"spec": {"plain": ["a", "b", "c"]}}`, `{"spec": {"plain": ["a", "b"]}}`, "lost spec.plain[2]"},
		{"what servers restore", `{"metadata": {"name": "a", "uid": "1", "finalizers": ["x"]}}`, `{"metadata": {"name": "a"}}`, ""},
		{"labels and annotations", `{"metadata": {"labels": {"a": "1"}, "annotations": {"b": "2"}}}`, `{"metadata": {"labels": {"a": "3"}}}`,
			"lost metadata.annotations[b], changed metadata.labels[a]"},
		{"what is not declared", `{"spec": {"x": {"y": ["a"]}}}`, `{"spec": {"x": {"y": ["b"]}}}`, "changed spec.x.y[0]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var found []string
			for _, d := range compare(v, object(t, c.before), object(t, c.after)) {
				text := fmt.Sprintf("%s %s", kinds[d.change], d.path)
				if d.slight {
					text = "slightly " + text
				}
				found = append(found, text)
			}
			want := strings.Split(c.want, ", ")
			if c.want == "" {
				want = nil
			}
			if !slices.Equal(found, want) {
				t.Errorf("found %q, want %q", found, want)
			}
		})
	}
}

// TestAlike tells errors of one kind from those of another.
func TestAlike(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{`invalid schedule: "a b"`, `invalid schedule: "c \"d\""`, true},
		{"strconv.Atoi: parsing 12: out of range", "strconv.Atoi: parsing 4711: out of range", true},
		{"no field 'a'", "no field 'b'", true},
		{"expected uid 6d5c1b0a-0000-4000-8000-000000000001", "expected uid 0f0f0f0f-1111-4000-8000-000000000002", true},
		{"size is required", "name is required", false},
	} {
		if is := alike(c.a) == alike(c.b); is != c.want {
			t.Errorf("%q and %q are alike: %t", c.a, c.b, is)
		}
	}
}

const stricter = `
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
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {
      key: {type: string}, name: {type: string, default: ""}, parts: {type: array, items: {type: object, properties: {id: {type: string}}}}}}}}}
  - name: v2
    served: true
    storage: false
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {
      key: {type: string, minLength: 1}, name: {type: string, minLength: 1},
      pieces: {type: array, items: {type: object, required: [id], properties: {id: {type: string}}}}}}}}}
`

// TestWritable warns where a user wrote an empty value that another version refuses, takes it for serious where a default is one,
// and says nothing where it is not there for being empty.
func TestWritable(t *testing.T) {
	t.Parallel()
	server := serverOf(t, stricter)
	v1, v2 := server.Version("v1"), server.Version("v2")
	if v1.Err() != nil || v2.Err() != nil { // they are made ready by that, too
		t.Fatal(v1.Err(), v2.Err())
	}
	for _, c := range []struct{ before, after, want string }{
		{`{"key":"","name":"a"}`, `{"key":"","name":"a"}`, "spec.key 1"},
		{`{"key":"a","name":""}`, `{"key":"a","name":""}`, "spec.name 0"},
		{`{"key":"a","name":"a"}`, `{"key":"","name":"a"}`, "spec.key 0"},
		{`{"parts":[{"id":""}],"name":"a"}`, `{"pieces":[{}],"name":"a"}`, ""},
		{`{"parts":[{"id":"a"}],"name":"a"}`, `{"pieces":[{}],"name":"a"}`, "spec.pieces[0].id 0"},
	} {
		whole := func(version, spec string) Object {
			return object(t, `{"apiVersion":"example.com/`+version+`","kind":"Thing","metadata":{"name":"a","namespace":"b"},"spec":`+spec+`}`)
		}
		var found []string
		for _, h := range writable(Pair{"v1", "v2"}, v1, v2, whole("v1", c.before), whole("v2", c.after)) {
			found = append(found, fmt.Sprint(h.Path, " ", int(h.Grade)))
		}
		if is := strings.Join(found, ", "); is != c.want {
			t.Errorf("%s becomes %s: %q, want %q", c.before, c.after, is, c.want)
		}
	}
}

// TestSettleEdits tells one loss of what a client changes, however many members it has.
func TestSettleEdits(t *testing.T) {
	t.Parallel()
	test := &tester{server: serverOf(t, things), pairs: []Pair{{"v1", "v2"}}}
	test.storage = test.server.Storage()
	part := request.Keys("spec", "parts").To(request.Index(0))
	lost := func(at request.Path, edited request.Path) *record {
		f := Finding{Property: EditLost, Pair: Pair{"v1", "v2"}, Version: "v1", Path: at, Change: Lost, Edit: &Edit{Path: edited}}
		return &record{Finding: f, key: test.keyOf(&f)}
	}
	name, size := part.To(request.Key("name")), part.To(request.Key("size"))
	test.order = []*record{lost(size, part), lost(name, part)}
	if left := test.settle(); len(left) != 1 || left[0].Path.String() != name.String() {
		t.Errorf("an edit of a part: %v", left)
	}
	test.order = []*record{lost(size, size), lost(name, name)}
	if left := test.settle(); len(left) != 2 {
		t.Errorf("two edits: %v", left)
	}
}

// TestSettleEmpty tells once that empty values are written in another way, and other spellings field by field.
func TestSettleEmpty(t *testing.T) {
	t.Parallel()
	test := &tester{server: serverOf(t, things), pairs: []Pair{{"v1", "v2"}}}
	test.storage = test.server.Storage()
	noop := func(name string, was, is any) *record {
		f := Finding{Property: NoopWrites, Pair: Pair{"v1", "v2"}, Version: "v1", Path: request.Keys("spec", name), Was: was, Is: is}
		return &record{Finding: f, key: test.keyOf(&f)}
	}
	test.order = []*record{noop("a", "", nil), noop("b", nil, []any{}), noop("c", "1m", "60s"), noop("d", "1h", "60m")}
	if left := test.settle(); len(left) != 3 {
		t.Errorf("%d findings: %v", len(left), left)
	}
}

// TestMended has another object for what clients cannot write, and none for what cannot be mended.
func TestMended(t *testing.T) {
	t.Parallel()
	server := serverOf(t, things)
	test := &tester{server: server, versions: map[string]*versionState{}}
	test.of("v1").pool["spec.parts[*].name"] = []placedValue{{value: ""}, {value: "a"}}
	o := object(t, `{"spec": {"parts": [{"size": 1}, {"name": "", "size": 2}]}}`)
	refused := func(i int) hit {
		return hit{Finding: Finding{Property: NotWritable, Path: request.Keys("spec", "parts").To(request.Index(i)).To(request.Key("name"))}}
	}
	lost := hit{Finding: Finding{Property: DataLost, Path: request.Keys("spec", "other")}}
	if again := test.mended("v1", o, []hit{lost, refused(0), refused(1)}); canonical(again) != `{"spec":{"parts":[{"name":"a","size":1},{"name":"a","size":2}]}}` {
		t.Errorf("%v", again)
	}
	if canonical(o) != `{"spec":{"parts":[{"size":1},{"name":"","size":2}]}}` {
		t.Errorf("the object itself is changed: %v", o)
	}
	elsewhere := hit{Finding: Finding{Property: NotWritable, Path: request.Keys("spec", "limits", "cpu")}}
	for _, found := range [][]hit{nil, {lost}, {elsewhere}, {refused(0), elsewhere}} {
		if again := test.mended("v1", o, found); again != nil {
			t.Errorf("%v: %v", found, again)
		}
	}
}
