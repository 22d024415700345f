package kustomize

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
)

// A cutter takes schemas out of CRDs before they are built, and puts them back in what is built. kustomize copies each mapping for
// each of those around it (mergeAll of sigs.k8s.io/kustomize/kyaml/yaml), which takes seconds for schemas as large as those of pods.
// A build that changes one fails for the lack of it: a JSON patch finds nothing there, and other patches replace the versions.
type cutter struct{ schemas [][]byte }

var (
	schemaHead = regexp.MustCompile(`(?m)^([ -]*)openAPIV3Schema:[ ]*\r?\n`)
	cutSchema  = regexp.MustCompile(`(?m)^([ -]*)openAPIV3Schema: crdlift-schema-(\d+)\n`)
	shared     = regexp.MustCompile(`[:-] +[&*]\w|<<:|\t`) // what means something else without the rest of its file
)

// cut is a manifest without the schemas.
func (c *cutter) cut(src []byte) []byte {
	if shared.Match(src) {
		return src
	}
	var out bytes.Buffer
	for {
		head := schemaHead.FindSubmatchIndex(src)
		if head == nil {
			out.Write(src)
			return out.Bytes()
		}
		indent, end := head[3]-head[2], head[1]
		for end < len(src) {
			line, _, _ := bytes.Cut(src[end:], []byte("\n"))
			if text := bytes.TrimLeft(line, " "); len(bytes.TrimSpace(text)) > 0 && text[0] != '#' && len(line)-len(text) <= indent {
				break
			}
			end = min(end+len(line)+1, len(src))
		}
		fmt.Fprintf(&out, "%sopenAPIV3Schema: crdlift-schema-%d\n", src[:head[3]], len(c.schemas))
		c.schemas = append(c.schemas, shifted(src[head[1]:end], -indent))
		src = src[end:]
	}
}

// restore is what was built with the schemas.
func (c *cutter) restore(text string) string {
	if len(c.schemas) == 0 {
		return text
	}
	return cutSchema.ReplaceAllStringFunc(text, func(cut string) string {
		m := cutSchema.FindStringSubmatch(cut)
		i, err := strconv.Atoi(m[2])
		if err != nil || i >= len(c.schemas) {
			return cut
		}
		return m[1] + "openAPIV3Schema:\n" + string(shifted(c.schemas[i], len(m[1])))
	})
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
