package objects

import (
	"fmt"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
)

// nameless reports whether an action of a template decides what kind a CRD defines.
func nameless(d *manifest.Document, c *crd.CRD) bool {
	mask := d.File.Mask
	return mask.Mentions(crd.StringAt(c.Node, "spec", "group")) || mask.Mentions(crd.StringAt(c.Node, "spec", "names", "kind"))
}

// IsTemplate reports whether the CRD is in a template.
func (d *Definition) IsTemplate() bool {
	return d != nil && d.Document != nil && d.Document.File.Mask != nil
}

// leaveToRendering has nothing judged by a CRD whose schemas an action of a template prints a part of.
func (d *Definition) leaveToRendering(document *manifest.Document, c *crd.CRD) {
	mask := document.File.Mask
	if mask == nil || d.unread != "" {
		return
	}
	for _, key := range []string{"validation", "versions"} {
		start, end, ok := document.Span(crd.Get(c.Node, "spec", key))
		if !ok {
			continue
		}
		if action, at := mask.Printed(document.File.Source[start:end]); action != "" {
			line, _ := document.File.Position(start + at)
			d.unread = fmt.Sprintf("its CRD is a template, and %s on line %d prints a part of its schemas", action, line)
			return
		}
	}
}
