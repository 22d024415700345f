package carry

import "github.com/crdlift/crdlift/internal/objects"

// Concerns reports whether objects that a CRD has at a version are to be migrated: they are asked for, and their CRD has the version that
// they are to be of. No webhook is asked for that.
func (c *Carrier) Concerns(d *objects.Definition, from string) bool {
	to, asked := c.target(d)
	return asked && to != from && d.Version(to) != nil
}
