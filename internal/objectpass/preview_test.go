package objectpass

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/testing/behaviour"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/internal/testing/styles"
	"github.com/crdlift/crdlift/lint"
)

const shelfCRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: shelves.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Shelf, listKind: ShelfList, plural: shelves, singular: shelf}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              boards: {type: integer, default: 3, maximum: 9}
              wood: {type: string}
              wall: {type: object, default: {}, properties: {screws: {type: integer, default: 4}, color: {type: string}}}
              books:
                type: array
                items: {type: object, properties: {title: {type: string}, lent: {type: boolean, default: false}}}
              notes: {type: object, x-kubernetes-preserve-unknown-fields: true}
          status: {type: object, properties: {full: {type: boolean}}}
  - name: v2
    served: true
    storage: false
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              boards: {type: integer}
              wood: {type: string, default: oak}
  - {name: v3, served: false, storage: false, schema: {openAPIV3Schema: {type: object}}}
`

// TestPreviewOfWebhook: what a conversion webhook makes of an object is not known, and none of its fields is called lost.
func TestPreviewOfWebhook(t *testing.T) {
	t.Parallel()
	webhook := strings.Replace(shelfCRD, "  versions:", `  conversion:
    strategy: Webhook
    webhook: {conversionReviewVersions: [v1], clientConfig: {url: "https://example.com/convert"}}
  versions:`, 1)
	if webhook == shelfCRD {
		t.Fatal("the CRD has no versions")
	}
	v1 := shelf + "spec: {boards: 1, wall: {screws: 1}, tipo: 1}\n"
	v2 := strings.Replace(shelf, "v1", "v2", 1) + "spec: {boards: 1}\n"
	for _, test := range []struct {
		name, src string
		as        lint.As
		left      bool
	}{
		{"the storage version", v1, lint.As{}, false},
		{"another version", v2, lint.As{}, true},
		{"another version, read again", v2, lint.As{Served: true}, true},
		{"the storage version, read at another", v1, lint.As{Served: true, Version: "v2"}, true},
	} {
		got := Preview(previewer(webhook, test.as).File("shelf.yaml", []byte(test.src)))
		told := slices.Equal(got.Left, []lint.LeftOut{{Why: "converted by a webhook", Objects: 1}})
		if told != test.left || got.Changed == test.left {
			t.Errorf("%s: left out %v, changed %v", test.name, got.Left, got.Changed)
		}
	}
}

// previewer makes previews of one form.
func previewer(crd string, as lint.As) *engine.Linter {
	l := objectsBy(crd)
	judging(l).Preview, judging(l).Values, judging(l).On = &as, AlwaysValues, OnCreate
	return l
}

const shelf = "apiVersion: example.com/v1\nkind: Shelf\nmetadata:\n  name: a\n"

// TestPreview: a file becomes what an API server makes of its objects.
func TestPreview(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, src, want string
		as              lint.As
		on              Operation
		left            []lint.LeftOut
	}{
		{
			name: "defaults come, and what is not declared goes",
			src:  shelf + "spec:\n  wood: oak # from here\n  tipo: 1\n",
			want: shelf + "spec:\n  boards: 3\n  wall:\n    screws: 4\n  wood: oak # from here\n",
		},
		{
			name: "what only a server writes goes, as does status",
			src:  shelf + "  uid: x\n  generation: 7\n  creationTimestamp: null\n  labels: {}\nspec: {boards: 1, wall: {screws: 1}}\nstatus: {full: true}\n",
			want: shelf + "spec: {boards: 1, wall: {screws: 1}}\n",
		},
		{
			name: "an update keeps what the server wrote",
			src:  shelf + "  uid: x\n  generation: 7\n  resourceVersion: \"5\"\nspec: {boards: 1, wall: {screws: 1}, tipo: 1}\nstatus: {full: true}\n",
			want: shelf + "  uid: x\n  generation: 7\n  resourceVersion: \"5\"\nspec: {boards: 1, wall: {screws: 1}}\nstatus: {full: true}\n",
			on:   OnUpdate,
		},
		{
			name: "nulls",
			src:  shelf + "spec: {boards: null, wood: null, wall: null}\n",
			want: shelf + "spec: {boards: 3, wall: {screws: 4}}\n",
		},
		{
			name: "objects that are rejected, and other documents, stay",
			src:  "# other\na:   b\n---\n" + shelf + "spec: {boards: 10, tipo: 1}\n---\n" + shelf + "spec: {boards: 1, wall: {screws: 1}, tipo: 1}\n--- # last\n{apiVersion: example.com/v3, kind: Shelf, metadata: {name: c}}\n",
			want: "# other\na:   b\n---\n" + shelf + "spec: {boards: 10, tipo: 1}\n---\n" + shelf + "spec: {boards: 1, wall: {screws: 1}}\n--- # last\n{apiVersion: example.com/v3, kind: Shelf, metadata: {name: c}}\n",
			left: []lint.LeftOut{{Why: "not validated (see its finding)", Objects: 1}, {Why: "rejected (correct it first)", Objects: 1}},
		},
		{
			name: "items of lists, whose kind may be that of the list",
			src:  "apiVersion: example.com/v1\nkind: ShelfList\nitems:\n- metadata: {name: a}\n  spec: {boards: 1, wall: {screws: 1}, tipo: 1}\n- metadata: {name: b}\n  spec: {boards: 10}\n- {apiVersion: v1, kind: Pod, tipo: 1}\n",
			want: "apiVersion: example.com/v1\nkind: ShelfList\nitems:\n- metadata: {name: a}\n  spec: {boards: 1, wall: {screws: 1}}\n- metadata: {name: b}\n  spec: {boards: 10}\n- {apiVersion: v1, kind: Pod, tipo: 1}\n",
			left: []lint.LeftOut{{Why: "rejected (correct it first)", Objects: 1}},
		},
		{
			name: "JSON and CRLF",
			src:  "{\r\n  \"apiVersion\": \"example.com/v1\",\r\n  \"kind\": \"Shelf\",\r\n  \"metadata\": {\"name\": \"a\"},\r\n  \"spec\": {\"boards\": 1, \"tipo\": 1, \"wall\": {\"screws\": 1}}\r\n}\r\n",
			want: "{\r\n  \"apiVersion\": \"example.com/v1\",\r\n  \"kind\": \"Shelf\",\r\n  \"metadata\": {\"name\": \"a\"},\r\n  \"spec\": {\"boards\": 1, \"wall\": {\"screws\": 1}}\r\n}\r\n",
		},
		{
			name: "an alias that becomes something else",
			src:  shelf + "spec:\n  boards: 1\n  wall: {screws: 1}\n  books:\n  - &b {title: x, lent: true}\n  - *b\n  notes: *b\n",
			want: shelf + "spec:\n  boards: 1\n  wall: {screws: 1}\n  books:\n  - &b {title: x, lent: true}\n  - *b\n  notes: *b\n",
		},
		{
			name: "written through another version",
			src:  strings.Replace(shelf, "v1", "v2", 1) + "spec: {boards: 1}\n",
			want: shelf + "spec: {boards: 1, wood: oak}\n",
		},
		{
			name: "as it is served",
			src:  strings.Replace(shelf, "v1", "v2", 1) + "spec: {boards: 1}\n",
			want: strings.Replace(shelf, "v1", "v2", 1) + "spec: {boards: 1, wood: oak}\n",
			as:   lint.As{Served: true},
		},
		{
			name: "as another version serves it",
			src:  strings.Replace(shelf, "v1", "v2", 1) + "spec: {boards: 1}\n",
			want: shelf + "spec: {boards: 1, wall: {screws: 4}, wood: oak}\n",
			as:   lint.As{Served: true, Version: "v1"},
		},
		{
			name: "as a version that is not served",
			src:  shelf + "spec: {}\n",
			want: shelf + "spec: {}\n",
			as:   lint.As{Served: true, Version: "v3"},
			left: []lint.LeftOut{{Why: "of a kind that is not served at v3", Objects: 1}},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			l := previewer(shelfCRD, test.as)
			if test.on != "" {
				judging(l).On = test.on
			}
			got := Preview(l.File("shelf.yaml", []byte(test.src)))
			if string(got.Before) != test.src || string(got.After) != test.want || got.Masked || got.Changed != (test.src != test.want) {
				t.Errorf("got\n%s\nwant\n%s", got.After, test.want)
			}
			if !slices.Equal(got.Left, test.left) {
				t.Errorf("left %v, want %v", got.Left, test.left)
			}
			if test.as == (lint.As{}) && !strings.Contains(test.src, "example.com/v2") { // which is not the storage version
				if again := Preview(l.File("shelf.yaml", got.After)); again.Changed {
					t.Errorf("a second preview is\n%s", again.After)
				}
			}
		})
	}
}

const styled = `apiVersion: example.com/v1
kind: Shelf
metadata:
  name: a
  labels: {app.example.com/name: shelf}
  creationTimestamp: null
