package template

import (
	"bytes"
	"strings"
	"testing"
	"text/template/parse"
)

// FuzzScan holds the scanner against Go's own: the texts between the actions are the same, but for white space that trim
// markers take away.
func FuzzScan(f *testing.F) {
	for _, src := range []string{
		"a {{ .b }} c", "{{- if `}}` -}}\nx\n{{ end }}", "{{/* }} */ -}} {{ \"\\\"}}\" }}", "{{ (index .a \"b\") }}", "{{ '}' }}{{ '\\'' }}",
		"{{-3}}", "{{\n.a\n}}", "{{ .a -}}\n b {{- .c}}", "{{- /* a */ -}}", "{{}}", "{{ .a - }}", "{{{ .a }}}", "{{ \"a\nb\" }}", "{{/* a */}}x",
	} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		tree := parse.New("")
		tree.Mode = parse.SkipFuncCheck | parse.ParseComments
		if _, err := tree.Parse(src, "", "", map[string]*parse.Tree{}); err != nil {
			return
		}
		actions, err := Scan(src)
		if err != nil {
			t.Fatal(err)
		}
		at := 0
		var want strings.Builder
		for _, a := range actions {
			want.WriteString(strings.Join(strings.Fields(src[at:a.Start]), ""))
			at = a.End
		}
		want.WriteString(strings.Join(strings.Fields(src[at:]), ""))
		var got strings.Builder
		texts(tree.Root, &got)
		if got, want := strings.Join(strings.Fields(got.String()), ""), want.String(); !strings.Contains(src, "define") && !strings.Contains(src, "block") && got != want {
			t.Errorf("text %q, want %q", want, got)
		}
	})
}

// texts writes the text nodes of a tree.
func texts(n parse.Node, out *strings.Builder) {
	branch := func(b *parse.BranchNode) {
		texts(b.List, out)
		if b.ElseList != nil {
			texts(b.ElseList, out)
		}
	}
	switch n := n.(type) {
	case *parse.ListNode:
		if n != nil {
			for _, c := range n.Nodes {
				texts(c, out)
			}
		}
	case *parse.TextNode:
		out.Write(n.Text)
	case *parse.IfNode:
		branch(&n.BranchNode)
	case *parse.WithNode:
		branch(&n.BranchNode)
	case *parse.RangeNode:
		branch(&n.BranchNode)
	}
}

// FuzzMask: a mask has the length and the lines of its source, and what it hides comes back.
func FuzzMask(f *testing.F) {
	for _, src := range []string{
		"{{- if .a }}\nkind: b\n{{- else }}\nkind: c\n{{- end }}\n", "a: {{ .b }}\nlabels: {{ toYaml .c | nindent 2 }}\n", "a:{{ .b }}\n# {{ .c }}\n",
		"a: \"{{ .b }}\" # {{ c }}\nstorage: {{ .d }}\n", "a: {{ if .b }}c{{ else }}d{{ end }}\n", "a: {{ \n.bcd }}\n", "a:{{ \n \n.bcd }}", "{{/* a\n  ü\n*/}}\na: {{ .b }}-{{ .c }}\n",
		"spec:\n  {{- if .a }}\n  b: c\n  {{- end }}\n  {{- if not .a }}\n  d: e\n  {{- end }}\n",
	} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		parsed, err := Parse([]byte(src))
		if err != nil {
			return
		}
		for _, w := range worldsOf(parsed) {
			m, err := parsed.Mask(w)
			if err != nil {
				continue
			}
			if len(m.Text) != len(src) {
				t.Fatalf("%d bytes became %d", len(src), len(m.Text))
			}
			for i := range m.Text {
				if (m.Text[i] == '\n') != (src[i] == '\n') {
					t.Fatalf("line ends differ in %q", m.Text)
				}
			}
			back, err := m.restore(m.Text)
			for _, u := range m.Units {
				if u.Code == "" {
					return
				}
			}
			if err != nil || !bytes.Equal(back, []byte(src)) {
				t.Errorf("%q is restored as %q: %v", m.Text, back, err)
			}
		}
	})
}
