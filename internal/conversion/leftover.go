package conversion

import (
	"fmt"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/layout"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Leftovers are the fields of v1beta1 in a v1 manifest: one whose apiVersion was changed and little else. Idle ones say
// nothing and can go. The others make the manifest the v1beta1 manifest that it was.
type leftovers struct {
	idle, older []crd.UnknownField
}

func leftoversOf(c *crd.CRD) (l leftovers) {
	if c.Version != crd.V1 {
		return l
	}
	for _, u := range c.UnknownFields() {
		switch {
		case !isOlder(u):
		case isIdle(c, u):
			l.idle = append(l.idle, u)
		default:
			l.older = append(l.older, u)
		}
	}
	return l
}

// isOlder reports whether an unknown field of a v1 manifest is one that v1beta1 had in that place.
func isOlder(u crd.UnknownField) bool {
	switch u.Place.Path {
	case "spec.version", "spec.validation", "spec.subresources", "spec.additionalPrinterColumns", "spec.selectableFields",
		"spec.conversion.webhookClientConfig", "spec.conversion.conversionReviewVersions":
		return true
	}
	return strings.HasSuffix(u.Place.Path, ".JSONPath")
}

// isIdle reports whether a leftover says nothing: it is empty, or names a version beside the list of versions.
func isIdle(c *crd.CRD, u crd.UnknownField) bool {
	v := crd.Deref(u.Place.Node)
	switch {
	case crd.IsNull(v):
		return true
	case v.Kind == yaml.ScalarNode:
		return v.Value == "" || u.Place.Path == "spec.version" && hasVersions(c)
	}
	return len(crd.Entries(v)) == 0 && (v.Kind != yaml.SequenceNode || len(v.Content) == 0)
}

func hasVersions(c *crd.CRD) bool {
	versions := crd.Get(c.Node, "spec", "versions")
	return versions != nil && versions.Kind == yaml.SequenceNode && len(versions.Content) > 0
}

// dropIdle removes the leftovers that say nothing. Servers dropped them, but kubectl asks for strict validation.
func (j *job) dropIdle() {
	for _, u := range leftoversOf(j.work).idle {
		id, message := "empty-field-removed", u.Name()+" is a field of v1beta1 and empty; it was removed"
		if u.Place.Path == "spec.version" {
			id, message = "version-field-removed", "spec.version is a field of v1beta1 and was removed; spec.versions already has the same information"
		}
		j.removeUnknown(u, id, message)
	}
}

// reportOlder reports the leftovers of a v1 manifest that is to become v1beta1: its server dropped them, and now they
// would count.
func (j *job) reportOlder() {
	for _, u := range j.left.older {
		j.report("v1beta1-field-in-v1", crd.Place{Node: u.Key, Path: u.Place.Path},
			u.Name()+" is a field of v1beta1, which v1 servers drop; in v1beta1 it would count, so remove it first, or convert the manifest to v1")
	}
}

// both reports a leftover whose v1 counterpart is there as well.
func (j *job) both(key *yaml.Node, path, counterpart string) {
	j.report("v1beta1-field-in-v1", crd.Place{Node: key, Path: path},
		fmt.Sprintf("%s is a field of v1beta1, and v1 servers read %s instead; remove one of the two", crd.LastField(path), counterpart))
}

// asV1beta1 reads a CRD as v1beta1 whatever its apiVersion says, with the fields that only v1 has where v1beta1 has them.
func asV1beta1(c *crd.CRD) *crd.CRD {
	old := &crd.CRD{Node: crd.Clone(c.Node), Version: crd.V1beta1}
	for _, u := range leftoversOf(&crd.CRD{Node: old.Node, Version: crd.V1}).idle {
		layout.Remove(u.Parent, u.Name())
	}
	layout.Set(old.Node, "apiVersion", layout.String(crd.Group+"/v1beta1"))
	versions := crd.Get(old.Node, "spec", "versions")
	if versions != nil {
		for _, item := range versions.Content {
			renameColumns(crd.Get(item, "additionalPrinterColumns"))
		}
	}
	renameColumns(crd.Get(old.Node, "spec", "additionalPrinterColumns"))
	conversion := crd.Get(old.Node, "spec", "conversion")
	for _, f := range layout.OfWebhook {
		if k, v := crd.Lookup(crd.Get(conversion, "webhook"), f.V1); k != nil {
			layout.Set(conversion, f.V1beta1, v)
		}
	}
	return old
}

// renameColumns spells jsonPath as v1beta1 does.
func renameColumns(columns *yaml.Node) {
	if columns == nil {
		return
	}
	for _, c := range columns.Content {
		layout.Rename(crd.Deref(c), "jsonPath", "JSONPath")
	}
}
