package repository

import (
	"bytes"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
)

// A head is what is read of a CRD without its schemas.
type head struct {
	generated bool // it has the annotation of controller-gen
	templated bool // there are actions of a template in it
	size      int  // of its text, in bytes
	isForced  bool // a setting has decided
}

const generatorAnnotation = "controller-gen.kubebuilder.io/version"

// documentsIn are the CRDs in a text. Most are read by their lines alone; what is written otherwise is parsed.
func documentsIn(file string, src []byte) (all []*Document) {
	if !bytes.Contains(src, []byte(crd.Kind)) {
		return nil
	}
	others, count, line := 0, 0, 1
	for i, d := range manifest.Split(file, src).Documents {
		text := d.Text()
		begin := line
		line += bytes.Count(text, []byte("\n"))
		found, isOther := headsIn(text, d)
		if isOther {
			others++
		}
		for _, one := range found {
			count++
			one.File, one.Index, one.Line = file, i, begin+leadingLines(text)
			one.templated, one.size = bytes.Contains(text, []byte("{{")), len(text)
			all = append(all, one)
		}
	}
	for _, d := range all {
		d.alone, d.mixed = count+others == 1, others > 0
	}
	return all
}

// leadingLines counts the lines above the first key of a document.
func leadingLines(text []byte) (n int) {
	for line := range bytes.Lines(text) {
		if l := bytes.TrimSpace(line); len(l) > 0 && l[0] != '#' && !bytes.HasPrefix(l, []byte("---")) {
			return n
		}
		n++
	}
	return 0
}

func headsIn(text []byte, d *manifest.Document) (found []*Document, isOther bool) {
	if !bytes.Contains(text, []byte(crd.Kind)) {
		return nil, bytes.Contains(text, []byte("kind:"))
	}
	if one, kind := glance(text); one != nil {
		return []*Document{one}, false
	} else if kind != "" && kind != crd.Kind && !strings.HasSuffix(kind, "List") {
		return nil, true
	}
	parsed := d.Parsed()
	if parsed.Err != nil || parsed.Root == nil {
		return nil, false
	}
	crds, others := crd.Find(parsed.Root.YNode())
	for _, c := range crds {
		if c.IsPart() {
			continue
		}
		spec := crd.Get(c.Node, "spec")
		one := &Document{Name: c.Name(), Group: crd.StringAt(spec, "group"), Kind: crd.StringAt(spec, "names", "kind")}
		one.generated = crd.Get(c.Node, "metadata", "annotations", generatorAnnotation) != nil
		found = append(found, one)
	}
	return found, others > 0
}

// glance reads a CRD in block style by its lines: its names have to be written plainly, at most three mappings deep. It returns the
// kind of any other object, and nothing where it is not sure.
func glance(text []byte) (one *Document, kind string) {
	one = &Document{}
	type entry struct {
		key    string
		indent int
	}
	var around []entry // the line, the outermost first
	for line := range bytes.Lines(text) {
		key, value, indent, ok := entryOf(line)
		if !ok {
			continue
		}
		for len(around) > 0 && around[len(around)-1].indent >= indent {
			around = around[:len(around)-1]
		}
		if len(around) == 3 || len(around) == 0 && indent > 0 {
			continue
		}
		around = append(around, entry{key, indent})
		at := ""
		for _, e := range around {
			at += "/" + e.key
		}
		switch at {
		case "/kind":
			kind = value
		case "/metadata/name":
			one.Name = value
		case "/spec/group":
			one.Group = value
		case "/spec/names/kind":
			one.Kind = value
		case "/metadata/annotations/" + generatorAnnotation:
			one.generated = true
		}
	}
	if kind != crd.Kind || one.Name == "" || one.Group == "" || one.Kind == "" {
		return nil, kind
	}
	return one, kind
}

// entryOf reads a line of the form `key: value` with plain or quoted words.
func entryOf(line []byte) (key, value string, indent int, ok bool) {
	rest := bytes.TrimLeft(line, " ")
	indent = len(line) - len(rest)
	if len(rest) == 0 || strings.IndexByte("#-{[&*|>%\r\n", rest[0]) >= 0 {
		return "", "", 0, false
	}
	k, v, found := bytes.Cut(rest, []byte(":"))
	if !found || len(v) > 0 && v[0] != ' ' && v[0] != '\n' && v[0] != '\r' {
		return "", "", 0, false
	}
	if before, _, found := bytes.Cut(v, []byte(" #")); found {
		v = before
	}
	value = strings.Trim(string(bytes.TrimSpace(v)), `"'`)
	if strings.ContainsAny(value, "{}&*|>") {
		value = ""
	}
	return strings.Trim(string(bytes.TrimSpace(k)), `"'`), value, indent, true
}
