package rules

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdlift/crdlift/internal/pieces"
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
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [size]
            properties:
              size: {type: integer, minimum: 1}
              note: {type: string, maxLength: 20}
              books: {type: array, maxItems: 9, items: {type: string, maxLength: 9}}
            x-kubernetes-validations:
            - {rule: "!has(self.books) || self.books.size() <= self.size", message: too many books}
`

// shelfItems are items of lists, in all the ways that they are written. %s is an indentation.
const shelfItems = `%[1]s- apiVersion: example.com/v1
%[1]s  kind: Shelf
%[1]s  metadata: {name: a, namespace: one, uid: x}
%[1]s  spec: {size: 0, width: 3}
%[1]s# between
%[1]s- kind: Shelf
%[1]s  apiVersion: example.com/v1
%[1]s  metadata:
%[1]s    name: b
%[1]s  spec:
%[1]s    note: |
%[1]s      text

%[1]s      - kind: Shelf
%[1]s      - much too long
%[1]s    books:
%[1]s    - "quoted:
%[1]s      - over lines"
%[1]s    - é
%[1]s    size: 1
%[1]s- {apiVersion: example.com/v1, kind: Shelf, metadata: {name: c}, spec: {size: 1, size: 2, books: [x, "y}",
%[1]s    'z']}}
%[1]s- metadata: {name: d}
%[1]s  spec: {size: x}
%[1]s- null
%[1]s- text
%[1]s- apiVersion: v1
%[1]s  kind: ConfigMap
%[1]s  metadata: {name: e}
%[1]s- apiVersion: other.example.com/v1
%[1]s  kind: Other
%[1]s  metadata: {name: f}
%[1]s- apiVersion: v1
%[1]s  kind: List
%[1]s  items:
%[1]s  - apiVersion: example.com/v2
%[1]s    kind: Shelf
%[1]s    metadata: {name: g}
`

// shelfLists are lists in all layouts that are cut, and some that are not.
func shelfLists() []string {
	const tail = "kind: List\nmetadata:\n  resourceVersion: \"\"\n"
	flat, inner := fmt.Sprintf(shelfItems, ""), fmt.Sprintf(shelfItems, "  ")
	of := `{"apiVersion":"example.com/v1","kind":"Shelf","metadata":{"name":"a","uid":"é"},"spec":{"size":0,"note":"}]\"{","width":[{}]}}`
	return []string{
		"apiVersion: v1\nitems:\n" + flat + tail,
		"apiVersion: v1\nitems:\n" + inner + tail,
		"\ufeff---\napiVersion: example.com/v1\nkind: ShelfList\nmetadata: {}\nitems:\n" + flat,
		strings.ReplaceAll("apiVersion: v1\nitems:\n"+flat+tail, "\n", "\r\n"),
		"apiVersion: example.com/v1\nitems:\n" + flat + "kind: ShelfList\n",
		"apiVersion: v1\nitems:\n- &a\n  apiVersion: example.com/v1\n  kind: Shelf\n- *a\n" + tail,
		"apiVersion: v1\nitems:\n- apiVersion: example.com/v1\n  kind: Shelf\n  spec: \"\n- x: 1\n- y\"\n" + tail,
		"apiVersion: v1\nitems:\n- apiVersion: example.com/v1\n  kind: Shelf\n  spec: [\n- x,\n- y]\n" + tail,
		"apiVersion: v1\nitems:\n- apiVersion: example.com/v1\n  kind: Shelf\n\u2028  spec: {size: 0}\n- a\rb: c\n- a: \"\u0085\"\n" + tail,
		"apiVersion: v1\nitems:\n- a: 1\n  b\n- apiVersion: example.com/v1\n  kind: Shelf\n" + tail,
		"apiVersion: v1\nitems: []\n" + tail,
		`{"apiVersion":"v1","items":[` + of + "," + of + `],"kind":"List","metadata":{"resourceVersion":""}}`,
		"{\n    \"apiVersion\": \"v1\",\n    \"items\": [\n        " + of + ",\n        " + strings.ReplaceAll(of, ",", ",\n\t  ") + "\n    ],\n    \"kind\": \"List\"\n}\n",
		`{"apiVersion":"example.com/v1","kind":"ShelfList","items":[{"metadata":{"name":"é"}},{"spec":{"size":"x"}}]}`,
		`{"apiVersion":"v1","items":[` + of + `,{"a" 1}],"kind":"List"}`,
		`{"apiVersion":"v1","items":[{"apiVersion":"v1","kind":"List","items":[` + of + `]},` + of + `],"kind":"List"}`,
	}
}

// TestPieces cuts each of them where that is possible, and says the same of the pieces as of the whole.
func TestPieces(t *testing.T) {
	t.Parallel()
	cut, l := 0, shelfLinter(t)
	for _, src := range shelfLists() {
		if samePieces(t, l, src) {
			cut++
		}
	}
	if cut < 11 {
		t.Errorf("cut %d lists", cut)
	}
}

// FuzzPieces does the same with any text.
func FuzzPieces(f *testing.F) {
	for _, src := range shelfLists() {
		f.Add(src)
	}
	l := shelfLinter(f)
	f.Fuzz(func(t *testing.T, src string) { samePieces(t, l, src) })
}

// TestChangedPieces does the same with lists of which lines and characters are changed.
func TestChangedPieces(t *testing.T) {
	t.Parallel()
	rounds := 4000
	if testing.Short() {
		rounds = 300
	}
	all, cut, l := shelfLists(), 0, shelfLinter(t)
	for i := range rounds {
		random := rand.New(rand.NewPCG(16, uint64(i)))
		if samePieces(t, l, changed(random, all[random.IntN(len(all))])) {
			cut++
		}
	}
	if cut < rounds/3 {
		t.Errorf("cut %d of %d lists", cut, rounds)
	}
}

// changed is a list with some changes.
func changed(random *rand.Rand, list string) string {
	signs := []string{"\"", "'", "- ", "\n", " ", "  ", "#", "|", "&a ", "*a ", ": ", "{", "]", ",", "é", "\t", "\r", "\u2028", "\n- x: 1\n", "\n# y\n", "!!str ", "\\"}
	for range 1 + random.IntN(3) {
		lines := strings.SplitAfter(list, "\n")
		at := random.IntN(len(lines))
		switch line := lines[at]; random.IntN(6) {
		case 0:
			lines[at] = ""
		case 1:
			lines[at] += line
		case 2:
			other := random.IntN(len(lines))
			lines[at], lines[other] = lines[other], line
		case 3:
			lines[at] = strings.TrimPrefix(line, " ")
		case 4:
			lines[at] = " " + line
		default:
			places := []rune(line)
			i := random.IntN(len(places) + 1)
			lines[at] = string(places[:i]) + signs[random.IntN(len(signs))] + string(places[i:])
		}
		list = strings.Join(lines, "")
	}
	return list
}

// shelfLinter judges shelves.
func shelfLinter(t testing.TB) *Linter {
	t.Helper()
	by := &Objects{List: true, Stream: func(string) bool { return true }}
	crds, err := ReadCRDs(lint.File{Path: "crd.yaml", Label: "crd.yaml", Read: func() ([]byte, error) { return []byte(shelfCRD), nil }}, true)
	if err != nil {
		t.Fatal(err)
	}
	by.Add(crds)
	return &Linter{Objects: by, Options: lint.Options{KeepAll: true, Config: &lint.Config{Preset: lint.All}}}
}

// samePieces compares what is said of the pieces of a text with what is said of all of it. It reports whether there are pieces.
func samePieces(t *testing.T, l *Linter, src string) bool {
	t.Helper()
	list, err := pieces.Find(strings.NewReader(src), pieces.Options{Size: 1, Look: func(text []byte) string { return WhyWhole("dump.yaml", text) }})
	if doubt := (*pieces.Doubt)(nil); errors.As(err, &doubt) {
		return false
	}
	if err != nil {
		t.Fatal(err)
	}
	whole := l.File("dump.yaml", []byte(src))
	var joined *FileReport
	for i := range list.Sections {
		text, parts, err := list.Piece(strings.NewReader(src), i)
		if err != nil {
			t.Fatal(err)
		}
		one := l.Piece("dump.yaml", text, parts)
		if !one.Parses() {
			return true // the whole is read then
		}
		joined = l.Join(joined, one)
	}
	if diff := cmp.Diff(toldOf(l, whole), toldOf(l, joined)); diff != "" {
		t.Errorf("the pieces of this are not the whole (-whole +pieces):\n%s\n%s", src, diff)
	}
	return true
}

// toldOf is all that a report on one file says, as text.
func toldOf(l *Linter, f *FileReport) (lines []string) {
	if f.Objects != nil {
		for _, one := range f.Objects.Listed {
			lines = append(lines, fmt.Sprintf("%s %s %s:%d %s %s", one.APIVersion, one.ID(), one.File, one.Line, one.Verdict, one.Uncompared))
		}
	}
	r := l.Report(f)
	o := r.Objects
	lines = append(lines, fmt.Sprint(r.Counts, o.Alike, o.BuiltIn, o.Partial, o.WithoutCRD, o.Unread, o.Dumps, r.Crowded))
	for _, one := range r.Findings {
		lines = append(lines, fmt.Sprintf("%v %s %s %s %s %q %v", one.Pos, one.Rule.ID, one.Severity, one.Path, one.Message, one.Excerpt, one.Related))
	}
	return lines
}
