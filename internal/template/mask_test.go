package template

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// codes are what differs between masks of the same form.
var codes = regexp.MustCompile(`[a-y][0-9][a-y0-9]{2}`)

var filler = regexp.MustCompile(`z+`)

// maskOf is the masked text of a template in a world, with CODE for each code, and z for what fills the rest.
func maskOf(t *testing.T, src string, world int) string {
	t.Helper()
	parsed, err := Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	m, err := parsed.Mask(worldsOf(parsed)[world])
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Text) != len(src) {
		t.Errorf("%q has another length", m.Text)
	}
	return filler.ReplaceAllString(codes.ReplaceAllString(string(m.Text), "CODE"), "z")
}

func TestForms(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ story, src, want string }{
		{"a value", "name: {{ .name }}\n", "name: CODE #z\n"},
		{"a value behind a dash", "- {{ .name }}\n", "- CODE #z\n"},
		{"a value with a comment", "name: {{ .name }} # why\n", "name: CODE #z # why\n"},
		{"a part of a value", "name: a.{{ .name }}.b\n", "name: a.CODEz.b\n"},
		{"a value in quotes", "name: '{{ .name }}'\n", "name: 'CODEz'\n"},
		{"a key", "{{ .name }}: a\n", "CODEz: a\n"},
		{"two that touch", "name: {{ .a }}{{ .b }}\n", "name: CODE #z\n"},
		{"a boolean", "storage: {{ .Values.storage }}\n", "storage: true #CODEz\n"},
		{"a number", "- port: {{ .Values.port }}\n", "- port: 1 #CODEz\n"},
		{"a certificate", "caBundle: {{ .Values.ca }}\n", "caBundle: \"\" #CODEz\n"},
		{"a scope", "scope: {{ .Values.scope }}\n", "scope: Cluster #CODEz\n"},
		{"lines", "labels:\n  {{- include \"l\" . | nindent 2 }}\n", "labels:\n  #CODEz\n"},
		{"lines behind a key", "labels: {{- include \"l\" . | nindent 2 }}\n", "labels: {} #CODEz\n"},
		{"lines behind a key with entries", "labels: {{- include \"l\" . | nindent 2 }}\n  a: b\n", "labels: #CODEz\n  a: b\n"},
		{"lines behind a key without a space", "labels:{{ include \"l\" . | nindent 2 }}\n", "labels: #CODEz\n"},
		{"a comment over lines", "a: b\n{{- /* x\n  y\n*/}}\n", "a: b\n#CODEz\n  #\n#z\n"},
		{"an action in a comment", "# {{ if .a }}\na: b # {{ .c }}\n# {{ end }}\n", "# {{ if .a }}\na: b # {{ .c }}\n# {{ end }}\n"},
		{"a condition on a line", "name: {{ if .a }}b{{ else }}c{{ end }}\n", "name: CODE #z\n"},
		{"a number sign in a value", "a: 'b #{{ .c }}'\n", "a: 'b #CODEz'\n"},
		{"beyond ASCII", "{{/* ü€ */}}\na: {{ .b }}\n", "#CODEü€z\na: CODE #z\n"},
		{"Windows' line ends", "{{ if .a }}\r\na: {{ .b }}\r\n{{ end }}\r\n", "#CODEz\r\na: CODE #z\r\n#CODEz\r\n"},
	} {
		t.Run(tt.story, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, maskOf(t, tt.src, 0)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestUnsupported(t *testing.T) {
	t.Parallel()
	for _, src := range []string{"{{ if .a }}b: c\n{{ end }}\n", "a: b{{ if .c }}\n{{ end }}\n", "{{/* a */}}b: c\n"} {
		parsed, err := Parse([]byte(src))
		if err != nil {
			t.Fatal(err)
		}
		if m, err := parsed.Mask(worldsOf(parsed)[0]); err == nil || !strings.Contains(err.Error(), "line 1 shares its line with text") {
			t.Errorf("%q: %v, error: %v", src, m, err)
		}
	}
}

// TestWorlds: each branch is looked at, and conditions that belong together are decided together.
func TestWorlds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		story, src string
		want       []string // the lines of YAML in each world
	}{
		{"around documents", "{{ if .a }}\nkind: b\n{{ end }}\n", []string{"kind: b"}},
		{"between documents", "{{ if .a }}\nkind: b\n{{ else }}\nkind: c\n{{ end }}\n", []string{"kind: b", "kind: c"}},
		{"in metadata", "metadata:\n  {{ if .a }}\n  b: c\n  {{ end }}\n", []string{"metadata:   b: c"}},
		{"in the spec", "spec:\n  {{ if .a }}\n  b: c\n  {{ end }}\n", []string{"spec:   b: c", "spec:"}},
		{"a chain", "spec:\n  {{ if .a }}\n  a: a\n  {{ else if .b }}\n  b: b\n  {{ else }}\n  c: c\n  {{ end }}\n",
			[]string{"spec:   a: a", "spec:   b: b", "spec:   c: c"}},
		{"opposites", "spec:\n  {{ if .a }}\n  a: a\n  {{ end }}\n  {{ if not .a }}\n  b: b\n  {{ end }}\n", []string{"spec:   a: a", "spec:   b: b"}},
		{"older and newer", "spec:\n  {{ if semverCompare \">=1.19-0\" .v }}\n  a: a\n  {{ end }}\n  {{ if semverCompare \"<1.19-0\" .v }}\n  b: b\n  {{ end }}\n",
			[]string{"spec:   a: a", "spec:   b: b"}},
		{"in each other", "spec:\n  {{ if .a }}\n  a: a\n  {{ if .b }}\n  b: b\n  {{ end }}\n  {{ end }}\n", []string{"spec:   a: a   b: b", "spec:", "spec:   a: a"}},
		{"the second branch in a first one", "spec:\n  {{ if .a }}\n  {{ if .b }}\n  b: b\n  {{ else }}\n  c: c\n  {{ end }}\n  {{ else }}\n  d: d\n  {{ end }}\n",
			[]string{"spec:   b: b", "spec:   d: d", "spec:   c: c"}},
		{"the same in each other", "spec:\n  {{ if .a }}\n  {{ if .a }}\n  b: b\n  {{ else }}\n  {{ if .b }}\n  never: c\n  {{ end }}\n  {{ end }}\n  {{ else }}\n  d: d\n  {{ end }}\n",
			[]string{"spec:   b: b", "spec:   d: d"}},
	} {
		t.Run(tt.story, func(t *testing.T) {
			parsed, err := Parse([]byte(tt.src))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for i := range worldsOf(parsed) {
				var kept []string
				for line := range strings.Lines(maskOf(t, tt.src, i)) {
					if !strings.HasPrefix(strings.TrimLeft(line, " "), "#") {
						kept = append(kept, strings.TrimRight(line, "\n"))
					}
				}
				got = append(got, strings.Join(kept, " "))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestRestore changes the masked text as a rewrite would, and puts the actions back.
func TestRestore(t *testing.T) {
	t.Parallel()
	const src = "a: {{ .a }} # why\nlabels:\n  {{- include \"l\" . | nindent 2 }}\n{{- if .b }}\nb: {{ .b }}\n{{- end }}\nc: d\n"
	swap := func(from, to string) func(string) string {
		return func(masked string) string { return strings.Replace(masked, from, to, 1) }
	}
	line := func(n int) func(string) string {
		return func(masked string) string { return strings.SplitAfter(masked, "\n")[n] }
	}
	for _, tt := range []struct {
		story  string
		change func(masked string) string
		want   string // the text, or what the error says
	}{
		{"something else", swap("c: d", "c: e"), strings.Replace(src, "c: d", "c: e", 1)},
		{"a key beside an action", swap("a: ", "aa:  "), strings.Replace(src, "a: ", "aa:  ", 1)},
		{"an entry moves", func(m string) string { return line(6)(m) + strings.TrimSuffix(m, line(6)(m)) },
			"c: d\n" + strings.TrimSuffix(src, "c: d\n")},
		{"a value is lost", func(m string) string { return strings.Replace(m, line(0)(m), "", 1) }, "{{ .a }} on line 1 would be lost"},
		{"a value is there twice", func(m string) string { return m + line(0)(m) }, "{{ .a }} on line 1 would be repeated"},
		{"lines are indented", func(m string) string { return strings.Replace(m, line(2)(m), "  "+line(2)(m), 1) },
			"{{- include \"l\" . | nindent 2 }} on line 3 would print at another indentation"},
		{"a condition is indented", func(m string) string { return strings.Replace(m, line(3)(m), "  "+line(3)(m), 1) },
			strings.Replace(src, "{{- if", "  {{- if", 1)},
		{"a value leaves its branch", func(m string) string {
			return strings.Replace(m, line(3)(m)+line(4)(m), line(4)(m)+line(3)(m), 1)
		}, "{{ .b }} on line 5 would stand elsewhere"},
		{"an action is cut", func(m string) string { return strings.Replace(m, line(3)(m), line(3)(m)[:6]+"\n", 1) }, "would be cut"},
	} {
		t.Run(tt.story, func(t *testing.T) {
			parsed, err := Parse([]byte(src))
			if err != nil {
				t.Fatal(err)
			}
			m, err := parsed.Mask(worldsOf(parsed)[0])
			if err != nil {
				t.Fatal(err)
			}
			got, err := m.Restore([]byte(tt.change(string(m.Text))))
			if err != nil {
				if !strings.Contains(err.Error(), tt.want) {
					t.Errorf("got the error %q, want %q", err, tt.want)
				}
			} else if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestProve: a change that depends on a condition is none of the template.
func TestProve(t *testing.T) {
	t.Parallel()
	const src = "a: 1\n{{- if .b }}\nb: 1\n{{- end }}\n"
	parsed, err := Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	all := func(c *Cut) ([]byte, error) { return []byte(strings.ReplaceAll(string(c.Text), "1", "2")), nil }
	alone := func(c *Cut) ([]byte, error) {
		if strings.Contains(string(c.Text), "b") {
			return c.Text, nil
		}
		return []byte("a: 2\n"), nil
	}
	if err := parsed.Prove([]byte(strings.ReplaceAll(src, "1", "2")), all); err != nil {
		t.Error(err)
	}
	if err := parsed.Prove([]byte(src), alone); err == nil || !strings.Contains(err.Error(), "{{- if .b }} on line 2 decides about what would change") {
		t.Errorf("got %v", err)
	}
}

func worldsOf(t *Template) []World {
	all, _, _ := t.Worlds()
	return all
}
