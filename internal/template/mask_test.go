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
		{"a value in as little room as a comment needs", "name: {{.n}}\n", "name: CODE #\n"},
		{"a value in less room", "name: {{.}}\n", "name: CODEz\n"},
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
		{"a chain without an else", "spec:\n  {{ if .a }}\n  a: a\n  {{ else if .b }}\n  b: b\n  {{ end }}\n", []string{"spec:   a: a", "spec:   b: b", "spec:"}},
		{"a negative condition alone", "spec:\n  {{ if not .a }}\n  b: b\n  {{ end }}\n", []string{"spec:   b: b", "spec:"}},
		{"on a line", "spec:\n  a: {{ if .a }}b{{ else }}c{{ end }}\n", []string{"spec:   a: CODE #z"}},
		{"two beside each other", "spec:\n  {{ if .a }}\n  a: a\n  {{ else }}\n  b: b\n  {{ end }}\n  {{ if .c }}\n  c: c\n  {{ else }}\n  d: d\n  {{ end }}\n",
			[]string{"spec:   a: a   c: c", "spec:   b: b   d: d"}},
		{"the same again, after another in it", "spec:\n  {{ if .a }}\n  {{ if .b }}\n  b: b\n  {{ else }}\n  c: c\n  {{ end }}\n  {{ end }}\n  {{ if .a }}\n  d: d\n  {{ else }}\n  e: e\n  {{ end }}\n",
			[]string{"spec:   b: b   d: d", "spec:   e: e", "spec:   c: c   d: d"}},
		{"another in the same in each other", "spec:\n  {{ if .a }}\n  {{ if .a }}\n  {{ if .b }}\n  b: b\n  {{ else }}\n  c: c\n  {{ end }}\n  {{ end }}\n  {{ else }}\n  d: d\n  {{ end }}\n",
			[]string{"spec:   b: b", "spec:   d: d", "spec:   c: c"}},
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
		{"lines are lost", func(m string) string { return strings.Replace(m, line(2)(m), "", 1) }, "{{- include \"l\" . | nindent 2 }} on line 3 would be lost"},
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

