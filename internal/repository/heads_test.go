package repository

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/internal/xrd"
)

// heads counts the documents with CRDs that a parser reads, and those of them that are read without properties of schemas.
type heads struct{ all, short int }

// check compares what is read of the documents of a text with what a parser reads of all of them.
func (n *heads) check(t testing.TB, name string, src []byte) {
	t.Helper()
	for _, d := range manifest.Split(name, src).Documents {
		parsed := d.Parsed()
		if parsed.Err != nil || parsed.Root == nil || bytes.Contains(d.Text(), []byte(lines.BOM)) {
			continue
		}
		crds, others := xrd.Find(parsed.Root.YNode())
		want := fmt.Sprintf("others=%v", others > 0)
		for _, c := range crds {
			if c.IsPart() {
				continue
			}
			line, _ := parsed.Begin(c.Root())
			spec, generated := crd.Get(c.Node, "spec"), crd.Get(c.Node, "metadata", "annotations", generatorAnnotation) != nil
			want += fmt.Sprintf(" %d: %s %s %s generated=%v", line, c.Name(), crd.StringAt(spec, "group"), crd.StringAt(spec, "names", "kind"), generated)
			if n.all++; !bytes.Contains(outline(d.Text()), []byte("properties:")) {
				n.short++
			}
		}
		if !namesKind(d.Text()) { // is not parsed
			continue
		}
		line, _ := d.File.Position(d.Start)
		found, isOther := headsIn(d.Text(), line)
		got := fmt.Sprintf("others=%v", isOther)
		for _, d := range found {
			got += fmt.Sprintf(" %d: %s %s %s generated=%v", d.Line, d.Name, d.Group, d.Kind, d.generated)
		}
		if got != want {
			t.Errorf("%s, document %d: read is\n%s\nby a parser\n%s", name, d.Index, got, want)
		}
	}
}

func TestHeadsOfWhatGeneratorsWrite(t *testing.T) {
	var n heads
	for _, src := range []string{
		whole("Widget.example.org", true),
		whole("Widget.example.org", false),
		"# a comment\n\n---\n# another\n" + whole("Widget.example.org", true),
		strings.ReplaceAll(whole("Widget.example.org", true), "\n", "\r\n"),
		"\ufeff" + whole("Widget.example.org", true),
		`apiVersion: "apiextensions.k8s.io/v1" # quoted
kind: 'CustomResourceDefinition'
metadata:
  annotations:
    "controller-gen.kubebuilder.io/version": v0.19.0
  name: widgets.example.org
spec:
  group: example.org # the group
  names: {}
  versions:
    - name: v1
      schema:
        openAPIV3Schema:
          description: 'It''s a widget, which is described over
            several lines: with a colon'
          x-kubernetes-validations:
          - rule: |
              kind: this is no key
            message: >-
              nor: this
          enum: [a, b]
  names:
    kind: Widget
`,
	} {
		n.check(t, "manifest.yaml", []byte(src))
	}
	if n.all != 6 || n.short != 6 {
		t.Errorf("short are %d of %d", n.short, n.all)
	}
}

