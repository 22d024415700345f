package repository

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/testing/corpus"
)

// glances counts the documents with CRDs that a parser reads, and those of them that glance is sure of.
type glances struct{ all, sure int }

// check compares what glance is sure of with what a parser reads.
func (n *glances) check(t testing.TB, name string, src []byte) {
	t.Helper()
	for _, d := range manifest.Split(name, src).Documents {
		g, parsed := glance(d.Text()), d.Parsed()
		if parsed.Err != nil || parsed.Root == nil {
			continue
		}
		crds, others := crd.Find(parsed.Root.YNode())
		if len(crds) == 1 && !crds[0].IsPart() && !d.JSON {
			n.all++
		}
		read := func(d *Document) string {
			return fmt.Sprintf("line %d: %s %s %s generated=%v", d.Line, d.Name, d.Group, d.Kind, d.generated)
		}
		switch {
		case !g.sure:
		case g.isOther() && (len(crds) > 0 || others != 1):
			t.Errorf("%s, document %d: glance reads a %s; a parser %d CRDs and %d others", name, d.Index, g.values["/kind"], len(crds), others)
		case g.isCRD():
			n.sure++
			if len(crds) != 1 || others > 0 || crds[0].IsPart() {
				t.Errorf("%s, document %d: glance reads a CRD; a parser %d of them, and %d others", name, d.Index, len(crds), others)
			} else if got, want := read(g.document(d)), read(parsedDocument(parsed, crds[0])); got != want {
				t.Errorf("%s, document %d: glance reads\n%s\na parser\n%s", name, d.Index, got, want)
			}
		}
	}
}

func TestGlanceIsSureOfWhatGeneratorsWrite(t *testing.T) {
	var n glances
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
	if n.all != 6 || n.sure != 5 { // the last has names twice
		t.Errorf("sure of %d of %d", n.sure, n.all)
	}
}

