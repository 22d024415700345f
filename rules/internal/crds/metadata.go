package crds

import (
	"fmt"
	"strings"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"k8s.io/apimachinery/pkg/util/validation"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

var metadataRules = []*engine.Rule{
	{
		ID:        "metadata-name-mismatch",
		DependsOn: []string{"spec.group", "spec.names.plural"},
		Summary:   "CRDs whose name is not made of their plural and their group",
		Severity:  lint.Error,
		Run:       enforced(nameMismatch),
	},
	refusal("metadata-invalid", "labels, annotations, owners, finalizers and managed fields that the API server refuses",
		func(p *engine.Pass, r engine.Refusal) {
			at, message := objectMetaFault(p.CRD, r)
			p.Refusef(at, "%s", message)
		}),
	{
		ID:        "api-approval-missing",
		Annotates: true,
		Summary:   "CRDs of a protected group without an approval",
		Severity:  lint.Error,
		Run: enforced(func(p *engine.Pass, r engine.Refusal) {
			at := r.At
			if !r.Complete {
				at, _ = p.CRD.LocateExactly("spec.group")
			}
			f := p.Refusef(at, "protected group %s needs annotation api-approved.kubernetes.io: a URL or \"unapproved, <why>\"",
				text.Quoted(crd.StringAt(p.CRD.Node, "spec", "group")))
			f.Fix = &engine.Fix{Title: "annotate the API as unapproved", Apply: func(c *crd.CRD) bool {
				_, did := layout.Unapprove(crd.Get(c.Node, "metadata"))
				return did
			}}
		}),
	},
	refusal("api-approval-invalid", "approvals of protected groups that are neither a URL nor a reason",
		func(p *engine.Pass, r engine.Refusal) {
			at, _ := p.CRD.Resolve([]string{"metadata", "annotations", approvalAnnotation})
			p.Refusef(at, "%s is neither a URL nor does it start with \"unapproved\"", text.Quoted(crd.StringAt(at.Node)))
		}),
}

const approvalAnnotation = "api-approved.kubernetes.io"

// nameMismatch explains errors about metadata.name and generateName. A manifest that asks for a generated name has all of these errors at once.
func nameMismatch(p *engine.Pass, r engine.Refusal) {
	generated := crd.StringAt(p.CRD.Node, "metadata", "generateName") != ""
	if generated && r.Row != apiserver.GenerateNameInvalid && p.CRD.Name() == "" {
		return
	}
	plural, group := crd.StringAt(p.CRD.Node, "spec", "names", "plural"), crd.StringAt(p.CRD.Node, "spec", "group")
	if (plural == "" || group == "") && r.Row == apiserver.NameMismatch && p.CRD.Name() != "" {
		return // what is missing is reported, and the name may well be right
	}
	want := plural + "." + group
	known := plural != "" && group != "" && len(validation.IsDNS1123Subdomain(want)) == 0
	shown := text.Sprintf("names.plural, a dot and group")
	if known {
		shown = text.Sprintf("%s: %s", text.Quoted(want), shown)
	}
	message := text.Sprintf("metadata.name must be %s", shown)
	switch {
	case r.Row == apiserver.GenerateNameInvalid:
		message = text.Sprintf("the name of a CRD cannot be generated; set metadata.name to %s", shown)
	case !r.Complete || p.CRD.Name() == "":
		message = text.Sprintf("metadata.name is missing; it must be %s", shown)
	case p.CRD.Name() == want:
		message = text.Sprintf("metadata.name must be a DNS name, and %s is not; correct the plural or the group", text.Quoted(want))
	}
	f := p.Refusef(r.At, "%s", message)
	if !known {
		return
	}
	f.Fix = &engine.Fix{Title: "set metadata.name to " + want, Apply: func(c *crd.CRD) bool {
		metadata := crd.Get(c.Node, "metadata")
		if metadata == nil || metadata.Kind != yaml.MappingNode {
			layout.Set(c.Node, "metadata", layout.Mapping("name", layout.String(want)))
			return true
		}
		if generated {
			layout.Remove(metadata, "generateName")
		}
		layout.Set(metadata, "name", layout.String(want))
		return true
	}}
}

const qualified = "use up to 63 letters, digits, -, _ and ., optionally after a DNS name and a slash"

// objectMetaFault says what is wrong with a field that all objects have.
func objectMetaFault(c *crd.CRD, r engine.Refusal) (crd.Place, text.Text) {
	bad := fmt.Sprint(r.BadValue)
	switch r.Row {
	case apiserver.LabelsInvalid:
		if strings.Contains(r.Detail, "part") {
			return keyNamed(c, r.At, bad), text.Sprintf("label key %s is invalid; %s", text.Quoted(bad), qualified)
		}
		return valueNamed(r.At, bad), text.Sprintf("label value %s is invalid; use up to 63 letters, digits, -, _ and ., with a letter or digit at both ends", text.Quoted(bad))
	case apiserver.AnnotationsInvalid:
		return keyNamed(c, r.At, bad), text.Sprintf("annotation key %s is invalid; %s", text.Quoted(bad), qualified)
	case apiserver.OwnerReferenceIncomplete:
		if r.Complete && stringOf(r.At.Node) != "" && !strings.Contains(r.Detail, "must not be empty") {
			return r.At, text.Sprintf("%s is not a valid apiVersion; write group/version, or the version alone for the core group", text.Quoted(bad))
		}
		return r.At, text.Sprintf("%s of an owner reference is missing", missingOfOwner(r))
	case apiserver.OwnerReferenceDisallowed:
		if strings.Contains(r.Detail, "disallowed") {
			return r.At, text.Sprintf("an Event cannot own other objects; remove this owner reference")
		}
		return r.At, text.Sprintf("more than one owner reference has controller: true")
	case apiserver.FinalizerInvalid:
		if strings.Contains(r.Detail, "cannot be both set") {
			return r.At, text.Sprintf("the finalizers orphan and foregroundDeletion exclude each other; remove one")
		}
		return valueNamed(r.At, bad), text.Sprintf("finalizer %s is invalid; %s", text.Quoted(bad), qualified)
	case apiserver.ManagedFieldsInvalid:
		return r.At, text.Sprintf("%s of managedFields is not a value that a server writes; remove managedFields from the manifest", crd.LastField(r.Field))
	}
	return r.At, text.Sprintf("%s is invalid: %s", crd.LastField(r.Field), text.Foreign(r.Detail))
}

// missingOfOwner is the field of an owner reference that is missing. Kubernetes 1.21 only said so in words.
func missingOfOwner(r engine.Refusal) string {
	if field, _, ok := strings.Cut(r.Detail, " must not be empty"); ok && field != "" {
		if field == "version" {
			return "apiVersion"
		}
		return field
	}
	return crd.LastField(r.Field)
}

// keyNamed is the place of a mapping's key, or of the mapping.
func keyNamed(c *crd.CRD, at crd.Place, name string) crd.Place {
	if k, _ := c.Lookup(at.Node, name); k != nil {
		return crd.Place{Node: k, Path: crd.Under(at.Path, name)}
	}
	return at
}

// valueNamed is the place of the first value of a mapping or a list that is a certain string, or of the whole.
func valueNamed(at crd.Place, text string) crd.Place {
	for _, e := range crd.Entries(at.Node) {
		if crd.StringAt(e.Value) == text {
			return crd.Place{Node: e.Value, Path: crd.Under(at.Path, e.Name)}
		}
	}
	for _, item := range at.Items() {
		if crd.StringAt(item.Node) == text {
			return item
		}
	}
	return at
}
