package rules

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"text/template"

	"github.com/google/go-cmp/cmp"

	"github.com/crdlift/crdlift/internal/engine"
)

var templates = flag.Int("templates", 60, "how many random templates are fixed and rendered")

// A templateMaker writes a template with something to fix and with actions wherever templates have them. What it chooses comes
// from bytes; without more of them, the first of each choice.
type templateMaker struct{ choices []byte }

func (m *templateMaker) choose(n int) int {
	if len(m.choices) == 0 {
		return 0
	}
	c := m.choices[0]
	m.choices = m.choices[1:]
	return int(c) % n
}

func (m *templateMaker) oneOf(all ...string) string { return all[m.choose(len(all))] }

func (m *templateMaker) condition() string { return m.oneOf(".a", ".b", "not .a", `eq .s "x"`) }

// value is a wrong value or one of the right ones, or an action on the same line that chooses between some of them or prints a part of
// one. A wrong one is in an action now and then: nothing is fixed then.
func (m *templateMaker) value(wrong string, right ...string) string {
	some := func() string {
		if m.choose(24) == 1 {
			return wrong
		}
		return m.oneOf(right...)
	}
	one, other := some(), some()
	switch m.choose(18) {
	case 1:
		return fmt.Sprintf("{{ if %s }}%s{{ else }}%s{{ end }}", m.condition(), one, other)
	case 2:
		return fmt.Sprintf("{{ if %s }}%s{{ else if %s }}%s{{ else }}%s{{ end }}", m.condition(), one, m.condition(), other, some())
	case 3:
		return fmt.Sprintf("{{- if %s }} %s{{ else }} %s{{ end }}", m.condition(), one, other)
	case 4:
		return fmt.Sprintf("{{ if %s }}{{ if %s }}%s{{ else }}%s{{ end }}{{ else }}%s{{ end }}", m.condition(), m.condition(), one, other, one)
	case 5:
		half := len(one) / 2
		return fmt.Sprintf("%s{{ if %s }}%s{{ else }}%[3]s{{ end }}", one[:half], m.condition(), one[half:])
	case 6:
		return fmt.Sprintf("{{ with .s }}%s{{ end }}", one)
	case 7, 8:
		return one
	}
	return wrong
}

// printed is a value of a text, which no finding is about; an action prints it, or a part of it.
func (m *templateMaker) printed() string {
	return m.oneOf("b", "{{ .s }}", "a-{{ .s }}", "{{ if .a }}{{ .s }}{{ else }}c{{ end }}", `"{{ if .b }}b{{ else }}{{ .s }}{{ end }}"`, "a{{ range .l }}-{{ . }}{{ end }}")
}

// lines are some lines, or a block or an action on a line around them.
func (m *templateMaker) lines(text string) string {
	indent := text[:len(text)-len(strings.TrimLeft(text, " "))]
	switch m.choose(12) {
	case 0:
		return fmt.Sprintf("%[1]s{{- if %[2]s }}\n%[3]s%[1]s{{- end }}\n", indent, m.condition(), text)
	case 1:
		return fmt.Sprintf("%s{{ if %s }}%s{{ end }}\n", indent, m.condition(), strings.TrimSpace(text))
	case 2:
		return fmt.Sprintf("%s{{- if %s }}{{/* why */}}\n%s%[1]s{{- end }}\n", indent, m.condition(), text)
	case 3:
		return text + fmt.Sprintf("%s# {{ if %s }}a comment{{ end }}\n", indent, m.condition())
	}
	return text
}

// template is a whole one.
func (m *templateMaker) template() string {
	var out strings.Builder
	add := func(format string, args ...any) { fmt.Fprintf(&out, format, args...) }
	add("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: widgets.example.com\n")
	if m.choose(2) == 1 {
		out.WriteString(m.lines("  namespace: " + m.value("default", "system") + "\n"))
	}
	add("  annotations:\n    v: {{ .s }}\n    a: %s\n", m.printed()) // an action in the place of a value makes it a template
	out.WriteString(m.lines("    c: " + m.printed() + "\n"))
	add("spec:\n  group: example.com\n")
	add("  names: {kind: Widget, plural: widgets, singular: widget, listKind: WidgetList, shortNames: [%s, %s]}\n", m.oneOf("w", "wd"), m.value("w", "wt", "wx"))
	if scope := "  scope: " + m.value("namespaced", "Namespaced", "Cluster") + "\n"; m.choose(3) == 0 {
		add("  {{- if %s }}\n%s  {{- else }}\n  scope: %s\n  {{- end }}\n", m.condition(), scope, m.value("cluster", "Cluster"))
	} else {
		out.WriteString(scope)
	}
	add("  versions:\n  - name: v1\n    served: %s\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n", m.value("true", "true"))
	for i := range 1 + m.choose(3) {
		switch m.choose(5) {
		case 0:
			out.WriteString(m.lines(fmt.Sprintf("          f%d: {type: %s, description: %s}\n", i, m.value("strin", "string", "integer"), m.printed())))
		case 1:
			out.WriteString(m.lines(fmt.Sprintf("          f%d:\n            description: %s\n            properties:\n              a: {type: %s}\n", i, m.printed(), m.value("String", "string", "integer"))))
		case 2:
			out.WriteString(m.lines(fmt.Sprintf("          f%d:\n            type: object\n            x-kubernetes-preserve-unknown-fields: %s\n", i, m.value("false", "true"))))
		case 3:
			out.WriteString(m.lines(fmt.Sprintf("          f%d:\n            type: array\n            uniqueItems: %s\n            items: {type: %s}\n", i, m.value("true", "false"), m.value("strin", "string"))))
		case 4:
			out.WriteString(m.lines(fmt.Sprintf("          {{ .s }}%d:\n            type: object\n            required: [%s, b]\n            properties: {b: {type: string}}\n", i, m.value("b", "c"))))
		}
	}
	return out.String()
}