func TestGlanceAgreesWithAParser(t *testing.T) {
	const head = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
	const spec = "spec:\n  group: example.org\n  names:\n    kind: Widget\n"
	const name = "metadata:\n  name: widgets.example.org\n"
	for what, src := range map[string]string{ // and whether glance is sure, and of what
		"another group's kind: another":         strings.Replace(head, "apiextensions.k8s.io", "example.org", 1) + name + spec,
		"metadata that is a text: neither":      head + "metadata: |\n  name: widgets.example.org\n" + spec,
		"metadata twice: unsure":                head + name + "metadata:\n  labels: {}\n" + spec,
		"a name twice: unsure":                  head + name + "  name: gadgets.example.org\n" + spec,
		"a quoted name over two lines: neither": head + "metadata:\n  name: \"widgets.\n    example.org\"\n" + spec,
		"a name with an escape: neither":        head + "metadata:\n  name: \"widgets\\x2eexample.org\"\n" + spec,
		"an escaped kind: neither":              strings.Replace(head, "CustomResourceDefinition", "\"Custom\\x52esourceDefinition\"", 1) + name + spec,
		"a name with a hash: neither":           head + "metadata:\n  name: \"widgets #1\"\n" + spec,
		"a name that is a boolean: neither":     head + "metadata:\n  name: on\n" + spec,
		"a name that is a number: neither":      head + "metadata:\n  name: 1\n" + spec,
		"a name on the next line: unsure":       head + "metadata:\n  name:\n    widgets.example.org\n" + spec,
		"a tagged name: unsure":                 head + "metadata:\n  name: !!str widgets.example.org\n" + spec,
		"an anchor at metadata: unsure":         head + "metadata: &m\n  name: widgets.example.org\n" + spec,
		"an alias for annotations: unsure":      "x: &a\n  controller-gen.kubebuilder.io/version: v1\n" + head + name + "  annotations: *a\n" + spec,
		"a merge key: unsure":                   "x: &a\n  annotations:\n    controller-gen.kubebuilder.io/version: v1\n" + head + name + "  <<: *a\n" + spec,
		"annotations in flow style: unsure":     head + name + "  annotations: {controller-gen.kubebuilder.io/version: v1}\n" + spec,
		"flow style over lines: unsure":         head + name + "  labels: {a: b,\nkind: c}\n" + spec,
		"a quoted text to the left: a CRD":      head + name + "  labels:\n    a: \"x\nkind: Other\n\"\n" + spec,
		"a text with a key in it: a CRD":        head + name + "  labels:\n    a: b\n     kind: c\n" + spec,
		"a list for a spec: neither":            head + name + "spec:\n- a: b\n  group: example.org\n  names:\n    kind: Widget\n",
		"a list of lists: a CRD":                head + name + "x:\n- - a\n - b\n" + spec,
		"a list with wide dashes: a CRD":        head + name + "x:\n-   a\n  group: b\n" + spec,
		"indented as a whole: unsure":           "  " + strings.ReplaceAll(strings.TrimSpace(head+name+spec), "\n", "\n  ") + "\n",
		"tabs behind colons: unsure":            strings.ReplaceAll(head+name+spec, ": ", ":\t"),
		"a tab before a comment: neither":       head + "metadata:\n  name: widgets.example.org\t# c\n" + spec,
		"an object behind the marker: unsure":   "--- {a: b}\n" + head + name + spec,
		"an empty anchor at the marker: unsure": "--- &a\n" + head + name + spec,
		"a directive: a CRD":                    "%YAML 1.1\n---\n" + head + name + spec,
		"an end of the document: unsure":        head + name + spec + "...\n" + head + name + spec,
		"a mark behind the marker: neither":     "---\n\ufeff" + head + name + spec,
		"a key that is a collection: unsure":    "? {a: b}\n: c\n" + head + name + spec,
		"lines that end in CR: unsure":          strings.ReplaceAll(head+name+spec, "\n", "\r"),
		"another separator of lines: unsure":    head + "metadata:\n  name: widgets.example.org\u2028  labels: {}\n" + spec,
		"a list of CRDs: neither":               "apiVersion: v1\nkind: List\nitems:\n- " + strings.ReplaceAll(strings.TrimSpace(head+name+spec), "\n", "\n  ") + "\n",
		"a list of its own kind: neither":       "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinitionList\nitems:\n- " + strings.ReplaceAll(strings.TrimSpace(name+spec), "\n", "\n  ") + "\n",
		"a patch: neither":                      head + name + "spec:\n  versions: []\n",
		"two without a separator: unsure":       head + name + spec + head + name + spec,
		"JSON: unsure":                          `{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "a.b"}, "spec": {"group": "b", "names": {"kind": "A"}}}`,
		"a list of ends: a CRD":                 head + name + "x:\n- {}\n- []\n-   # d\n-\n  e: f\n- - g: h\n    i: []\n- \"l: m\"\n- 'n' # o\n" + spec,
		"flow style with a quote: unsure":       head + name + "x:\n- {a: \"}\", b: c}\n" + spec,
		"flow style with text behind: unsure":   head + name + "x:\n- {a: b}c\n" + spec,
		"flow style with # behind: unsure":      head + name + "x:\n- {a: b}#c\n" + spec,
		"a quote with text behind: unsure":      head + name + "x: \"a\"b\n" + spec,
		"a quote with # behind: unsure":         head + name + "x: 'a'#b\n" + spec,
		"an escaped quote: a CRD":               head + name + "x: \"a\\\"\n  kind: b\"\ny: 'c''\n  kind: d'\nz: 'e\\'\n" + spec,
		"a quoted key: a CRD":                   head + name + "'x y' : a\n\"z\": b\n" + spec,
		"a quote without an end: unsure":        head + name + spec + "x: 'a\n",
		"a key with a space: a CRD":             head + name + "x  : a\n" + spec,
		"a colon in a word: a CRD":              head + name + "x: a:b\ny: c #: d\n" + spec,
		"a key behind a comment: a CRD":         head + name + "x: a\n #: b\n" + spec,
		"a long key: unsure":                    head + name + "? x\n: a\n" + spec,
		"words that are no strings: a CRD":      head + "metadata:\n  name: nullable # null\n" + spec,
		"an object: another":                    "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n",
		"an object of the group: another":       "apiVersion: apiextensions.k8s.io/v1\nkind: ConversionReview\n",
		"a kind without a version: neither":     "kind: CustomResourceDefinition\n" + name + spec,
		"a version without a kind: neither":     "apiVersion: apiextensions.k8s.io/v1\n" + name + spec,
		"a comment: unsure":                     "# CustomResourceDefinition\n",
		"a text: unsure":                        "CustomResourceDefinition\n",
		"no spec.group: neither":                head + name + "spec:\n  names:\n    kind: Widget\n",
		"no names: neither":                     head + name + "spec:\n  group: example.org\n",
		"deep inside: a CRD":                    head + name + "x:\n  y:\n    z:\n      kind: a\n      kind: b\n" + spec,
		"an item at the top: unsure":            "- a\n",
		"an item and keys: unsure":              "- a\n" + head + name + spec,
		"the end twice: unsure":                 head + name + spec + "...\n...\n",
		"an end and a comment: a CRD":           "--- # a\n" + head + name + spec,
		"a word behind the end: unsure":         head + name + spec + "... # a\n",
		"a null: neither":                       head + "metadata:\n  name: null\n  annotations:\n    controller-gen.kubebuilder.io/version:\n" + spec,
	} {
		what, want, _ := strings.Cut(what, ": ")
		t.Run(what, func(t *testing.T) {
			new(glances).check(t, "manifest.yaml", []byte(src))
			got, g := "unsure", glance([]byte(src))
			switch {
			case g.sure && g.isCRD():
				got = "a CRD"
			case g.sure && g.isOther():
				got = "another"
			case g.sure:
				got = "neither"
			}
			if got != want {
				t.Errorf("glance is sure of %q, want %q", got, want)
			}
		})
	}
}

