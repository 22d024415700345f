package repository

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/xrd"
)

// A head is what is read of a CRD without its schemas.
type head struct {
	generated bool   // it has the annotation of controller-gen
	made      bool   // another program makes the CRD of it
	templated bool   // there are actions of a template in it
	size      int    // of its text, in bytes
	isForced  bool   // a setting has decided
	text      string // tells it from others; "" where it is not to be compared
	signs     []bool
}

const generatorAnnotation = "controller-gen.kubebuilder.io/version"

// namesKind reports whether a text names a kind that is read.
func namesKind(text []byte) bool {
	return bytes.Contains(text, []byte(crd.Kind)) || bytes.Contains(text, []byte(xrd.Kind))
}

// documentsIn are the CRDs in a text.
func documentsIn(file string, src []byte) (all []*Document) {
	if !namesKind(src) {
		return nil
	}
	others, count := 0, 0
	split := manifest.Split(file, src)
	for i, d := range split.Documents {
		text := d.Text()
		line, _ := split.Position(d.Start)
		found, isOther := headsIn(text, line)
		if isOther {
			others++
		}
		for at, one := range found {
			if at == 0 || one.Line != found[at-1].Line { // several may be made of one object
				count++
			}
			one.File, one.Index = file, i
			one.templated, one.size = bytes.Contains(text, []byte("{{")), len(text)
			if !one.templated && !bytes.Contains(text, []byte("crdlift:")) {
				one.text = textOf(text)
			}
			all = append(all, one)
		}
	}
	for _, d := range all {
		d.alone, d.mixed = count+others == 1, others > 0
	}
	return all
}

// textOf tells a document from others by all of its text but the lines around it.
func textOf(text []byte) string {
	text = bytes.Trim(text, "\r\n")
	if rest, marked := bytes.CutPrefix(text, []byte("---\n")); marked {
		text = rest
	}
	sum := sha256.Sum256(text)
	return string(sum[:])
}

func headsIn(text []byte, line int) (found []*Document, isOther bool) {
	if !namesKind(text) {
		return nil, bytes.Contains(text, []byte("kind:")) || bytes.Contains(text, []byte(`"kind"`))
	}
	documents := manifest.Parse("", outline(text)).Documents
	if slices.ContainsFunc(documents, isBroken) && !bytes.Contains(text, []byte("{{")) {
		documents = manifest.Parse("", text).Documents // it may be whole with what was left out
	}
	for _, d := range documents {
		if isBroken(d) {
			if one := written(outline(text)); one != nil {
				one.Line += line - 1
				return []*Document{one}, false
			}
			return headsInTemplate(text, line), false
		} else if d.Root == nil {
			continue
		}
		crds, others := xrd.Find(d.Root.YNode())
		for _, c := range crds {
			if !c.IsPart() {
				found = append(found, headOf(d, c, line))
			}
		}
		isOther = isOther || others > 0
	}
	return found, isOther
}

func isBroken(d *manifest.Document) bool { return d.Err != nil }

// outline is a text with blank lines in the place of its versions and schemas, which take longer to parse than all else that roles need.
func outline(text []byte) []byte {
	var out bytes.Buffer
	at := 0
	for b := range crd.Blocks(text, "versions", crd.SchemaKey) {
		out.Write(text[at:b.Colon])
		out.Write(bytes.Repeat([]byte("\n"), bytes.Count(text[b.Colon:b.End], []byte("\n"))))
		at = b.End
	}
	out.Write(text[at:])
	return out.Bytes()
}

// keyLine is a line with a key, and perhaps a word behind it.
var keyLine = text.Pattern(`^( *)["']?([\w./-]+)["']? *:(?:[ \t]+["']?([A-Za-z][\w./-]*)["']?)?(?:[ \t]|$)`)

// written is what the lines of a text say that no parser reads, such as a template; nil for no CRD.
func written(text []byte) *Document {
	type key struct {
		column int
		path   string
	}
	around, values := []key{{-1, ""}}, map[string]string{}
	one := &Document{}
	for number, line := range strings.Split(string(text), "\n") {
		m := keyLine().FindStringSubmatch(strings.TrimRight(line, "\r"))
		if m == nil {
			continue
		}
		for around[len(around)-1].column >= len(m[1]) {
			around = around[:len(around)-1]
		}
		path := around[len(around)-1].path + "/" + m[2]
		if around = append(around, key{len(m[1]), path}); m[3] != "" {
			values[path] = m[3]
		}
		one.Line = cmp.Or(one.Line, number+1)
		one.generated = one.generated || path == "/metadata/annotations/"+generatorAnnotation
	}
	one.Name, one.Group, one.Kind = values["/metadata/name"], values["/spec/group"], values["/spec/names/kind"]
	group, _, _ := strings.Cut(values["/apiVersion"], "/")
	one.made = group == xrd.Group && values["/kind"] == xrd.Kind
	if !one.made && (group != crd.Group || values["/kind"] != crd.Kind) || one.Name == "" || one.Group == "" || one.Kind == "" {
		return nil
	}
	return one
}

// headsInTemplate are the CRDs in a template whose lines do not say them, as they are with all that depends on values.
func headsInTemplate(text []byte, line int) (found []*Document) {
	opened := manifest.Open("", "", text)
	if opened.Template == nil || len(opened.Worlds) == 0 {
		return nil
	}
	for _, d := range opened.Worlds[0].Documents {
		if d = d.Parsed(); d.Err != nil || d.Root == nil {
			continue
		}
		crds, _ := xrd.Find(d.Root.YNode())
		for _, c := range crds {
			if one := headOf(d, c, line); !c.IsPart() && !d.File.Mask.Mentions(one.Name) {
				found = append(found, one)
			}
		}
	}
	return found
}

// headOf is what is read of a CRD in a document of a text that begins at a line.
func headOf(d *manifest.Document, c *crd.CRD, line int) *Document {
	spec := crd.Get(c.Node, "spec")
	one := &Document{Name: c.Name(), Group: crd.StringAt(spec, "group"), Kind: crd.StringAt(spec, "names", "kind")}
	below, _ := d.Begin(c.Root())
	one.Line = line + below - 1
	one.made = c.From != nil
	one.generated = crd.Get(c.Node, "metadata", "annotations", generatorAnnotation) != nil
	return one
}