// TestSameActions: an action prints the same only where the same is set before it, and in the branch that it was in.
func TestSameActions(t *testing.T) {
	t.Parallel()
	const elsewhere = "would stand elsewhere"
	for _, tt := range []struct{ story, before, after, want string }{
		{"nothing moves", "{{ $x := .a }}\na: {{ $x }}\n", "{{ $x := .a }}\nb: c\na: {{ $x }}\n", ""},
		{"a value moves before what sets it", "{{ $x := .a }}\na: {{ $x }}\n", "a: {{ $x }}\n{{ $x := .a }}\n", "{{ $x }} on line 2 " + elsewhere},
		{"a value moves behind another assignment", "{{ $x := .a }}\na: {{ $x }}\n{{ $x = .b }}\n", "{{ $x := .a }}\n{{ $x = .b }}\na: {{ $x }}\n", elsewhere},
		{"two values change places", "{{ $x := .a }}\na: {{ $x }}\nb: {{ .b }}\n", "{{ $x := .a }}\nb: {{ .b }}\na: {{ $x }}\n", ""},
		{"two assignments change places", "{{ $x := .a }}\n{{ $y := .b }}\na: b\n", "{{ $y := .b }}\n{{ $x := .a }}\na: b\n", elsewhere},
		{"a comparison sets nothing", "{{ eq .x \"$a = b\" }}\na: {{ .b }}\n", "a: {{ .b }}\n{{ eq .x \"$a = b\" }}\n", ""},
		{"a comment sets nothing", "{{/* $x := 1 */}}\na: {{ .b }}\n", "a: {{ .b }}\n{{/* $x := 1 */}}\n", ""},
		{"a pipe with a text in it sets nothing", "{{ $x | replace \"=\" \"\" }}\na: {{ .b }}\n", "a: {{ .b }}\n{{ $x | replace \"=\" \"\" }}\n", ""},
		{"a value moves over a block", "a: {{ .a }}\n{{ if .b }}\nc: d\n{{ end }}\n", "{{ if .b }}\nc: d\n{{ end }}\na: {{ .a }}\n", ""},
		{"a value moves over a block with an else", "a: {{ .a }}\n{{ if .b }}\nc: d\n{{ else }}\ne: f\n{{ end }}\n", "{{ if .b }}\nc: d\n{{ else }}\ne: f\n{{ end }}\na: {{ .a }}\n", ""},
		{"a value moves to the else", "{{ if .b }}\na: {{ .a }}\n{{ else }}\nc: d\n{{ end }}\n", "{{ if .b }}\n{{ else }}\na: {{ .a }}\nc: d\n{{ end }}\n", elsewhere},
		{"a value moves before a break", "{{ range .l }}\n{{ if .x }}\n{{ break }}\n{{ end }}\na: {{ .y }}\n{{ end }}\n", "{{ range .l }}\n{{ if .x }}\na: {{ .y }}\n{{ break }}\n{{ end }}\n{{ end }}\n", elsewhere},
		{"a value moves before a continue", "{{ range .l }}\n{{ if .x }}\n{{ continue }}\n{{ end }}\na: {{ .y }}\n{{ end }}\n", "{{ range .l }}\n{{ if .x }}\na: {{ .y }}\n{{ continue }}\n{{ end }}\n{{ end }}\n", elsewhere},
		{"a value is indented", "a:\n  b: {{ .b }}\n", "a:\n    b: {{ .b }}\n", ""},
		{"lines at the margin are indented", "{{ toYaml .b }}\n", "  {{ toYaml .b }}\n", "would print at another indentation"},
		{"an action is added", "a: {{ .a }}\n", "a: {{ .a }}\nb: {{ .b }}\n", "the actions of the template would be in another order"},
	} {
		t.Run(tt.story, func(t *testing.T) {
			var both [2]*Template
			for i, src := range []string{tt.before, tt.after} {
				parsed, err := Parse([]byte(src))
				if err != nil {
					t.Fatal(err)
				}
				both[i] = parsed
			}
			err := (&MaskedTemplate{Template: both[0]}).sameActions(both[1])
			if err == nil && tt.want != "" || err != nil && (tt.want == "" || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

// TestOneLine: an action of eighty characters is shown whole.
func TestOneLine(t *testing.T) {
	t.Parallel()
	whole := strings.Repeat("ü", 78)
	for action, want := range map[string]string{"a\n " + whole: "a " + whole, "ab " + whole: "ab " + whole[:2*77] + "..."} {
		if got := oneLine(action); got != want {
			t.Errorf("%q is shown as %q", action, got)
		}
	}
}

// TestPrints: what only decides prints nothing; what leaves a text does, unless that is a branch by itself.
func TestPrints(t *testing.T) {
	t.Parallel()
	for src, want := range map[string][]bool{
		"a: {{ .a }}\n":                                    {true},
		"{{ if .a }}\na: b\n{{ end }}\n":                   {false, false},
		"a: {{ if .a }}b{{ end }}\n":                       {true},
		"a: b {{ $x := .a }}\n":                            {false},
		"{{ $x := .a }}{{ .b }}\n":                         {true},
		"{{ if .a }}\na: b\n{{ else }}\na: c\n{{ end }}\n": {false, false, false},
	} {
		parsed, err := Parse([]byte(src))
		if err != nil {
			t.Fatal(err)
		}
		m, err := parsed.Mask(worldsOf(parsed)[0])
		if err != nil {
			t.Fatal(err)
		}
		var got []bool
		for _, u := range m.Units {
			got = append(got, u.Prints)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", src, diff)
		}
	}
}

// TestCodes: a code that ends the text is one, and what looks like one in the source is not taken for another action.
func TestCodes(t *testing.T) {
	t.Parallel()
	mask := func(src string) *MaskedTemplate {
		parsed, err := Parse([]byte(src))
		if err != nil {
			t.Fatal(err)
		}
		m, err := parsed.Mask(worldsOf(parsed)[0])
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	m := mask("a: x{{ .b }}\n")
	code := m.Units[0].Code
	for text, want := range map[string]int{code: 1, code[:3]: 0, code + code: 2, "a: " + code + "\n": 1} {
		n := 0
		for range m.Codes([]byte(text)) {
			n++
		}
		if n != want {
			t.Errorf("%q has %d codes, want %d", text, n, want)
		}
	}
	for _, src := range []string{"a: x{{ .b }}\nb: " + code, code + ": x{{ .b }}\n"} {
		if got := mask(src).Units[0].Code; got == code {
			t.Errorf("%q: the code is in the source", src)
		}
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
