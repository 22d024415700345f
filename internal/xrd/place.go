package xrd

import (
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/text"
)

// envelope says where the XRD has what is in a CRD that is made of it.
func (x *definition) envelope(claim bool) *crd.Envelope {
	return &crd.Envelope{
		Node: x.node, APIVersion: Group + "/" + x.version, Kind: Kind, Also: claim,
		Place: func(at crd.Place) (crd.Place, bool) { return x.place(at, claim) },
		Words: words,
	}
}

// place is where the XRD has what is at a place of the CRD.
func (x *definition) place(at crd.Place, claim bool) (in crd.Place, exact bool) {
	path := x.pathOf(at.Path, claim)
	if at.Node != nil && at.Node.Line > 0 { // it may be a key, the node of a copy, or what had a value that is gone
		return crd.Place{Node: at.Node, Path: path}, true
	}
	in, _ = (&crd.CRD{Node: x.node}).Resolve(crd.Steps(path))
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
		if _, complete := (&crd.CRD{Node: x.node}).Resolve(crd.Steps("spec." + path)); complete {
			return "spec." + path
		}
	case strings.HasPrefix(path, "spec.versions[") && strings.HasSuffix(path, "].storage"):
		return strings.TrimSuffix(path, "storage") + "referenceable"
	}
	return path
}

var (
	storage = text.Pattern(`\bstorage( version|: (?:true|false)\b| must be)`)
	version = text.Pattern(`^v1 has\b`)
)

// words puts a message about the CRD into the words of an XRD.
func words(message string) string {
	return version().ReplaceAllString(storage().ReplaceAllString(message, "referenceable$1"), "CRDs have")
}
