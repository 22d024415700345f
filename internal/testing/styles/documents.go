package styles

import (
	"bytes"
	"slices"

	"github.com/crdlift/crdlift/internal/manifest"
)

// others are documents that stand around the one that matters.
var others = []string{
	"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  a: |+\n    b\n\n  c:   >-\n    d\n     e\n\n    f # no comment\n",
	"a:   b # other\n\n# behind it\n",
	"# a comment alone\n",
	"- a\n-   b\n",
	"\"a text\"\n",
	"{\"a\":\"b\"}\n",
	"kind: List\napiVersion: v1\nitems:\n- kind: Secret\n  apiVersion: v1\n",
	"\n",
	"a: {b : c , d: [e ,f]}\n",
	"? a\n: b\n",
}

// ofDocuments are changes of what stands around and between documents.
var ofDocuments = []change{
	{"a document in front", func(t *text) []byte {
		if bytes.HasPrefix(bytes.TrimLeft(t.src, " \n"), []byte("{")) {
			return nil
		}
		between := t.one("---\n", "...\n---\n", "...\n", "--- # next\n", "...\n# next\n\n---\n", "...\n%TAG !x! tag:example.com,2026:\n---\n")
		return append([]byte(t.one(others...)+between), bytes.TrimPrefix(t.src, []byte("\xef\xbb\xbf"))...)
	}},
	{"a document behind", func(t *text) []byte {
		eol := ""
		if !bytes.HasSuffix(t.src, []byte("\n")) {
			eol = "\n"
		}
		return []byte(string(t.src) + eol + t.one("---\n", "...\n---\n", "...\n", "---   # next\n", "...\n\n# next\n---\n") + t.one(others...))
	}},
	{"a marker", func(t *text) []byte {
		return t.inFront(t.one("---\n", "--- # a marker\n", "# above\n---\n\n", "---\n# below\n", "---\n\n---\n"))
	}},
	{"a directive", func(t *text) []byte {
		return t.inFront(t.one("%YAML 1.1\n---\n", "# above\n%TAG !e! tag:example.com,2026:\n--- # marker\n", "%YAML 1.2\n%TAG ! !own-\n---\n"))
	}},
	{"an end marker", func(t *text) []byte {
		d := t.document()
		if d == nil || d.End > 0 && t.src[d.End-1] != '\n' {
			return nil
		}
		return t.with(d.End, d.End, t.one("...\n", "... # the end\n", "# the end\n...\n", "\n...\n\n"))
	}},
}

// inFront puts lines before a document.
func (t *text) inFront(lines string) []byte {
	d := t.document()
	if d == nil {
		return nil
	}
	return t.with(d.Start, d.Start, lines)
}

// document picks one that says something.
func (t *text) document() *manifest.Document {
	empty := func(d *manifest.Document) bool { return d.Root == nil }
	return pick(t, slices.DeleteFunc(manifest.Parse("", t.src).Documents, empty))
}