spec:
  # what it is made of
  wood: oak
  tipo: 1
  wall:
    color: "white" # for now
    colour: black
  books:
  - title: one
  - {title: two, lent: true, page: 5}
  - title: |
      three
      lines
  notes: {any: [1, two, {three: null}]}
status: {full: true}
`

// TestPreviewStyles: in whatever style a document is written, what it becomes is the stored object, and a second preview is empty.
func TestPreviewStyles(t *testing.T) {
	t.Parallel()
	cases := 600
	if testing.Short() {
		cases = 200
	}
	l := previewer(shelfCRD, lint.As{})
	tried, left := 0, 0
	for n := range cases {
		r, seed := styles.Random(n, cases)
		src, made := styles.Vary([]byte(styled), r, n%6)
		p := Preview(l.File("shelf.yaml", src))
		if slices.ContainsFunc(p.Left, func(l lint.LeftOut) bool { return l.Why != "in a document that would lose comments" }) {
			t.Fatalf("seed %d (%s): left %v\n%s", seed, strings.Join(made, ", "), p.Left, src)
		}
		if tried++; len(p.Left) > 0 {
			left++
			continue
		}
		checkPreview(t, l, fmt.Sprintf("seed %d (%s)", seed, strings.Join(made, ", ")), p)
	}
	if left > tried/50 {
		t.Errorf("of %d texts %d were left", tried, left)
	}
}

// checkPreview makes sure that each accepted object of a text has become the stored one, and will become nothing else.
func checkPreview(t *testing.T, l *engine.Linter, what string, p *lint.Preview) {
	t.Helper()
	before, after := objectsOf(t, p.Before), objectsOf(t, p.After)
	if len(before) != len(after) {
		t.Fatalf("%s: %d objects became %d:\n%s", what, len(before), len(after), p.After)
	}
	for i, o := range before {
		m := judging(l).Catalogue.Match(o, "shelf.yaml")
		if m.Verdict != objects.Judged {
			continue
		}
		if want := storedForm(t, m, o); want != nil {
			got, _, err := after[i].Tree()
			if err != nil || !layout.Same(got, want) {
				t.Errorf("%s:\n%s\nbecame\n%s\nwant %v (%v)", what, p.Before, p.After, want, err)
			}
		}
	}
	if again := Preview(l.File("shelf.yaml", p.After)); again.Changed {
		t.Errorf("%s: a second preview of\n%s\nis\n%s", what, p.After, again.After)
	}
}

// objectsOf are the objects of a text.
func objectsOf(t *testing.T, src []byte) (all []*objects.Object) {
	t.Helper()
	for _, d := range manifest.Parse("shelf.yaml", src).Documents {
		if d.Root != nil {
			found, _ := objects.Find(d.Root.YNode())
			all = append(all, found...)
		}
	}
	return all
}

// storedForm is what etcd has of a new object, without what the server makes up; nil where it rejects the object.
func storedForm(t *testing.T, m objects.Match, o *objects.Object) request.Object {
	t.Helper()
	tree, _, err := o.Tree()
	if err != nil {
		return nil
	}
	server, _ := m.Definition.Server()
	v := server.Version(o.Version)
	outcome := v.Create(tree)
	if !outcome.Accepted() {
		return nil
	}
	stored, err := v.Store(outcome.Object)
	if err != nil {
		t.Fatal(err)
	}
	meta := maps.Clone(stored["metadata"].(map[string]any))
	for _, name := range []string{"uid", "creationTimestamp", "generation"} {
		delete(meta, name)
	}
	stored["metadata"] = meta
	return stored
}

// TestPreviewCorpus: the same for generated objects of real CRDs.
func TestPreviewCorpus(t *testing.T) {
	t.Parallel()
	corpus.Need(t)
	tried := 0
	for n, file := range corpus.Sample(t, corpus.Files(t, "v1"), 16) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range objects.Definitions(file, file, text, false) {
			server, why := d.Server()
			if why != "" {
				continue
			}
			l := &engine.Linter{Kind: &Objects{Catalogue: &objects.Catalogue{}, Preview: &lint.As{}, Values: AlwaysValues, On: OnCreate}}
			judging(l).Catalogue.Add(d)
			tried += previewGenerated(t, l, d, server, uint64(n))
		}
	}
	if tried < 10 {
		t.Errorf("%d objects were tried", tried)
	}
}

// previewGenerated makes objects of the storage version of a CRD, and previews of them.
func previewGenerated(t *testing.T, l *engine.Linter, d *objects.Definition, server *request.Server, seed uint64) (tried int) {
	t.Helper()
	version := server.Storage().Name
	if v := d.Version(version); v == nil || !v.Served {
		return 0
	}
	generator := behaviour.NewGenerator(server, version, seed)
	for n, sample := range generator.Whole(5) {
		src, err := yaml.Marshal(sample.Object)
		if err != nil {
			t.Fatal(err)
		}
		src, _ = styles.Vary(src, rand.New(rand.NewPCG(seed, uint64(n))), 3)
		if p := Preview(l.File("shelf.yaml", src)); len(p.Left) == 0 && bytes.Contains(src, []byte("metadata")) {
			checkPreview(t, l, d.Name, p)
			tried++
		}
	}
	return tried
}