func TestHeadsAreThoseOfAParser(t *testing.T) {
	const head = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
	const spec = "spec:\n  group: example.org\n  names:\n    kind: Widget\n"
	const name = "metadata:\n  name: widgets.example.org\n"
	for what, src := range map[string]string{ // and what is read
		"another group's kind: another":        strings.Replace(head, "apiextensions.k8s.io", "example.org", 1) + name + spec,
		"metadata that is a text: a CRD":       head + "metadata: |\n  name: widgets.example.org\n" + spec,
		"metadata twice: a CRD":                head + name + "metadata:\n  labels: {}\n" + spec,
		"a name twice: a CRD":                  head + name + "  name: gadgets.example.org\n" + spec,
		"a quoted name over two lines: a CRD":  head + "metadata:\n  name: \"widgets.\n    example.org\"\n" + spec,
		"a name with an escape: a CRD":         head + "metadata:\n  name: \"widgets\\x2eexample.org\"\n" + spec,
		"an escaped kind: another":             strings.Replace(head, "CustomResourceDefinition", "\"Custom\\x52esourceDefinition\"", 1) + name + spec,
		"a name with a hash: a CRD":            head + "metadata:\n  name: \"widgets #1\"\n" + spec,
		"a name that is a boolean: a CRD":      head + "metadata:\n  name: on\n" + spec,
		"a name that is a number: a CRD":       head + "metadata:\n  name: 1\n" + spec,
		"a name on the next line: a CRD":       head + "metadata:\n  name:\n    widgets.example.org\n" + spec,
		"a tagged name: a CRD":                 head + "metadata:\n  name: !!str widgets.example.org\n" + spec,
		"an anchor at metadata: a CRD":         head + "metadata: &m\n  name: widgets.example.org\n" + spec,
		"an alias for annotations: a CRD":      "x: &a\n  controller-gen.kubebuilder.io/version: v1\n" + head + name + "  annotations: *a\n" + spec,
		"a merge key: a CRD":                   "x: &a\n  annotations:\n    controller-gen.kubebuilder.io/version: v1\n" + head + name + "  <<: *a\n" + spec,
		"annotations in flow style: a CRD":     head + name + "  annotations: {controller-gen.kubebuilder.io/version: v1}\n" + spec,
		"flow style over lines: a CRD":         head + name + "  labels: {a: b,\nkind: c}\n" + spec,
		"a quoted text to the left: a CRD":     head + name + "  labels:\n    a: \"x\nkind: Other\n\"\n" + spec,
		"a text with a key in it: a CRD":       head + name + "  labels:\n    a: b\n     kind: c\n" + spec,
		"a list for a spec: neither":           head + name + "spec:\n- a: b\n  group: example.org\n  names:\n    kind: Widget\n",
		"a list of lists: a CRD":               head + name + "x:\n- - a\n - b\n" + spec,
		"a list with wide dashes: a CRD":       head + name + "x:\n-   a\n  group: b\n" + spec,
		"indented as a whole: a CRD":           "  " + strings.ReplaceAll(strings.TrimSpace(head+name+spec), "\n", "\n  ") + "\n",
		"tabs behind colons: a CRD":            strings.ReplaceAll(head+name+spec, ": ", ":\t"),
		"a tab before a comment: a CRD":        head + "metadata:\n  name: widgets.example.org\t# c\n" + spec,
		"an object behind the marker: a CRD":   "--- {a: b}\n" + head + name + spec,
		"an empty anchor at the marker: a CRD": "--- &a\n" + head + name + spec,
		"a directive: a CRD":                   "%YAML 1.1\n---\n" + head + name + spec,
		"an end of the document: a CRD":        head + name + spec + "...\n" + head + name + spec,
		"a mark behind the marker: neither":    "---\n\ufeff" + head + name + spec,
		"a key that is a collection: a CRD":    "? {a: b}\n: c\n" + head + name + spec,
		"lines that end in CR: a CRD":          strings.ReplaceAll(head+name+spec, "\n", "\r"),
		"another separator of lines: a CRD":    head + "metadata:\n  name: widgets.example.org\u2028  labels: {}\n" + spec,
		"a list of CRDs: a CRD":                "apiVersion: v1\nkind: List\nitems:\n- " + strings.ReplaceAll(strings.TrimSpace(head+name+spec), "\n", "\n  ") + "\n",
		"a list of its own kind: a CRD":        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinitionList\nitems:\n- " + strings.ReplaceAll(strings.TrimSpace(name+spec), "\n", "\n  ") + "\n",
		"a patch: neither":                     head + name + "spec:\n  versions: []\n",
		"two without a separator: a CRD":       head + name + spec + head + name + spec,
		"JSON: a CRD":                          `{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "a.b"}, "spec": {"group": "b", "names": {"kind": "A"}}}`,
		"a list of ends: a CRD":                head + name + "x:\n- {}\n- []\n-   # d\n-\n  e: f\n- - g: h\n    i: []\n- \"l: m\"\n- 'n' # o\n" + spec,
		"flow style with a quote: a CRD":       head + name + "x:\n- {a: \"}\", b: c}\n" + spec,
		"flow style with text behind: a CRD":   head + name + "x:\n- {a: b}c\n" + spec,
		"flow style with # behind: a CRD":      head + name + "x:\n- {a: b}#c\n" + spec,
		"a quote with text behind: a CRD":      head + name + "x: \"a\"b\n" + spec,
		"a quote with # behind: a CRD":         head + name + "x: 'a'#b\n" + spec,
		"an escaped quote: a CRD":              head + name + "x: \"a\\\"\n  kind: b\"\ny: 'c''\n  kind: d'\nz: 'e\\'\n" + spec,
		"a quoted key: a CRD":                  head + name + "'x y' : a\n\"z\": b\n" + spec,
		"a quote without an end: a CRD":        head + name + spec + "x: 'a\n",
		"a key with a space: a CRD":            head + name + "x  : a\n" + spec,
		"a colon in a word: a CRD":             head + name + "x: a:b\ny: c #: d\n" + spec,
		"a key behind a comment: a CRD":        head + name + "x: a\n #: b\n" + spec,
		"a long key: a CRD":                    head + name + "? x\n: a\n" + spec,
		"words that are no strings: a CRD":     head + "metadata:\n  name: nullable # null\n" + spec,
		"an object: another":                   "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n",
		"an object of the group: another":      "apiVersion: apiextensions.k8s.io/v1\nkind: ConversionReview\n",
		"a kind without a version: another":    "kind: CustomResourceDefinition\n" + name + spec,
		"a version without a kind: another":    "apiVersion: apiextensions.k8s.io/v1\n" + name + spec,
		"a comment: neither":                   "# CustomResourceDefinition\n",
		"a text: another":                      "CustomResourceDefinition\n",
		"no spec.group: a CRD":                 head + name + "spec:\n  names:\n    kind: Widget\n",
		"no names: a CRD":                      head + name + "spec:\n  group: example.org\n",
		"deep inside: a CRD":                   head + name + "x:\n  y:\n    z:\n      kind: a\n      kind: b\n" + spec,
		"an item at the top: neither":          "- a\n",
		"an item and keys: a CRD":              "- a\n" + head + name + spec,
		"the end twice: a CRD":                 head + name + spec + "...\n...\n",
		"an end and a comment: a CRD":          "--- # a\n" + head + name + spec,
		"a word behind the end: a CRD":         head + name + spec + "... # a\n",
		"an anchor in a schema: a CRD":         strings.Replace(whole("Widget.example.org", true), "type: object", "type: &t object\n        x-y: *t\nz: *t", 1),
		"a null: a CRD":                        head + "metadata:\n  name: null\n  annotations:\n    controller-gen.kubebuilder.io/version:\n" + spec,
	} {
		what, want, _ := strings.Cut(what, ": ")
		t.Run(what, func(t *testing.T) {
			new(heads).check(t, "manifest.yaml", []byte(src))
			got := "neither"
			switch found, isOther := headsIn([]byte(src), 1); {
			case len(found) > 0:
				got = "a CRD"
			case isOther:
				got = "another"
			}
			if got != want {
				t.Errorf("read is %q, want %q", got, want)
			}
		})
	}
}

