package overview

import (
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/lint"
)

// A Migration counts the CRDs by how far they are on the way to a version of apiextensions.k8s.io.
type Migration struct {
	To        string // "v1", or "v1beta1" for a conversion back
	Converted int    // by this run
	There     int    // were there before
	Pending   int    // can be converted
	Person    int    // need a decision of a person
	Unknown   int    // of neither version, or written in a template
}

// Done counts the CRDs that are there.
func (m Migration) Done() int { return m.Converted + m.There }

// Left counts the CRDs that are not.
func (m Migration) Left() int { return m.Pending + m.Person }

// All counts the CRDs whose version is known.
func (m Migration) All() int { return m.Done() + m.Left() }

// Percent is the share that is done, rounded down so that 100 means all; 100 where there are none.
func (m Migration) Percent() int {
	if m.All() == 0 {
		return 100
	}
	return m.Done() * 100 / m.All()
}

// Migration counts the CRDs of a repository. Where no conversion was tried, their versions say whether they are at v1.
func (r *Repository) Migration() Migration {
	m := Migration{To: "v1"}
	written := false
	for _, h := range r.Heads {
		if h.Migration != nil {
			m.To, written = h.Migration.To, h.Migration.Written
		}
	}
	for _, c := range r.CRDs {
		version := strings.TrimPrefix(c.APIVersion, crd.Group+"/")
		switch {
		case c.State == lint.CRDConverted && written:
			m.Converted++
		case c.State == lint.CRDNeedsPerson:
			m.Person++
		case c.State == lint.CRDAlreadyThere, c.State == "" && version == m.To:
			m.There++
		case c.State == lint.CRDConverted, version == "v1", version == "v1beta1":
			m.Pending++
		default:
			m.Unknown++
		}
	}
	return m
}

// Left counts the CRDs that are not yet where they are to be.
func (r *Repository) Left() int { return r.Migration().Left() }
