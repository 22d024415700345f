package crds

import (
	"fmt"
	"path"
	"slices"
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

var Metadata = []*engine.Rule{
	dependent([]string{"spec.group", "spec.names.plural"},
		refusal("metadata-name-mismatch", "CRDs whose name is not their plural, a dot and their group",
			nameMismatch)),
	refusal("metadata-invalid", "labels, annotations, owners, finalizers and managed fields that the API server rejects",
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
			f := p.Refusef(at, "group %s is protected; annotate api-approved.kubernetes.io with a URL or \"unapproved, <why>\"",
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
			p.Refusef(at, "%s is not an approval; write a URL, or \"unapproved, \" and the reason", text.Quoted(crd.StringAt(at.Node)))
		}),
	{
		ID:       "metadata-namespace-set",
		Presence: true,
		Summary:  "CRDs with a namespace",
		Severity: lint.Warning,
		Run: func(p *engine.Pass) {
			if at := writtenAt(p.CRD, "metadata"); crd.HasValue(at.Node, "namespace") {
				p.Report(at.KeyOf("namespace"), "CRDs have no namespace, so API servers drop it; remove it").
					Fix = removeAt("remove metadata.namespace", true, "metadata.namespace")
			}
		},
	},
	Check(lint.Info, "metadata-server-fields", "metadata that only servers write", serverFields),
	{
		ID:       "status-in-manifest",
		Presence: true,
		Summary:  "manifests with a status",
		Severity: lint.Warning,
		Run: func(p *engine.Pass) {
			if status := crd.Get(p.CRD.Node, "status"); !isStub(status) && !p.CRD.InCluster() {
				p.Report(crd.Place{Node: p.CRD.Node}.KeyOf("status"), "status belongs to the server, which ignores it here; remove it").
					Fix = removeAt("remove status", true, "status")
			}
		},
	},
	convention("server-field-stub", "empty fields of the API server that Go programs write", serverStubs),
	{
		ID: "file-name-convention", Summary: "files that hold several CRDs, or are not named after theirs", Severity: lint.Info, Preset: lint.All,
		AboutFile: true, OfManifest: true, Run: fileName,
	},
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
		message = text.Sprintf("metadata.name is missing; set it to %s", shown)
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
		return r.At, text.Sprintf("%s of an owner reference is missing; add it", missingOfOwner(r))
	case apiserver.OwnerReferenceDisallowed:
		if strings.Contains(r.Detail, "disallowed") {
			return r.At, text.Sprintf("an Event cannot own other objects; remove this owner reference")
		}
		return r.At, text.Sprintf("more than one owner reference has controller: true; keep it on one")
	case apiserver.FinalizerInvalid:
		if strings.Contains(r.Detail, "cannot be both set") {
			return r.At, text.Sprintf("the finalizers orphan and foregroundDeletion exclude each other; remove one")
		}
		return valueNamed(r.At, bad), text.Sprintf("finalizer %s is invalid; %s", text.Quoted(bad), qualified)
	case apiserver.ManagedFieldsInvalid:
		return r.At, text.Sprintf("%s of managedFields is not a value that a server writes; remove managedFields from the manifest", crd.LastField(r.Field))
	}
	return r.At, text.Sprintf("%s is invalid: \"%s\"; correct it", crd.LastField(r.Field), text.Foreign(r.Detail))
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

// isStub reports whether a value says nothing: it is absent, or no value in it is more than an empty string.
func isStub(n *yaml.Node) bool {
	n = crd.Deref(n)
	if n == nil || n.Kind == yaml.ScalarNode {
		return n == nil || n.Value == "" || crd.IsNull(n)
	}
	for _, e := range crd.Entries(n) {
		if !isStub(e.Value) {
			return false
		}
	}
	return n.Kind == yaml.MappingNode || len(n.Content) == 0
}

const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

var serverMetadata = []string{
	"creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "generation", "managedFields", "resourceVersion", "selfLink", "uid",
}

func serverFields(p *engine.Pass) {
	if p.CRD.InCluster() {
		return
	}
	metadata := writtenAt(p.CRD, "metadata")
	for _, e := range crd.Entries(metadata.Node) {
		if slices.Contains(serverMetadata, e.Name) && !isStub(e.Value) {
			at := metadata.KeyOf(e.Name)
			p.Reportf(at, "%s belongs to the server; remove it from the manifest", e.Name).Fix = removeAt("remove "+at.Path, true, at.Path)
		}
	}
	annotations := writtenAt(p.CRD, "metadata", "annotations")
	if k, _ := crd.Lookup(annotations.Node, lastApplied); k != nil {
		at := annotations.KeyOf(lastApplied)
		p.Report(at, "kubectl apply writes this annotation itself; remove it from the manifest").Fix = removeAt("remove "+at.Path, true, at.Path)
	}
}

// serverStubs reports the server's fields that are there and say nothing.
func serverStubs(p *engine.Pass) {
	if p.Generated() || p.CRD.InCluster() {
		return
	}
	report := func(stub crd.Place, field string) {
		p.Reportf(stub, "%s is empty, and belongs to the server; remove it", field).Fix = removeAt("remove "+stub.Path, true, stub.Path)
	}
	eachField(writtenAt(p.CRD, "metadata"), serverMetadata, isStub, report)
	eachField(crd.Place{Node: p.CRD.Node}, []string{"status"}, isStub, report)
}

func fileName(p *engine.Pass) {
	name := path.Base(p.File().Path)
	extension := path.Ext(name)
	resource, complete := p.CRD.Resolve([]string{"metadata", "name"})
	plural, group, _ := strings.Cut(p.CRD.Name(), ".")
	if !complete || group == "" || extension == "" {
		return
	}
	if p.Above() > 0 {
		p.Report(resource, "the file holds another CRD before this one; give each a file of its own")
		return
	}
	if base := strings.TrimSuffix(name, extension); base != group+"_"+plural && base != group+"_"+plural+"_crd" {
		p.Reportf(resource, "by convention this file is called %s_%s%s; rename it", group, plural, extension)
	}
}
