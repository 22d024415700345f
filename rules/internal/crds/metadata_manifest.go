package crds

import (
	"path"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/lint"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// manifestRules are about what does not belong into a manifest.
var manifestRules = []*engine.Rule{
	{
		ID:       "metadata-namespace-set",
		Presence: true,
		Summary:  "CRDs with a namespace",
		Severity: lint.Warning,
		Run: func(p *engine.Pass) {
			if at := writtenAt(p.CRD, "metadata"); crd.HasValue(at.Node, "namespace") {
				p.Report(at.KeyOf("namespace"), "CRDs have no namespace, and servers drop it; remove it").
					Fix = removeAt("remove metadata.namespace", true, "metadata.namespace")
			}
		},
	},
	{
		ID:       "metadata-server-fields",
		Summary:  "metadata that only servers write",
		Severity: lint.Info,
		Run:      serverFields,
	},
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
	convention("server-field-stub", "empty fields of the server's that Go programs write", serverStubs),
	convention("file-name-convention", "files that hold several CRDs, or are not named after theirs", fileName),
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
	look := func(at crd.Place, fields ...string) {
		for _, field := range fields {
			if k, v := crd.Lookup(at.Node, field); k != nil && isStub(v) {
				stub := at.KeyOf(field)
				p.Reportf(stub, "%s is empty, and belongs to the server; remove it", field).Fix = removeAt("remove "+stub.Path, true, stub.Path)
			}
		}
	}
	look(writtenAt(p.CRD, "metadata"), serverMetadata...)
	look(crd.Place{Node: p.CRD.Node}, "status")
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
		p.Reportf(resource, "by convention, the file is called %s_%s%s", group, plural, extension)
	}
}
