package objectpass

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/testing/styles"
	"github.com/crdlift/crdlift/lint"
)

const storeCRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: stores.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Store, listKind: StoreList, plural: stores, singular: store}
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
            required: [name]
            properties:
              name: {type: string, pattern: "^[a-z]+$", maxLength: 30}
              size: {type: integer, maximum: 5}
              ratio: {type: number}
              "on": {type: boolean}
              mode: {type: string, enum: [fast, slow]}
              when: {type: string, format: date-time}
              either:
                x-kubernetes-int-or-string: true
                anyOf: [{type: integer}, {type: string}]
                pattern: "^[0-9]+%?$"
              window:
                type: object
                properties: {low: {type: integer}, high: {type: integer}}
                x-kubernetes-validations: [{rule: self.low <= self.high}]
              ports:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [id]
                items:
                  type: object
                  required: [id]
                  properties: {id: {type: string}, port: {type: integer}}
              zones: {type: array, x-kubernetes-list-type: set, items: {type: string, maxLength: 20}}
              matrix: {type: array, items: {type: array, items: {type: integer}}}
              notes:
                type: object
                additionalProperties: {type: string, pattern: "^[a-z]+$"}
              deep:
                type: object
                properties:
                  er:
                    type: object
                    required: [must]
                    properties: {must: {type: string, minLength: 3}, also: {type: string}}
`

const store = `apiVersion: example.com/v1
kind: Store
metadata:
  name: a
spec:
  name: shop
  size: 3
  ratio: 1.5
  "on": true
  mode: fast
  when: "2024-01-01T00:00:00Z"
  either: 10%
  window:
    low: 1
    high: 2
  ports:
  - id: web
    port: 80
  - id: admin
    port: 81
  zones:
  - north
  - south
  matrix:
  - - 1
    - 2
  notes:
    a.b/c: text
    odd[0].name: text
  deep:
    er:
      must: have
      also: this
`

// inJSON is the same in JSON.
const inJSON = `{
  "apiVersion": "example.com/v1", "kind": "Store", "metadata": {"name": "a"},
  "spec": {
    "name": "shop",
    "size": 3,
    "ratio": 1.5,
    "on": true,
    "mode": "fast",
    "when": "2024-01-01T00:00:00Z",
    "either": "10%",
    "window": {
      "low": 1,
      "high": 2
    },
    "ports": [
      {"id": "web",
       "port": 80},
      {"id": "admin",
       "port": 81}
    ],
    "zones": [
      "north",
      "south"
    ],
    "matrix": [[1,
      2]],
    "notes": {
      "a.b/c": "text",
      "odd[0].name": "text"
    },
    "deep": {
      "er": {
        "must": "have",
        "also": "this"
      }
    }
  }
}
`

// anchored has values behind anchors, aliases and merge keys.
const anchored = `apiVersion: example.com/v1
kind: Store
metadata: {name: &shop a}
spec:
  name: &name shop
  size: &three 3
  deep:
    er: &base # all of them
      must: have
      also: this
  window: {<<: {low: 1, high: 2}}
  notes:
    <<: {a.b/c: text}
    odd[0].name: *name
  ports:
  - &port {id: web, port: 80}
  - <<: *port
    id: admin