// What a template is before it is rendered is read as far as its lines say.
func TestTemplatesHaveHeads(t *testing.T) {
	src := "{{- if .Values.crds }}\n" + strings.Replace(whole("Widget.example.org", true), "spec:\n", "  {{- include \"labels\" . | nindent 2 }}\nspec:\n", 1) + "{{- end }}\n"
	docs := documentsIn("templates/crd.yaml", []byte(src))
	if len(docs) != 1 || docs[0].Name != "widgets.example.org" || !docs[0].templated || !docs[0].generated || docs[0].Line != 2 {
		t.Errorf("%+v", docs)
	}
}

func TestGlanceAgreesOnFixtures(t *testing.T) {
	var n glances
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
	if n.all < 1000 || n.sure*2 < n.all { // many of them show what is odd
		t.Errorf("sure of %d of %d", n.sure, n.all)
	}
}

func TestGlanceAgreesOnTheCorpus(t *testing.T) {
	var n glances
	for _, file := range corpus.Sample(t, corpus.Files(t), 20) {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		n.check(t, file, src)
	}
	if n.sure*10 < n.all*9 {
		t.Errorf("sure of %d of %d: the rest is parsed, which takes long", n.sure, n.all)
	}
}

func FuzzGlance(f *testing.F) {
	f.Add([]byte(whole("Widget.example.org", true)))
	f.Add([]byte("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: 'a''b'\n  annotations: &a {b: [c]}\nspec:\n- group: x\n  names: |\n    kind: y\n"))
	f.Add([]byte("--- # c\nkind: \"a\n b\"\napiVersion: b/c\n? d\n: - - e\n  - {f: g}\n"))
	f.Fuzz(func(t *testing.T, src []byte) { new(glances).check(t, "manifest.yaml", src) })
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
