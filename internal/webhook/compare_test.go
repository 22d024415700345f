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
              name: {type: string}
              wait: {type: string, format: duration}
              from: {type: string, format: date-time}
              level: {type: string, enum: ["1", "1.0"]}
              port: {x-kubernetes-int-or-string: true}
              memory: {x-kubernetes-int-or-string: true, pattern: '^([0-9]+)(\.[0-9]+)?(m|k|Mi)?$'}
              secret: {type: string, nullable: true}
              labels: {type: object, additionalProperties: {type: string}}
              tls: {type: object, properties: {on: {type: boolean}, labels: {type: object, additionalProperties: {type: string}}}}
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
		{"an empty spec is gone", `{"spec": {"name": ""}}`, `{}`, "slightly lost spec"},
		{"a pointer to a struct is gone", `{"spec": {"tls": {}}}`, `{"spec": {}}`, "lost spec.tls"},
		{"a pointer to a struct became nil", `{"spec": {"tls": {"on": false}}}`, `{"spec": {"tls": null}}`, "changed spec.tls"},
		{"a struct that was not written is", `{"spec": {}}`, `{"spec": {"tls": {"on": false}}}`, "slightly added spec.tls"},
		{"a struct with an entry of a map is written", `{"spec": {}}`, `{"spec": {"tls": {"on": true, "labels": {"a": ""}}}}`,
			"added spec.tls.labels, added spec.tls.on"},
		{"an entry of a map is gone", `{"spec": {"labels": {"a": "", "b": "x"}}}`, `{"spec": {"labels": {"b": "x"}}}`, "lost spec.labels[a]"},
		{"an entry of a map is new", `{"spec": {"labels": {"b": "x"}}}`, `{"spec": {"labels": {"a": "", "b": "x"}}}`, "added spec.labels[a]"},
		{"a map with an entry is gone", `{"spec": {"labels": {"a": ""}}}`, `{"spec": {}}`, "lost spec.labels"},
		{"an empty map is gone", `{"spec": {"labels": {}}}`, `{"spec": {}}`, "slightly lost spec.labels"},
		{"an empty label is gone", `{"metadata": {"labels": {"a": ""}}}`, `{"metadata": {}}`, "lost metadata.labels[a]"},
		{"null became nothing", `{"spec": {"secret": null}}`, `{"spec": {}}`, "slightly lost spec.secret"},
		{"null became a text", `{"spec": {"secret": null}}`, `{"spec": {"secret": "x"}}`, "changed spec.secret"},
		{"null became an empty text", `{"spec": {"secret": null}}`, `{"spec": {"secret": ""}}`, "slightly changed spec.secret"},
		{"a text became null", `{"spec": {"secret": "x"}}`, `{"spec": {"secret": null}}`, "changed spec.secret"},
		{"a number became an empty text", `{"spec": {"port": 0}}`, `{"spec": {"port": ""}}`, "changed spec.port"},
		{"a port became the name of one", `{"spec": {"port": 5}}`, `{"spec": {"port": "5"}}`, "changed spec.port"},
		{"a quantity became a text", `{"spec": {"memory": 5}}`, `{"spec": {"memory": "5"}}`, "slightly changed spec.memory"},
		{"a quantity of nothing", `{"spec": {}}`, `{"spec": {"memory": "0"}}`, "slightly added spec.memory"},
		{"a quantity became another one", `{"spec": {"memory": 5}}`, `{"spec": {"memory": "6"}}`, "changed spec.memory"},
		{"another value of an enum", `{"spec": {"level": "1"}}`, `{"spec": {"level": "1.0"}}`, "changed spec.level"},
		{"a duration by its format", `{"spec": {"wait": "60s"}}`, `{"spec": {"wait": "1m"}}`, "slightly changed spec.wait"},
		{"a duration is no quantity", `{"spec": {"wait": "1"}}`, `{"spec": {"wait": "1.0"}}`, "changed spec.wait"},
		{"a time without its fraction", `{"spec": {"from": "2020-01-01T02:00:00.5+02:00"}}`, `{"spec": {"from": "2020-01-01T00:00:00Z"}}`,
			"slightly changed spec.from"},
		{"a time without its zone", `{"spec": {"from": "2020-01-01T02:00:00+02:00"}}`, `{"spec": {"from": "2020-01-01T02:00:00Z"}}`, "changed spec.from"},
		{"an item of a map without its empty key", `{"spec": {"parts": [{"name": "", "size": 1}]}}`, `{"spec": {"parts": [{"size": 1}]}}`,
			"slightly lost spec.parts[0].name"},
		{"an object with a value is gone", `{"spec": {"a": {"b": [], "c": {"d": "x"}}}}`, `{"spec": {}}`, "lost spec.a"},
		{"null in the place of an empty list", `{"spec": {"a": []}}`, `{"spec": {"a": null}}`, "slightly changed spec.a"},
		{"a field that is new", `{"spec": {}}`, `{"spec": {"a": 1, "b": {}}}`, "added spec.a, slightly added spec.b"},
		{"a number became a text", `{"spec": {"a": 80}}`, `{"spec": {"a": "http"}}`, "changed spec.a"},
		{"the same duration", `{"spec": {"a": "60s"}}`, `{"spec": {"a": "1m0s"}}`, "slightly changed spec.a"},
		{"the same quantity", `{"spec": {"a": "1000m"}}`, `{"spec": {"a": "1"}}`, "slightly changed spec.a"},
		{"a text became a number", `{"spec": {"a": "1"}}`, `{"spec": {"a": 1}}`, "changed spec.a"},
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

