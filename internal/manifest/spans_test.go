package manifest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSpans shows where each node of a document stands: its text, with a bar between anchor or tag and content, and where
// its collections end.
func TestSpans(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ text, want string }{
		"pairs":                       {"a: b\nc:\n  d: e # f\n", "<a> <b> <c> <d: e> <d> <e>"},
		"items":                       {"- a\n-   b\n- - c\n  - d\n", "<a> <b> <- c\n  - d> <c> <d>"},
		"quotes":                      {"a: \"b \\\" c\" # d\ne: 'f '' g'\n\"h\": ''\n", "<a> <\"b \\\" c\"> <e> <'f '' g'> <\"h\"> <''>"},
		"quotes over several lines":   {"a: \"b\n  c\" \nd: 'e\n\n  f'\n", "<a> <\"b\n  c\"> <d> <'e\n\n  f'>"},
		"quotes that end in quotes":   {"a: \"b\\\\\\\"\"\nc: ''''\nd: 'e'''\nf: \"\\\\\"\n", "<a> <\"b\\\\\\\"\"> <c> <''''> <d> <'e'''> <f> <\"\\\\\">"},
		"text over several lines":     {"a: b c\n  d\n\n  e\nf: g\n", "<a> <b c\n  d\n\n  e> <f> <g>"},
		"characters of several bytes": {"a: é世 \n  😀 x\nb: c\né: [世, d]\n", "<a> <é世 \n  😀 x> <b> <c> <é> <[世, d]> <世> <d>"},
		"no value":                    {"a:\nb: \nc: # d\n", "<a> <> <b> <> <c> <>"},
		"anchors":                     {"a: &x b\nc: &y\n  d: e\nf: *x\ng: &z-1_A\n", "<a> <&x|b> <c> <&y|d: e> <d> <e> <f> <*x> <g> <&z-1_A|>"},
		"an anchor of a key":          {"&k a: b\n&l c:\n  d: e\n", "<&k|a> <b> <&l|c> <d: e> <d> <e>"},
		"the letters of anchors":      {"a: &azAZ09-_ b\nc: [&x, &y d]\n", "<a> <&azAZ09-_|b> <c> <[&x, &y d]> <&x|> <&y|d>"},
		"anchors and tags": {"a: !!str &x b\nc: &y !!map\n  d: e\ne: !<tag:yaml.org,2002:str> f\ng: ! h\n",
			"<a> <!!str &x|b> <c> <&y !!map|d: e> <d> <e> <e> <!<tag:yaml.org,2002:str>|f> <g> <!|h>"},
		"tags in brackets": {"a: [!!str b, &x c, !!int 1]\n", "<a> <[!!str b, &x c, !!int 1]> <!!str|b> <&x|c> <!!int|1>"},
		"a tag without a value": {"a: !!null\nb: &x\nc: !!str # d\nd: !!binary aGVsbG8=\n",
			"<a> <!!null|> <b> <&x|> <c> <!!str|> <d> <!!binary|aGVsbG8=>"},
		"a tag of a number": {"a: !!float 1\nb: !!int \"2\"\n", "<a> <!!float|1> <b> <!!int|\"2\">"},
		"a tag of brackets": {"a: !!seq [b]\nc: !!map {}\n", "<a> <!!seq|[b]> <b> <c> <!!map|{}>"},
		"brackets":          {"a: {b: c, d: [e, f ], g: { }}\nh: [ ]\n", "<a> <{b: c, d: [e, f ], g: { }}> <b> <c> <d> <[e, f ]> <e> <f> <g> <{ }> <h> <[ ]>"},
		"brackets over several lines": {"a: { # b\n  c: d, # e\n  f: [\n  g,\n  ], # h\n}\n",
			"<a> <{ # b\n  c: d, # e\n  f: [\n  g,\n  ], # h\n}> <c> <d> <f> <[\n  g,\n  ]> <g>"},
		"brackets without values": {"a: {b, c: , d: }\ne: [f, ]\n", "<a> <{b, c: , d: }> <b> <> <c> <> <d> <> <e> <[f, ]> <f>"},
		"pairs without braces": {"a: [b: c, d: , e: f]\ng: [h:]\ni: [{j: k}]\n",
			"<a> <[b: c, d: , e: f]> <b: c> <b> <c> <d:> <d> <> <e: f> <e> <f> <g> <[h:]> <h:> <i> <[{j: k}]> <{j: k}> <j> <k>"},
		"a comment between brackets":           {"a: [b # ]\n ]\nc: {d: # }\n e}\n", "<a> <[b # ]\n ]> <b> <c> <{d: # }\n e}> <d> <e>"},
		"JSON":                                 {"{\"a\":[1,2],\"b\":{\"c\":null}}\n# end\n", "<\"a\"> <[1,2]> <1> <2> <\"b\"> <{\"c\":null}> <\"c\"> <null>"},
		"question marks":                       {"? a\n: b\n? c\n? [d, e]\n: - f\n  - g\n", "<a> <b> <c> <> <[d, e]> <d> <e> <- f\n  - g> <f> <g>"},
		"question marks in brackets":           {"a: {? b : c, ? d}\n", "<a> <{? b : c, ? d}> <b> <c> <d> <>"},
		"a block":                              {"a: |\n  b\n  c\n\n\nd: e\n", "<a> <|\n  b\n  c> <d> <e>"},
		"a block that keeps lines":             {"a: |+\n  b\n\n\nd: e\n", "<a> <|+\n  b\n\n> <d> <e>"},
		"a block that keeps lines, at the end": {"a: |+\n  b\n\n", "<a> <|+\n  b\n>"},
		"a block and a comment":                {"a: |- # c\n  b\n # d\ne: f\n", "<a> <|- # c\n  b> <e> <f>"},
		"an empty block":                       {"a: |\nb: >-  \nc: |+\n\nd: e\n", "<a> <|> <b> <>-> <c> <|+\n> <d> <e>"},
		"an empty block and a comment":         {"a: | # b\nc: d\n", "<a> <| # b> <c> <d>"},
		"a block of a given indentation": {"a: |2\n   b\n  c\nd: >1-\n  e\n f\ng: |9\n         h\n        # i\n",
			"<a> <|2\n   b\n  c> <d> <>1-\n  e\n f> <g> <|9\n         h>"},
		"blocks in a list":                           {"- |\n a\n b\n- >\n   c\n\n   d\n- - |2\n     e\n", "<|\n a\n b> <>\n   c\n\n   d> <- |2\n     e> <|2\n     e>"},
		"nothing but a block":                        {"|\n a\n b\n", "<|\n a\n b>"},
		"nothing but a block of a given indentation": {"--- |1\n  a\n b\n", "<|1\n  a\n b>"},
		"a block with lines of spaces":               {"a: |\n  b\n      \n  c\n    \nd: e\n", "<a> <|\n  b\n      \n  c\n    > <d> <e>"},
		"a block that begins with blank lines":       {"a: |\n\n \n  b\nc: d\n", "<a> <|\n\n \n  b> <c> <d>"},
		"a block without a line end":                 {"a: |\n  b", "<a> <|\n  b>"},
		"blocks of items": {"a:\n- |-\n  b\n- c: |\n    d\n  e: f\n",
			"<a> <- |-\n  b\n- c: |\n    d\n  e: f> <|-\n  b> <c: |\n    d\n  e: f> <c> <|\n    d> <e> <f>"},
		"a block deep in a list": {"- - a: |\n      b\n     # c\n    d: e\n",
			"<- a: |\n      b\n     # c\n    d: e> <a: |\n      b\n     # c\n    d: e> <a> <|\n      b> <d> <e>"},
		"Windows' line ends":             {"a: |\r\n  b\r\n  c\r\nd: \"e\r\n  f\"\r\ng: h\r\n", "<a> <|\r\n  b\r\n  c> <d> <\"e\r\n  f\"> <g> <h>"},
		"odd line ends":                  {"a: b\rc: |\r  d\u2028  e\rf: 'g\u0085  h'\n", "<a> <b> <c> <|\r  d\u2028  e> <f> <'g\u0085  h'>"},
		"a byte order mark and a marker": {"\ufeff--- # a\nb: c\n...\n", "<b> <c>"},
		"items in the column of their key": {"a:\n- b: c\n  d:\n  - e\nf:\n- g\n",
			"<a> <- b: c\n  d:\n  - e> <b: c\n  d:\n  - e> <b> <c> <d> <- e> <e> <f> <- g> <g>"},
		"aliases":                  {"a: &x b\n*x : c\nd: [*x, *x ]\n", "<a> <&x|b> <*x> <c> <d> <[*x, *x ]> <*x> <*x>"},
		"nothing but text":         {"--- a b\n  c\n", "<a b\n  c>"},
		"nothing but a list":       {"[a, \"b\"] # c\n", "<a> <\"b\">"},
		"a number sign in text":    {"a: b#c\nd: [e#f] # g\nh: 'i # j'\n", "<a> <b#c> <d> <[e#f]> <e#f> <h> <'i # j'>"},
		"a colon in text":          {"a: b:c\nd: {e: f:g}\n", "<a> <b:c> <d> <{e: f:g}> <e> <f:g>"},
		"no content":               {"# a\n", "nothing"},
		"an item on the next line": {"-\n  a: b\n-\n- c\n", "<a: b> <a> <b> <> <c>"},
		"a tab":                    {"a: |\t\n  b\nc:\td\n", "<a> <|\t\n  b> <c> <d>"},
		"a quote in text":          {"a: b'c\"d\ne: f\n", "<a> <b'c\"d> <e> <f>"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, spansOf(t, test.text)); diff != "" {
				t.Errorf("%q (-want +got)\n%s", test.text, diff)
			}
		})
	}
}

// spansOf shows the nodes of the first document, but for the collection that has them all.
func spansOf(t *testing.T, text string) string {
	t.Helper()
	d := Parse("x", []byte(text)).Documents[0]
	if d.Err != nil {
		return d.Err.Error()
	}
	l, err := d.Layout()
	if err != nil {
		return err.Error()
	}
	if l.Root == nil {
		return "nothing"
	}
	var all []string
	var visit func(o *Origin)
	visit = func(o *Origin) {
		show := func(start, end int) string { return string(l.Source[start:end]) }
		s := show(o.Content, o.End)
		if o.Properties > o.Start {
			s = show(o.Start, o.Properties) + "|" + s
		}
		all = append(all, "<"+s+">")
		for _, c := range o.Children {
			visit(c)
		}
	}
	if visit(l.Root); len(all) > 1 {
		all = all[1:]
	}
	return strings.Join(all, " ")
}
