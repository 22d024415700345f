package xrd

import (
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
)

// envelope says where the XRD has what is in a CRD that is made of it.
func (x *definition) envelope(claim bool) *crd.Envelope {
	made := &crd.Envelope{
		Node: x.node, Object: x.object, APIVersion: Group + "/" + x.version, Kind: Kind, Also: claim,
		Place: func(at crd.Place) (crd.Place, bool) { return x.place(at, claim) },
		Words: words,
	}
	if claim {
		made.Words = func(message string) string { return wordsOfClaims(words(message)) }
	}
	return made
}

// place is where the XRD has what is at a place of the CRD.
func (x *definition) place(at crd.Place, claim bool) (in crd.Place, exact bool) {
	path := x.pathOf(at.Path, claim)
	if at.Node != nil && at.Node.Line > 0 { // it may be a key, the node of a copy, or what had a value that is gone
		return crd.Place{Node: at.Node, Path: path}, true
	}
	in, _ = x.object.Resolve(crd.Steps(path))
	return in, false
}

// pathOf is the path in the XRD of what is at a path of the CRD.
func (x *definition) pathOf(path string, claim bool) string {
	in := func(above string) bool { return crd.Within(path, above) }
	switch {
	case claim && in("metadata.name"):
		return "spec.claimNames.plural"
	case claim && in("spec.names"):
		return "spec.claimNames" + strings.TrimPrefix(path, "spec.names")
	case claim && in("spec.scope"):
		return "spec.claimNames"
	case in("metadata.annotations"):
		return "spec." + path
	case in("metadata.labels"):
		if _, complete := x.object.Resolve(crd.Steps("spec." + path)); complete {
			return "spec." + path
		}
	case strings.HasPrefix(path, "spec.versions[") && strings.HasSuffix(path, "].storage"):
		return strings.TrimSuffix(path, "storage") + "referenceable"
	}
	return path
}

// words puts a message about the CRD into the words of an XRD.
var words = strings.NewReplacer(
	"storage version", "referenceable version", "storage: true", "referenceable: true", "storage: false", "referenceable: false",
	"storage must be", "referenceable must be", "served and stored", "served and referenceable",
	"for an existing CRD", "for an existing XRD", "v1 has no field", "CRDs have no field", "; v1 wants one", "; CRDs want one",
	"the CRD has", "the XRD has",
).Replace

// wordsOfClaims does so where the CRD is that of claims.
var wordsOfClaims = strings.NewReplacer(
	"names.plural", "claimNames.plural", "names.kind", "claimNames.kind", "names.singular", "claimNames.singular", "names.listKind", "claimNames.listKind",
	"metadata.name must", "the name of the CRD of claims must",
).Replace