`

// A mutant is a change of one value, and what is expected to be pointed at: the text that is put in or, where that is not
// what is wrong, a key.
type mutant struct{ path, from, to, key string }

// wrong is a text that no value of the fixtures may have.
const wrong = "Wrong-Value!"

var mutants = []mutant{
	{"spec.name", "name: shop", "name: " + wrong, ""},
	{"spec.size", "size: 3", "size: " + wrong, ""},
	{"spec.size", "size: 3", "size: 777", ""},
	{"spec.ratio", "ratio: 1.5", "ratio: " + wrong, ""},
	{"spec.on", "on\": true", "on\": " + wrong, ""},
	{"spec.mode", "mode: fast", "mode: " + wrong, ""},
	{"spec.when", "when: \"2024-01-01T00:00:00Z\"", "when: \"" + wrong + "\"", ""},
	{"spec.either", "either: 10%", "either: " + wrong, ""},
	{"spec.window.low", "low: 1", "low: " + wrong, ""},
	{"spec.window", "low: 1", "low: 9", "window"},
	{"spec.ports[1].port", "port: 81", "port: " + wrong, ""},
	{"spec.ports[1].id", "id: admin", "id: 777", ""},
	{"spec.ports[1].id", "id: admin\n    port", "port", "port"},
	{"spec.zones[1]", "- south", "- " + strings.Repeat("far", 9), ""},
	{"spec.matrix[0][1]", "- 2", "- " + wrong, ""},
	{"spec.notes[a.b/c]", "a.b/c: text", "a.b/c: " + wrong, ""},
	{"spec.notes[odd[0].name]", "odd[0].name: text", "odd[0].name: " + wrong, ""},
	{"spec.deep.er.must", "must: have\n", "\n", "er"},
	{"spec.deep.er.must", "must: have", "must: x7", ""},
	{"spec.deep.er.also", "also: this", "also: 777", ""},
	{"spec.deep.er.also", "also: this", "also: [777]", "also"},
	{"spec.ports", "ports:\n  - id: web\n    port: 80\n  - id: admin\n    port: 81", "ports: " + wrong, ""},
}

// inJSON is the mutant for the text in JSON; ok is false where there is no such line.
func (m mutant) inJSON() (_ mutant, ok bool) {
	quoted := func(pair string) string {
		key, value, is := strings.Cut(strings.Trim(pair, "- \n"), ": ")
		key = strings.Trim(key, `"`)
		if !is || strings.Contains(value, "\n") {
			return "\x00"
		}
		if value = strings.Trim(value, `"`); value == "true" || strings.Trim(value, "0123456789.") == "" || value[0] == '[' {
			return fmt.Sprintf("%q: %s", key, value)
		}
		return fmt.Sprintf("%q: %q", key, value)
	}
	m.from, m.to = quoted(m.from), quoted(m.to)
	return m, strings.Contains(inJSON, m.from) && m.to != "\x00"
}

// pointsAt reports whether a finding is at the place of a mutant: at the text that it put in, at an alias of it, or at its key.
func (m mutant) pointsAt(src []byte, f *lint.Finding) bool {
	file := manifest.Parse("", src)
	start, _ := file.Offset(f.Pos.Line, f.Pos.Column)
	end, _ := file.Offset(f.Pos.EndLine, f.Pos.EndColumn)
	at := strings.Trim(string(src[start:end]), `"' `)
	_, last, _ := strings.Cut(m.to, ": ")
	if last == "" {
		last = m.to
	}
	last = strings.Trim(last, `"-[] `)
	key := m.key
	if key == "" {
		steps := strings.FieldsFunc(m.path, func(r rune) bool { return r == '.' || r == '[' || r == ']' })
		key = steps[len(steps)-1]
	}
	return m.key == "" && (strings.Contains(at, last) || strings.HasPrefix(at, "*") && bytes.Contains(src, []byte("&"+at[1:]))) ||
		strings.Trim(strings.TrimPrefix(at, "? "), `"'`) == key
}

