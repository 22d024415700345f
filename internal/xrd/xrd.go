// Package xrd has the CRDs that Crossplane makes of its CompositeResourceDefinitions, XRDs for short: the one of composite
// resources, and, where claims are offered, the one of these. It knows what Crossplane takes over, leaves out and writes itself, and
// does not judge the CRDs.
package xrd

import (
	"bytes"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/text"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Group and Kind are those of the objects that Crossplane makes CRDs of.
const (
	Group = "apiextensions.crossplane.io"
	Kind  = "CompositeResourceDefinition"
)

// Version is that of github.com/crossplane/crossplane-runtime/v2 whose package xcrd the CRDs are those of, and whose types of
// XRDs, of github.com/crossplane/crossplane/apis/v2, are known.
const Version = "v2.3.1"

// Find is crd.Find that also has the CRDs that Crossplane derives from objects of the document.
func Find(root *yaml.Node) (found []*crd.CRD, others int) { return crd.FindWith(root, made) }

// Unread counts the objects of a document that have patches or schemas which are not read: Crossplane's Compositions, and kro's
// ResourceGraphDefinitions.
func Unread(root *yaml.Node) (compositions, graphs int) {
	crd.FindWith(root, func(object *yaml.Node) []*crd.CRD {
		group, _, _ := strings.Cut(crd.StringAt(object, "apiVersion"), "/")
		switch kind := crd.StringAt(object, "kind"); {
		case group == Group && kind == "Composition":
			compositions++
		case group == "kro.run" && kind == "ResourceGraphDefinition":
			graphs++
		}
		return nil
	})
	return compositions, graphs
}

// MayHold is crd.MayHold for what Find finds.
func MayHold(src []byte) bool {
	return crd.MayHold(src) || bytes.Contains(text.WithoutNULs(src), []byte(Kind))
}

// made are the CRDs that Crossplane makes of an object: that of composite resources first. There are none of one that is no XRD of a
// version that is served.
func made(object *yaml.Node) []*crd.CRD {
	group, version, _ := strings.Cut(crd.StringAt(object, "apiVersion"), "/")
	if group != Group || version != "v1" && version != "v2" || crd.StringAt(object, "kind") != Kind {
		return nil
	}
	x := &definition{node: crd.Deref(object), version: version, spec: crd.Get(object, "spec")}
	x.object = (&crd.CRD{Node: x.node}).Frozen()
	all := []*crd.CRD{x.crd(false)}
	if !all[0].IsPart() {
		if x.offersClaims() {
			all = append(all, x.crd(true))
		}
		all[0].From.Problems = append(x.refused(all), x.lost(all)...)
	}
	return all
}

// A definition is an XRD.
type definition struct {
	node    *yaml.Node
	object  *crd.CRD   // a frozen one of that mapping, for its places
	version string     // of its API: v1 or v2
	spec    *yaml.Node // nil where it has none
}

// The scopes of composite resources.
const (
	legacyCluster = "LegacyCluster"
	namespaced    = "Namespaced"
	cluster       = "Cluster"

	claims = "claim" // beside the scopes, what a CRD may be of
)

// scope is that of the composite resources, as the API server defaults it; the default in the place of what it rejects.
func (x *definition) scope() string {
	switch scope := crd.StringAt(x.spec, "scope"); {
	case scope == namespaced, scope == cluster:
		return scope
	case x.version == "v1":
		return legacyCluster
	}
	return namespaced
}

// offersClaims reports whether Crossplane makes a CRD of claims. It makes none where it rejects their names.
func (x *definition) offersClaims() bool {
	names := crd.Get(x.spec, "claimNames")
	return x.scope() == legacyCluster && names != nil && names.Kind == yaml.MappingNode && len(x.sharedNames()) == 0
}

// sharedNames are the fields that have the same value in the names of claims as in those of composite resources, which Crossplane
// rejects (validateClaimNames of xcrd).
func (x *definition) sharedNames() (all []string) {
	for _, field := range []string{"kind", "plural", "singular", "listKind"} {
		name := crd.StringAt(x.spec, "claimNames", field)
		always := (field == "kind" || field == "plural") && crd.Get(x.spec, "claimNames") != nil
		if name == crd.StringAt(x.spec, "names", field) && (name != "" || always) {
			all = append(all, field)
		}
	}
	return all
}
