package repository

import (
	"bytes"
	"crypto/sha256"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
)

// A head is what is read of a CRD without its schemas.
type head struct {
	generated bool   // it has the annotation of controller-gen
	templated bool   // there are actions of a template in it
	size      int    // of its text, in bytes
	isForced  bool   // a setting has decided
	text      string // tells it from others; "" where it is not to be compared
	signs     []bool
}

const generatorAnnotation = "controller-gen.kubebuilder.io/version"

// documentsIn are the CRDs in a text. Most are read by their lines alone; what is written otherwise is parsed.
func documentsIn(file string, src []byte) (all []*Document) {
	if !bytes.Contains(src, []byte(crd.Kind)) {
		return nil
	}
	others, count := 0, 0
	split := manifest.Split(file, src)
	for i, d := range split.Documents {
		text := d.Text()
		found, isOther := headsIn(text, d)
		if isOther {
			others++
		}
		for _, one := range found {
			count++
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

func headsIn(text []byte, d *manifest.Document) (found []*Document, isOther bool) {
	if !bytes.Contains(text, []byte(crd.Kind)) {
		return nil, bytes.Contains(text, []byte("kind:")) || bytes.Contains(text, []byte(`"kind"`))
	}
	g := glance(text)
	if g.sure && g.isCRD() {
		return []*Document{g.document(d)}, false
	} else if g.sure && g.isOther() {
		return nil, true
	}
	parsed := d.Parsed()
	if parsed.Err != nil && g.isCRD() {
		return []*Document{g.document(d)}, false
	} else if parsed.Err != nil || parsed.Root == nil {
		return nil, false
	}
	crds, others := crd.Find(parsed.Root.YNode())
	for _, c := range crds {
		if c.IsPart() {
			continue
		}
		found = append(found, parsedDocument(parsed, c))
	}
	return found, others > 0
}

func parsedDocument(d *manifest.Document, c *crd.CRD) *Document {
	spec := crd.Get(c.Node, "spec")
	one := &Document{Name: c.Name(), Group: crd.StringAt(spec, "group"), Kind: crd.StringAt(spec, "names", "kind")}
	one.Line, _ = d.Begin(c.Node)
	one.generated = crd.Get(c.Node, "metadata", "annotations", generatorAnnotation) != nil
	return one
}
