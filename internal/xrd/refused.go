package xrd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/text"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// fields are those of an XRD (xrd_types.go of the API of Crossplane).
type fields struct {
	metav1.TypeMeta `json:",inline"`
	Metadata        metav1.ObjectMeta `json:"metadata"`
	Status          any               `json:"status"`
	Spec            struct {
		Group                              string                           `json:"group"`
		Names                              v1.CustomResourceDefinitionNames `json:"names"`
		ClaimNames                         v1.CustomResourceDefinitionNames `json:"claimNames"`
		Scope                              string                           `json:"scope"`
		ConnectionSecretKeys               []string                         `json:"connectionSecretKeys"`
		DefaultCompositeDeletePolicy       string                           `json:"defaultCompositeDeletePolicy"`
		DefaultCompositionRef              reference                        `json:"defaultCompositionRef"`
		DefaultCompositionRevisionSelector metav1.LabelSelector             `json:"defaultCompositionRevisionSelector"`
		EnforcedCompositionRef             reference                        `json:"enforcedCompositionRef"`
		DefaultCompositionUpdatePolicy     string                           `json:"defaultCompositionUpdatePolicy"`
		Conversion                         v1.CustomResourceConversion      `json:"conversion"`
		Versions                           []versionFields                  `json:"versions"`
		Metadata                           struct {
			Labels      map[string]string `json:"labels"`
			Annotations map[string]string `json:"annotations"`
		} `json:"metadata"`
	} `json:"spec"`
}

type reference struct {
	Name string `json:"name"`
}

type versionFields struct {
	Name                     string                              `json:"name"`
	Referenceable            bool                                `json:"referenceable"`
	Served                   bool                                `json:"served"`
	Deprecated               bool                                `json:"deprecated"`
	DeprecationWarning       string                              `json:"deprecationWarning"`
	Schema                   v1.CustomResourceValidation         `json:"schema"`
	AdditionalPrinterColumns []v1.CustomResourceColumnDefinition `json:"additionalPrinterColumns"`
	Subresources             struct {
		Scale v1.CustomResourceSubresourceScale `json:"scale"`
	} `json:"subresources"`
}

// refusals are those of an XRD.
type refusals struct {
	*definition
	all []crd.Problem
}

func (r *refusals) add(at crd.Place, format string, args ...any) {
	r.all = append(r.all, crd.Problem{At: at, Kind: crd.Refused, Message: fmt.Sprintf(format, args...)})
}

// at is the place of a field of spec, or of the nearest around it.
func (r *refusals) at(steps ...string) (crd.Place, bool) {
	return r.object.Resolve(append([]string{"spec"}, steps...))
}

// refused are the problems for which API servers, by the CRD of XRDs, or Crossplane reject the XRD. What they reject its CRDs for is not
// among them.
func (x *definition) refused(made []*crd.CRD) []crd.Problem {
	r := &refusals{definition: x}
	r.misfits(made)
	scopes := []string{namespaced, cluster}
	if x.version == "v1" {
		scopes = append(scopes, legacyCluster)
	}
	r.oneOf("scope", scopes)
	r.oneOf("defaultCompositeDeletePolicy", []string{"Background", "Foreground"})
	r.oneOf("defaultCompositionUpdatePolicy", []string{"Automatic", "Manual"})
	r.claims()
	for _, field := range []string{"defaultCompositionRef", "enforcedCompositionRef"} {
		if at, complete := r.at(field); complete && crd.Get(at.Node) != nil && crd.Deref(at.Node).Kind == yaml.MappingNode && !crd.HasValue(at.Node, "name") {
			r.add(at, "%s has no name; write the name of a Composition", field)
		}
	}
	if at, complete := r.at("conversion", "strategy"); complete && x.version == "v1" && crd.StringAt(at.Node) == "None" {
		r.add(at, "%s/v1 accepts only strategy Webhook; remove conversion to convert without a webhook", Group)
	}
	versions, _ := r.at("versions")
	for _, version := range versions.Items() {
		for _, field := range []string{"served", "referenceable"} {
			if n := crd.Deref(version.Node); n.Kind == yaml.MappingNode && !crd.HasValue(n, field) {
				r.add(version.At("name"), "%s is missing in this version; write true or false", field)
			}
		}
	}
	return r.all
}

// oneOf rejects texts of a field of spec but for some.
func (r *refusals) oneOf(field string, known []string) {
	at, complete := r.at(field)
	if value := crd.StringAt(at.Node); complete && value != "" && !slices.Contains(known, value) {
		r.add(at, "there is no %s %s in %s/%s; write %s", field, text.Quoted(value), Group, r.version, text.Or(known))
	}
}

// claims rejects names of claims, and what only composite resources that may be claimed have.
func (r *refusals) claims() {
	for _, field := range []string{"claimNames", "connectionSecretKeys"} {
		at, complete := r.at(field)
		switch {
		case !complete || crd.IsNull(at.Node) || r.scope() == legacyCluster:
		case r.version == "v2":
			r.add(at, "%s/v2 has no %s; remove it, or write %s/v1 with scope: %s", Group, field, Group, legacyCluster)
		default:
			r.add(at, "only composite resources of scope %s have %s; remove it, or write that scope", legacyCluster, field)
		}
	}
	for _, field := range r.sharedNames() {
		at, _ := r.at("claimNames", field)
		r.add(at, "claims have the same %s as composite resources, so Crossplane offers no claims; choose another one", field)
	}
}

// misfits rejects fields that XRDs do not have, as kubectl has servers do, and values of another type, but for what the CRDs have as well.
func (r *refusals) misfits(made []*crd.CRD) {
	unknown, wrong := crd.Misfits[fields](r.node)
	inCRD := map[*yaml.Node]bool{}
	for _, c := range made {
		for v := range crd.Walk(c.Node) {
			inCRD[v.Node] = true
		}
	}
	for _, u := range unknown {
		if inCRD[u.Place.Node] || u.InSchema() {
			continue
		}
		todo := "remove it"
		switch near := u.Nearest(); {
		case u.Name() == "storage":
			todo = "write referenceable"
		case strings.HasSuffix(u.Place.Path, "subresources.status"):
			todo = "remove it, since Crossplane adds it"
		case len(near) > 0:
			todo = text.DidYouMean(near...)
		}
		r.add(crd.Place{Node: u.Key, Path: u.Place.Path}, "%s/%s has no field %s here; %s", Group, r.version, text.Quoted(u.Name()), todo)
	}
	for _, w := range wrong {
		if !inCRD[w.Place.Node] {
			r.add(w.Place, "%s", w.Message())
		}
	}
}
