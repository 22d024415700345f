package helm

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"text/template/parse"
)

// actions returns the actions of a template, comments in braces included, by the rules of text/template's lexer.
func actions(text string) (all []string) {
	for {
		start := strings.Index(text, "{{")
		if start < 0 {
			return all
		}
		text = text[start:]
		end := actionEnd(text)
		all = append(all, text[:end])
		text = text[end:]
	}
}

// actionEnd returns where the action ends that a text begins with.
func actionEnd(text string) int {
	if strings.HasPrefix(text, "{{/*") || len(text) > 6 && text[2] == '-' && strings.HasPrefix(text[4:], "/*") {
		if end := strings.Index(text, "*/"); end >= 0 {
			if closed := strings.Index(text[end:], "}}"); closed >= 0 {
				return end + closed + len("}}")
			}
		}
		return len(text)
	}
	for i := 2; i < len(text); i++ {
		switch c := text[i]; {
		case strings.HasPrefix(text[i:], "}}"):
			return i + len("}}")
		case c == '`':
			if end := strings.IndexByte(text[i+1:], c); end >= 0 {
				i += end + 1
			}
		case c == '"' || c == '\'':
			for i++; i < len(text) && text[i] != c; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		}
	}
	return len(text)
}

// comments returns the comments of a template's YAML, without what is in actions. Text after a # in a block scalar counts as
// one.
func comments(text string) (all []string) {
	for _, action := range actions(text) {
		text = strings.Replace(text, action, strings.Map(hideText, action), 1)
	}
	for line := range strings.Lines(text) {
		if found := yamlComment.FindString(line); found != "" {
			all = append(all, strings.TrimSpace(found))
		}
	}
	return all
}

var yamlComment = regexp.MustCompile(`(^|[ \t])#.*`)

// hideText leaves nothing of an action but its line breaks.
func hideText(r rune) rune {
	if r == '\n' || r == '\r' {
		return r
	}
	return '?'
}

// lost returns what some have more often than others.
func lost(before, after []string) (all []string) {
	left := map[string]int{}
	for _, text := range after {
		left[text]++
	}
	for _, text := range before {
		if left[text]--; left[text] < 0 {
			all = append(all, text)
		}
	}
	return all
}

// once returns each text once.
func once(all []string) []string {
	slices.Sort(all)
	return slices.Compact(all)
}

// TestActions: text that is not in an action is text to text/template, too.
func TestActions(t *testing.T) {
	text := "a: {{ .A }} # {{- \"}}\" }}\n{{- /* }} */ -}}\nb: {{ `}}` }}{{ printf \"\\\"}}\" }}\n# {{ if eq 'x' '}' }}c{{ end }}\nd: \"#{{/* # */}}\" # e\n"
	want := []string{"{{ .A }}", `{{- "}}" }}`, "{{- /* }} */ -}}", "{{ `}}` }}", `{{ printf "\"}}" }}`, "{{ if eq 'x' '}' }}", "{{ end }}", "{{/* # */}}"}
	if got := actions(text); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := comments(text), []string{"# ???????????", "# ???????????????????c?????????", "# e"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := lost([]string{"a", "b", "a"}, []string{"a", "c"}); !slices.Equal(got, []string{"b", "a"}) {
		t.Errorf("%q are lost", got)
	}
	for _, src := range handwritten(t) {
		trees, err := parsed(src.name, src.text)
		if err != nil {
			t.Fatal(err)
		}
		rest := src.text
		for _, action := range actions(src.text) {
			rest = strings.Replace(rest, action, "", 1)
		}
		for _, tree := range trees {
			for _, text := range texts(tree.Root) {
				if !strings.Contains(rest, text) {
					t.Errorf("%s: %q is no action", src.path, text)
				}
			}
		}
	}
}

// texts returns the text between the actions of a node.
func texts(n parse.Node) (all []string) {
	branches := func(lists ...*parse.ListNode) {
		for _, list := range lists {
			if list != nil {
				all = append(all, texts(list)...)
			}
		}
	}
	switch n := n.(type) {
	case *parse.TextNode:
		return []string{string(n.Text)}
	case *parse.ListNode:
		for _, child := range n.Nodes {
			all = append(all, texts(child)...)
		}
	case *parse.IfNode:
		branches(n.List, n.ElseList)
	case *parse.WithNode:
		branches(n.List, n.ElseList)
	case *parse.RangeNode:
		branches(n.List, n.ElseList)
	}
	return all
}
