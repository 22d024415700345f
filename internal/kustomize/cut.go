package kustomize

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/text"
)

// A cutter takes schemas out of CRDs before they are built, and puts them back in what is built. kustomize copies each mapping for
// each of those around it (mergeAll of sigs.k8s.io/kustomize/kyaml/yaml), which takes seconds for schemas as large as those of pods.
// Where a patch leads into a schema, all but the entries that are called like something in it is taken out. A build that wants something
// else fails for the lack of it: a JSON patch finds nothing there, and other patches find a scalar where they have a mapping.
type cutter struct {
	kept map[string]bool // the words of patches
	cuts []cut
}

// A cut is a value: what is behind the colon of its key, and the lines below, in which the key is indented by so many spaces.
type cut struct {
	head, body []byte
	indent     int
}

var entryHead = text.Pattern(`^ *("[^"\\]*"|'[^']*'|[\w$./-]+):([ \r\n].*)?$`)

const placeholder = "crdlift-schema-"

// cut is a manifest without the schemas.
func (c *cutter) cut(src []byte) []byte {
	if shared(src) {
		return src
	}
	var out bytes.Buffer
	at := 0
	for b := range crd.Blocks(src, crd.SchemaKey) {
		out.Write(src[at:b.Colon])
		if block := src[b.Body:b.End]; len(c.kept) > 0 {
			out.Write(src[b.Colon:b.Body])
			c.open(&out, block)
		} else {
			c.put(&out, src[b.Colon:b.Body], block, b.Indent)
		}
		at = b.End
	}
	out.Write(src[at:])
	return out.Bytes()
}

// shared reports whether a manifest may have what means something else without the rest of it: anchors, aliases, merge keys and tabs.
func shared(src []byte) bool {
	if bytes.IndexByte(src, '\t') >= 0 || bytes.Contains(src, []byte("<<:")) {
		return true
	}
	for _, mark := range []byte("&*") {
		for rest := src; ; {
			i := bytes.IndexByte(rest, mark)
			if i < 0 {
				break
			}
			before := bytes.TrimRight(rest[:i], " ")
			rest = rest[i+1:]
			if n := len(before); 0 < n && n < i && (before[n-1] == ':' || before[n-1] == '-') && len(rest) > 0 && rest[0] > ' ' {
				return true
			}
		}
	}
	return false
}

// put puts a placeholder for the value of a key.
func (c *cutter) put(out *bytes.Buffer, head, body []byte, indent int) {
	fmt.Fprintf(out, " %s%d\n", placeholder, len(c.cuts))
	c.cuts = append(c.cuts, cut{head, body, indent})
}

// open cuts all of a mapping but what patches may lead to. A list, and what is not written as a key in each line, stays.
func (c *cutter) open(out *bytes.Buffer, block []byte) {
	type entry struct{ at, colon, body, end int }
	var entries []entry
	indent, at, first := -1, 0, 0
	for line := range bytes.Lines(block) {
		start := at
		at += len(line)
		text := bytes.TrimLeft(line, " ")
		switch {
		case !crd.IsText(text):
		case indent < 0 || len(line)-len(text) == indent && !bytes.HasPrefix(text, []byte("- ")):
			key := entryHead().FindSubmatchIndex(bytes.TrimRight(line, "\r\n"))
			if key == nil {
				out.Write(block)
				return
			}
			if indent < 0 {
				indent, first = len(line)-len(text), start
			}
			entries = append(entries, entry{at: start, colon: start + key[3], body: at})
		}
		if n := len(entries); n > 0 {
			entries[n-1].end = at
		}
	}
	out.Write(block[:first])
	for _, e := range entries {
		key := strings.Trim(string(block[e.at:e.colon]), ` "'`)
		head, body := block[e.colon+1:e.body], block[e.body:e.end]
		switch {
		case len(bytes.TrimSpace(body)) == 0:
			out.Write(block[e.at:e.end])
		case c.keeps(key) && !crd.IsText(bytes.TrimLeft(head, " ")):
			out.Write(block[e.at:e.body])
			c.open(out, body)
		default:
			out.Write(block[e.at : e.colon+1])
			c.put(out, head, body, indent)
		}
	}
}

// restore is what was built with the schemas; false where kustomize has done something else with one than to leave or to move it.
func (c *cutter) restore(text string) (string, bool) {
	var out strings.Builder
	for line := range strings.Lines(text) {
		key, number, isCut := strings.Cut(line, ": "+placeholder)
		i, err := strconv.Atoi(strings.TrimSuffix(number, "\n"))
		if !isCut || err != nil || i >= len(c.cuts) {
			out.WriteString(line)
			continue
		}
		cut, indent := c.cuts[i], len(key)-len(strings.TrimLeft(key, " -"))
		out.WriteString(key + ":" + string(cut.head))
		out.Write(shifted(cut.body, indent-cut.indent))
	}
	text = out.String()
	return text, !strings.Contains(text, placeholder)
}

// shifted is a block with its lines indented by more or fewer spaces.
func shifted(block []byte, by int) []byte {
	var out bytes.Buffer
	for line := range bytes.Lines(block) {
		switch {
		case len(bytes.TrimSpace(line)) == 0:
		case by < 0:
			line = line[min(-by, len(line)-len(bytes.TrimLeft(line, " "))):] // a comment may stand further out
		default:
			out.Write(bytes.Repeat([]byte(" "), by))
		}
		out.Write(line)
	}
	if n := out.Len(); n > 0 && out.Bytes()[n-1] != '\n' {
		out.WriteByte('\n')
	}
	return out.Bytes()
}