// TestPlacesOfMutants: what is wrong is pointed at, however it is written. Of each mutant, texts in random styles are judged.
func TestPlacesOfMutants(t *testing.T) {
	t.Parallel()
	l := objectsBy(storeCRD, causes)
	judging(l).Values = AlwaysValues // a list beside it would make the file a dump, whose paths are masked
	for _, whole := range []string{store, inJSON, anchored} {
		if got := l.File("store.yaml", []byte(whole)); len(got.Findings) > 0 || got.Objects.Len() != 1 {
			t.Fatalf("the text is rejected: %v", got.Findings[0].Path)
		}
	}
	total, away := 0, 0
	check := func(m mutant, src []byte, how string) {
		total++
		report := l.File("store.yaml", src)
		for _, f := range report.Findings {
			if f.Path == m.path && m.pointsAt(src, f) {
				return
			}
		}
		away++
		var got []string
		for _, f := range report.Findings {
			got = append(got, fmt.Sprintf("%s at %d:%d", f.Path, f.Pos.Line, f.Pos.Column))
		}
		t.Logf("%s, %q, %s: got %v\n%s", m.path, m.to, how, got, src)
	}
	for i, m := range mutants {
		if !strings.Contains(store, m.from) {
			t.Fatalf("the text has no %q", m.from)
		}
		src := []byte(strings.Replace(store, m.from, m.to, 1))
		check(m, src, "as it is")
		for n := range 40 {
			varied, made := styles.Vary(src, rand.New(rand.NewPCG(uint64(i), uint64(n))), 6)
			check(m, varied, strings.Join(made, ", "))
		}
		if j, ok := m.inJSON(); ok {
			check(j, []byte(strings.Replace(inJSON, j.from, j.to, 1)), "JSON")
		}
		if strings.Contains(anchored, m.from) {
			check(m, []byte(strings.Replace(anchored, m.from, m.to, 1)), "anchors")
		}
	}
	t.Logf("%d findings, %d elsewhere", total, away)
	if away > 0 || total < 900 {
		t.Errorf("%d of %d findings are not at their places", away, total)
	}
}

// TestConstraints: a finding names the place in the CRD that says so. What is said of the object as a whole is at its kind, or
// at its spec where a rule speaks of nothing else.
func TestConstraints(t *testing.T) {
	t.Parallel()
	const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: stores.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Store, listKind: StoreList, plural: stores, singular: store}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        x-kubernetes-validations:
        - rule: self.spec.low <= self.spec.high
        - rule: self.metadata.name != 'b'
        required:
        - spec
        properties:
          spec:
            type: object
            properties:
              low: {type: integer}
              high: {type: integer}
              size:
                anyOf:
                - {minimum: 3}
                - maximum: 1
                type: integer
              items:
                type: array
                x-kubernetes-list-type: set
                items:
                  type: string
                  enum:
                  - a
                  - b
`
	const head = "apiVersion: example.com/v1\nkind: Store\n"
	l := objectsBy(crd, causes)
	for _, test := range []struct{ name, src, want string }{
		{"a rule about the spec", head + "metadata: {name: a}\nspec: {low: 3, high: 1}\n", "4:1  crd.yaml:16:17 the rule is here"},
		{"a rule about the object", head + "metadata: {name: b}\nspec: {low: 1, high: 1}\n", "2:7  crd.yaml:17:17 the rule is here"},
		{"no spec", head + "metadata: {name: a}\n", "2:7 spec crd.yaml:19:11 it is required here"},
		{"an item", head + "metadata: {name: a}\nspec: {low: 1, high: 1, items: [c]}\n", "4:33 spec.items[0] crd.yaml:36:19 the enum is here"},
		{"the same item twice", head + "metadata: {name: a}\nspec: {low: 1, high: 1, items: [a, a]}\n", "4:36 spec.items[1] crd.yaml:33:41 the list type is here"},
		{"several labels", head + "metadata:\n  name: a\n  labels:\n    right: one\n    -wrong: two\n    wrong-: three\nspec: {low: 1, high: 1}\n", "7:13 metadata.labels[-wrong]\n8:13 metadata.labels[wrong-]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, f := range l.File("store.yaml", []byte(test.src)).Findings {
				line := fmt.Sprintf("%d:%d %s", f.Pos.Line, f.Pos.Column, f.Path)
				for _, other := range f.Related {
					line += fmt.Sprintf(" %s:%d:%d %s", other.Pos.File, other.Pos.Line, other.Pos.Column, other.Message)
				}
				got = append(got, line)
			}
			if got := strings.Join(got, "\n"); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}
