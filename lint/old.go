package lint

import (
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
)

// An OldCRD is the CRD as it was before a change, in the document it comes from.
type OldCRD struct {
	CRD      *crd.CRD
	Document *manifest.Document
}

// Old is the CRD of the same name on the old side; nil when there is no old side, or it has none of that name.
func (p *Pass) Old() *OldCRD { return p.old }

// OldPosition is where a place of the old CRD stands.
func (p *Pass) OldPosition(at crd.Place) Position {
	was := subject{document: p.old.Document, crd: p.old.CRD}
	pos, _ := was.locate(at)
	return pos
}

// Was adds the old side of what a finding speaks about.
func (p *Pass) Was(f *Finding, at crd.Place, message string) *Finding {
	f.Related = append(f.Related, Related{p.OldPosition(at), oneLine(message)})
	return f
}
