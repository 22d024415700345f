package overview

import (
	"cmp"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/lint"
)

// A Migration counts the CRDs by how far they are on the way to a version of apiextensions.k8s.io.
type Migration struct {
	To   string // "v1", or "v1beta1" for a conversion back
	CRDs [NeedsPerson + 1]int
}

// Done counts the CRDs that are there.
func (m Migration) Done() int { return m.CRDs[Converted] + m.CRDs[There] }

// Left counts the CRDs that are not.
func (m Migration) Left() int { return m.CRDs[ToConvert] + m.CRDs[NeedsPerson] }

// All counts the CRDs whose version is known.
func (m Migration) All() int { return m.Done() + m.Left() }

// Percent is the share that is done, rounded down so that 100 means all; 100 where there are none.
func (m Migration) Percent() int {
	if m.All() == 0 {
		return 100
	}
	return m.Done() * 100 / m.All()
}

// target is what its runs are on the way to: v1, unless they convert back.
func (r *Repository) target() string {
	to := r.to
	for _, h := range r.Heads {
		if r.to == "" && h.Migration != nil {
			to = h.Migration.To
		}
	}
	return cmp.Or(to, "v1")
}

// Migration counts the CRDs of a repository. Where no conversion was tried, their versions say whether they are there.
func (r *Repository) Migration() Migration {
	m := Migration{To: r.target()}
	for _, c := range r.CRDs {
		m.CRDs[r.Progress(c)]++
	}
	return m
}

// A Progress is how far a CRD is.
type Progress int

// How far a CRD is on the way to a version of apiextensions.k8s.io.
const (
	Unknown     Progress = iota // it is of neither version, or written in a template
	Converted                   // by this run
	There                       // it was there before
	ToConvert                   // it can be converted
	NeedsPerson                 // a decision is needed
)

// Progress says how far a CRD is. What a conversion to another version made of it only says which version it has now.
func (r *Repository) Progress(c *CRD) Progress {
	to := r.target()
	version := strings.TrimPrefix(c.APIVersion, crd.Group+"/")
	switch converted := c.State == lint.CRDConverted && c.written; {
	case c.to == to && converted:
		return Converted
	case c.to == to && c.State == lint.CRDNeedsPerson:
		return NeedsPerson
	case c.to == to && c.State == lint.CRDAlreadyThere:
		return There
	case c.to == to && c.State == lint.CRDConverted:
		return ToConvert
	case converted:
		version = c.to
	}
	switch version {
	case to:
		return There
	case "v1", "v1beta1":
		return ToConvert
	}
	return Unknown
}

// Left counts the CRDs that are not yet where they are to be.
func (r *Repository) Left() int { return r.Migration().Left() }