// TestWritable warns of a value that another version rejects, as it is read all the same, and takes it for serious where no client
// with types can read it; it says nothing of one that is not there for being empty.
func TestWritable(t *testing.T) {
	t.Parallel()
	server := serverOf(t, stricter)
	v1, v2 := server.Version("v1"), server.Version("v2")
	if v1.Err() != nil || v2.Err() != nil { // they are made ready by that, too
		t.Fatal(v1.Err(), v2.Err())
	}
	for _, c := range []struct{ before, after, want string }{
		{`{"key":"","name":"a"}`, `{"key":"","name":"a"}`, "spec.key 1"},
		{`{"key":"a","name":""}`, `{"key":"a","name":""}`, "spec.name 1"},
		{`{"key":"a","name":"a"}`, `{"key":"","name":"a"}`, "spec.key 1"},
		{`{"key":"a","name":"a"}`, `{"key":5,"name":"a"}`, "spec.key 0"},
		{`{"key":"","name":"a"}`, `{"key":5,"name":"a"}`, "spec.key 0"},
		{`{"key":"a","name":"a"}`, `{"key":"a","name":"a","pieces":null}`, ""},
		{`{"parts":[{"id":""}],"name":"a"}`, `{"pieces":[{}],"name":"a"}`, ""},
		{`{"parts":[{"id":"a"}],"name":"a"}`, `{"pieces":[{}],"name":"a"}`, "spec.pieces[0].id 1"},
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
	for _, r := range test.order {
		r.Edit.Stored = true
	}
	if left := test.settle(); len(left) != 1 {
		t.Errorf("two edits at the storage version: %v", left)
	}
	test.order[1].unsure = true
	if left := test.settle(); len(left) != 2 {
		t.Errorf("two edits at the storage version, of which one is not sure: %v", left)
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

// TestSettleAdded: a value that is added somewhere explains no loss beside it.
func TestSettleAdded(t *testing.T) {
	t.Parallel()
	test := &tester{server: serverOf(t, things), pairs: []Pair{{"v1", "v2"}}}
	test.storage = test.server.Storage()
	of := func(property Property, change Change, names ...string) *record {
		f := Finding{Property: property, Pair: Pair{"v1", "v2"}, Version: "v1", Path: request.Keys(names...), Change: change}
		return &record{Finding: f, key: test.keyOf(&f)}
	}
	test.order = []*record{of(DataLost, Added, "spec"), of(DataLost, Lost, "spec", "a"), of(EditLost, Lost, "spec", "b"), of(NoopWrites, Added, "spec", "c")}
	if left := test.settle(); len(left) != 3 || left[2].Property != EditLost {
		t.Errorf("%d findings: %v", len(left), left)
	}
	// What an answer lacked the first time, and has when it is asked again, is there the second time.
	test.order = []*record{of(NotStable, Added, "spec", "a"), of(DataLost, Lost, "spec", "a")}
	if left := test.settle(); len(left) != 1 || left[0].Property != NotStable {
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
