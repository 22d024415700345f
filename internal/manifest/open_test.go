package manifest

import (
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/template"
	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// TestOpen reads manifests, templates, and what looks like one.
func TestOpen(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		path, text string
		worlds     []int // how many documents each has
		documents  int
		unread     template.Language
		why        string
	}{
		"a manifest":                       {"a.yaml", "a: 1\n---\nb: 1\n", []int{2}, 2, template.None, ""},
		"comments":                         {"a.yaml", "# a\n---\n# b\n---\n\nc: 1\n", []int{2}, 1, template.None, ""},
		"what does not parse":              {"a.yaml", "{\"a\": 1}\n---\nb: [\n", []int{2}, 2, template.None, ""},
		"a template":                       {"templates/a.yaml", "a: {{ .b }}\n---\nc: 1\n", []int{2}, 2, template.None, ""},
		"a template with branches":         {"templates/a.yaml", "{{- if .a }}\na: 1\n{{- else }}\nb: 1\n{{- end }}\n", []int{1, 1}, 1, template.None, ""},
		"a template that is not UTF-8":     {"templates/a.yaml", "a: {{ .b }}\xff\n", nil, 0, template.Helm, "the file is not valid UTF-8"},
		"a template that cannot be parsed": {"templates/a.yaml", "a: {{ if }}\n", nil, 0, template.Helm, "it is not a Go template"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := Open(test.path, "label", []byte(test.text))
			var worlds []int
			for _, w := range o.Worlds {
				worlds = append(worlds, len(w.Documents))
			}
			if diff := cmp.Diff(test.worlds, worlds); diff != "" || o.Unread != test.unread || !strings.Contains(o.Why, test.why) {
				t.Errorf("%q, unread %v: %s", o.Why, o.Unread, diff)
			}
			if got := o.Documents(); len(got) != test.documents {
				t.Errorf("%d documents, want %d", len(got), test.documents)
			}
			if f := o.Manifest("label", []byte(test.text)); f.Path != "label" || len(o.Worlds) > 0 && f != o.Worlds[0] {
				t.Errorf("the manifest is %+v", f)
			}
		})
	}
}

// TestOpaque tells what of a template's document its actions print.
func TestOpaque(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		text         string
		adds, prints []string // keys of values; "" for the whole document
	}{
		"a manifest":          {"a: 1\n", nil, nil},
		"values":              {"a: {{ .v }}\nb: 1\nc: x-{{ .v }}\nd: \"{{ .v }}\"\ne: # {{ .v }}\nf: [{{ .v }}, 1]\n", nil, []string{"a", "c", "d", "f[]"}},
		"entries":             {"a:\n  b: 1\n{{ toYaml .v | indent 2 }}\nc: 1\n", []string{"a"}, nil},
		"entries of none":     {"a:\n{{ toYaml .v | indent 2 }}\nc: 1\n", []string{"a"}, nil},
		"entries at the root": {"a: 1\n{{ toYaml .v }}\nc:\n  d: 1\n", []string{""}, nil},
		"entries above all":   {"{{ toYaml .v }}\na: 1\n", []string{""}, nil},
		"items":               {"a:\n- b: 1\n{{ toYaml .v }}\nc: 1\n", []string{"", "a"}, nil},
		"items further in":    {"a:\n  - b: 1\n{{ toYaml .v | indent 2 }}\nc: 1\n", []string{"a"}, nil},
		"entries of an item":  {"a:\n- b: 1\n{{ toYaml .v | indent 2 }}\n- c: 1\n", []string{"a[]"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := OpenTemplate("x", []byte(test.text))
			d := c.Worlds[0].Documents[0].Parsed()
			if d.Err != nil {
				t.Fatal(d.Err)
			}
			o := d.Opaque()
			var adds, prints []string
			var visit func(name string, n *yaml.Node)
			visit = func(name string, n *yaml.Node) {
				if o.Adds(n) {
					adds = append(adds, name)
				}
				if o.Prints(n) {
					prints = append(prints, name)
				}
				for i, c := range n.Content {
					switch {
					case n.Kind == yaml.SequenceNode:
						visit(name+"[]", c)
					case i%2 == 1:
						visit(strings.TrimPrefix(name+"."+n.Content[i-1].Value, "."), c)
					}
				}
			}
			visit("", d.Root.YNode())
			if diff := cmp.Diff([][]string{test.adds, test.prints}, [][]string{adds, prints}); diff != "" {
				t.Errorf("%q (-want +got)\n%s", test.text, diff)
			}
		})
	}
}