// A templateTally counts what became of templates.
type templateTally struct{ made, changed, refused, renderings, compared int }

// fixTemplate fixes a template and compares, for all conditions, what it renders to with the fixed rendering.
func (n *templateTally) fixTemplate(t *testing.T, source string, unsafe bool) {
	t.Helper()
	before, err := template.New("").Parse(source)
	if err != nil {
		t.Fatalf("%v in\n%s", err, source)
	}
	l := &engine.Linter{Rules: allRules}
	path := "templates/crd.yaml"
	fixed := l.Fix(path, []byte(source), unsafe)
	n.made++
	switch {
	case !bytes.Equal(fixed.Output, []byte(source)):
		n.changed++
	case len(fixed.Withheld) > 0:
		n.refused++
	}
	if (len(fixed.Findings) == 0) != bytes.Equal(fixed.Output, []byte(source)) {
		t.Errorf("%d findings are fixed in\n%s", len(fixed.Findings), cmp.Diff(source, string(fixed.Output)))
	}
	for _, w := range fixed.Withheld {
		if w.Why == "" && w.Reveals == nil {
			t.Errorf("no reason for %s in\n%s", w.Finding.Message, source)
		}
	}
	after, err := template.New("").Parse(string(fixed.Output))
	if err != nil {
		t.Fatalf("%v in the fixed\n%s", err, fixed.Output)
	}
	for c := range 8 {
		data := map[string]any{"a": c&1 > 0, "b": c&2 > 0, "s": []string{"x", "z"}[c>>2], "l": []int{1, 2, 3}[:c%4]}
		var was, is bytes.Buffer
		if err := before.Execute(&was, data); err != nil {
			t.Fatal(err)
		}
		if err := after.Execute(&is, data); err != nil {
			t.Fatal(err)
		}
		n.renderings++
		if bytes.Equal(fixed.Output, []byte(source)) {
			continue
		}
		n.compared++
		if want := l.Fix("crd.yaml", was.Bytes(), unsafe).Output; !bytes.Equal(want, is.Bytes()) {
			t.Errorf("%v: the rendering of the fixed template differs from the fixed rendering:\n%s\ntemplate:\n%s", data, cmp.Diff(string(want), is.String()), source)
		}
	}
}

// TestFixedTemplates: what is fixed in a template with actions within lines is what is fixed in all that it renders to.
func TestFixedTemplates(t *testing.T) {
	random := rand.New(rand.NewPCG(36, 1))
	var n templateTally
	for i := range *templates {
		m := &templateMaker{make([]byte, 120)}
		for i := range m.choices {
			m.choices[i] = byte(random.Uint32())
		}
		n.fixTemplate(t, m.template(), i%2 == 1)
		if t.Failed() {
			break
		}
	}
	t.Logf("%d templates with %d renderings: %d changed, of which %d renderings are as they have to be; %d left alone with a reason", n.made, n.renderings, n.changed, n.compared, n.refused)
	if n.changed < n.made/5 || n.refused == 0 {
		t.Error("too few are changed, or left alone, to show anything")
	}
}

// FuzzFixTemplate is TestFixedTemplates with the fuzzer's choices.
func FuzzFixTemplate(f *testing.F) {
	f.Add([]byte{0}, true)
	f.Add([]byte("namespace and scope"), false)
	f.Fuzz(func(t *testing.T, choices []byte, unsafe bool) {
		if len(choices) <= 1000 {
			new(templateTally).fixTemplate(t, (&templateMaker{choices}).template(), unsafe)
		}
	})
}