// What a template is before it is rendered is read as far as its lines say, and else with its actions masked. A name that an action
// makes is not known.
func TestTemplatesHaveHeads(t *testing.T) {
	flow := "# above\n---\n{{- if .Values.crds }}\n" + `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.org
  labels: {{ include "labels" . | nindent 4 }}
spec: {group: example.org, names: {kind: Widget}}
{{- end }}
`
	docs := documentsIn("templates/crd.yaml", []byte(flow))
	if len(docs) != 1 || docs[0].Name != "widgets.example.org" || docs[0].Kind != "Widget" || !docs[0].templated || docs[0].Line != 4 {
		t.Errorf("in flow style: %+v", docs)
	}
	for was, then := range map[string]string{"widgets.example.org": "{{ .Values.name }}", "{{- end }}": "", "}}\n{{- end": "}\n{{- end"} {
		if docs := documentsIn("templates/crd.yaml", []byte(strings.Replace(flow, was, then, 1))); len(docs) > 0 {
			t.Errorf("with %q: %+v", then, docs[0])
		}
	}
	src := "{{- if .Values.crds }}\n" + strings.Replace(whole("Widget.example.org", true), "spec:\n", "  {{- include \"labels\" . | nindent 2 }}\nspec:\n", 1) + "{{- end }}\n"
	docs = documentsIn("templates/crd.yaml", []byte(src))
	if len(docs) != 1 || docs[0].Name != "widgets.example.org" || !docs[0].templated || !docs[0].generated || docs[0].Line != 2 {
		t.Errorf("%+v", docs)
	}
}

func TestHeadsOfFixtures(t *testing.T) {
	var n heads
	top := filepath.Join("..", "..")
	err := filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		switch filepath.Ext(path) {
		case ".yaml", ".yml", ".json", ".txt", ".txtar":
		default:
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if n.check(t, path, src); filepath.Ext(path)[:3] == ".tx" {
			for _, f := range txtar.Parse(src).Files {
				n.check(t, path+": "+f.Name, f.Data)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n.all < 1000 || n.short*2 < n.all { // many of them show what is odd
		t.Errorf("short are %d of %d", n.short, n.all)
	}
}

func TestHeadsOfTheCorpus(t *testing.T) {
	var n heads
	for _, file := range corpus.Sample(t, corpus.Files(t), 20) {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		n.check(t, file, src)
	}
	if n.short*10 < n.all*9 {
		t.Errorf("short are %d of %d: the rest is parsed, which takes long", n.short, n.all)
	}
}

func FuzzHeads(f *testing.F) {
	f.Add([]byte(whole("Widget.example.org", true)))
	f.Add([]byte("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: 'a''b'\n  annotations: &a {b: [c]}\nspec:\n- group: x\n  names: |\n    kind: y\n"))
	f.Add([]byte("--- # c\nkind: \"a\n b\"\napiVersion: b/c\n? d\n: - - e\n  - {f: g}\n"))
	f.Fuzz(func(t *testing.T, src []byte) { new(heads).check(t, "manifest.yaml", src) })
}

// What no parser reads has the head that its lines say, as far as they say it whole.
func TestBrokenTextsHaveHeads(t *testing.T) {
	for src, want := range map[string]int{
		whole("Widget.example.org", false) + "x: [\n":       1,
		"kind: CustomResourceDefinition\nmetadata: [\n":     0,
		"# CustomResourceDefinition\n":                      0,
		"# CustomResourceDefinition\n---\n# and no more\n":  0,
		"\xff\xfe" + whole("Widget.example.org", false)[:1]: 0,
	} {
		if docs := documentsIn("a.yaml", []byte(src)); len(docs) != want {
			t.Errorf("%q: %d documents, want %d", src, len(docs), want)
		}
	}
}
