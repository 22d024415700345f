package styles

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/crdlift/crdlift/internal/yaml11"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// ofValues are changes of how entries of mappings and their values are written.
var ofValues = []change{
	{"an anchor", func(t *text) []byte {
		return t.property(fmt.Sprintf("&a%d", t.r.IntN(1_000_000)), func(e *entry) bool { return e.value.Anchor == "" })
	}},
	{"a tag", func(t *text) []byte {
		tag := t.one("!!map", "!!seq", "!!str", "!!bool", "!!int")
		return t.property(tag, func(e *entry) bool { return e.value.ShortTag() == tag && e.value.Style&yaml.TaggedStyle == 0 })
	}},
	ofEntry("a question mark", func(t *text, e *entry) bool { return t.src[e.keyEnd] == ':' }, func(t *text, e *entry) []byte {
		indent := strings.Repeat(" ", e.column)
		to := t.with(e.keyEnd, e.keyEnd, t.one("", " "+t.comment(), "\n"+indent+t.comment())+"\n"+indent)
		return bytes.Join([][]byte{to[:e.keyStart], []byte("? "), to[e.keyStart:]}, nil)
	}),
	ofEntry("a value on the next line", func(_ *text, e *entry) bool { return e.onLine }, func(t *text, e *entry) []byte {
		return t.with(e.start, e.start, t.one("", t.comment())+"\n"+strings.Repeat(" ", e.column+1+t.r.IntN(4)))
	}),
	ofEntry("flow style", func(_ *text, e *entry) bool {
		return len(e.value.Content) > 0 && e.value.Style&yaml.FlowStyle == 0 && e.end-e.start < 2000
	}, func(t *text, e *entry) []byte {
		f := flow{r: t, indent: e.column + 2, quote: t.r.IntN(2) == 0, colon: t.one(":", ": ", ": ", " : "), comma: t.one(",", ", ", " , ")}
		if f.lines = t.r.IntN(3) == 0; f.lines {
			f.comment = t.r.IntN(2) == 0
		}
		lead := ""
		if !e.onLine {
			lead = "  "
		}
		return t.with(e.start, e.end, lead+f.text(e.value))
	}),
	ofEntry("quotes", isText, func(t *text, e *entry) []byte {
		by := yaml11.Quote(e.value.Value)
		if t.r.IntN(2) == 0 {
			by = "'" + strings.ReplaceAll(e.value.Value, "'", "''") + "'"
		}
		return t.with(e.start, e.end, by)
	}),
	ofEntry("a block scalar", func(t *text, e *entry) bool { return isText(t, e) && e.onLine }, func(t *text, e *entry) []byte {
		header := t.one("|-", ">-", "|", "|+", ">", "|2-", ">-  "+t.comment())
		return t.with(e.start, e.end, header+"\n"+strings.Repeat(" ", e.column+2)+e.value.Value)
	}),
	ofEntry("a text of several lines", func(t *text, e *entry) bool {
		return isText(t, e) && strings.Contains(e.value.Value, " ")
	}, func(t *text, e *entry) []byte {
		at := e.start + bytes.IndexByte(t.src[e.start:e.end], ' ')
		if at < e.start {
			return nil
		}
		return t.with(at, at+1, "\n"+strings.Repeat(" ", e.column+1+t.r.IntN(6)))
	}),
}

// isText reports whether a value is a text on one line.
func isText(_ *text, e *entry) bool { return e.value.ShortTag() == yaml.NodeTagString && e.onlyOne }

// ofEntry is a change of an entry that fits.
func ofEntry(name string, fits func(t *text, e *entry) bool, write func(t *text, e *entry) []byte) change {
	return change{name, func(t *text) []byte {
		e := t.entry(func(e *entry) bool { return fits(t, e) })
		if e == nil {
			return nil
		}
		return write(t, e)
	}}
}

// property puts an anchor or a tag before a value, on the line of the key or on one of its own.
func (t *text) property(what string, fits func(e *entry) bool) []byte {
	e := t.entry(fits)
	if e == nil {
		return nil
	}
	if e.onLine {
		return t.with(e.start, e.start, what+" ")
	}
	if t.r.IntN(2) == 0 {
		return t.with(e.keyEnd+1, e.keyEnd+1, " "+what)
	}
	own := "\n" + strings.Repeat(" ", e.column+1+t.r.IntN(3)) + what + t.one("", " "+t.comment())
	at := e.keyEnd + len(bytes.TrimRight(t.src[e.keyEnd:e.keyEnd+bytes.IndexByte(t.src[e.keyEnd:], '\n')], "\r"))
	return t.with(at, at, own)
}

// A flow writes a value in brackets.
type flow struct {
	r                     *text
	indent                int
	quote, lines, comment bool
	colon, comma          string
}

func (f *flow) text(n *yaml.Node) string {
	if n.Kind == yaml.AliasNode {
		return "*" + n.Value + " "
	}
	if n.Kind == yaml.ScalarNode {
		if n.ShortTag() != yaml.NodeTagString {
			return n.Value
		}
		if f.quote || !yaml11.PlainSafe(n.Value) || strings.ContainsAny(n.Value, ",[]{}?:") {
			return yaml11.Quote(n.Value)
		}
		return n.Value
	}
	var parts []string
	open, end := "{", "}"
	if n.Kind == yaml.SequenceNode {
		open, end = "[", "]"
		for _, c := range n.Content {
			parts = append(parts, f.text(c))
		}
	}
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		parts = append(parts, f.text(n.Content[i])+f.colon+f.text(n.Content[i+1]))
	}
	if !f.lines || len(parts) == 0 {
		return open + strings.Join(parts, f.comma) + end
	}
	var b strings.Builder
	b.WriteString(open)
	for i, p := range parts {
		b.WriteString("\n" + strings.Repeat(" ", f.indent))
		if f.comment && f.r.r.IntN(4) == 0 {
			b.WriteString(f.r.comment() + "\n" + strings.Repeat(" ", f.indent))
		}
		b.WriteString(p)
		if i+1 < len(parts) || f.r.r.IntN(2) == 0 {
			b.WriteString(strings.TrimRight(f.comma, " "))
		}
		if f.comment && f.r.r.IntN(4) == 0 {
			b.WriteString(" " + f.r.comment())
		}
	}
	return b.String() + "\n" + strings.Repeat(" ", max(0, f.indent-1)) + end
}
