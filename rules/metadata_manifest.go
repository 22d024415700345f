package rules

import (
	"path"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/lint"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// manifestRules are about what does not belong into a manifest.
var manifestRules = []*engine.Rule{
	{
		ID:       "metadata-namespace-set",
		Summary:  "CRDs with a namespace",
		Severity: lint.Warning,
		Run: func(p *engine.Pass) {
			metadata := crd.Place{Node: crd.Get(p.CRD.Node, "metadata"), Path: "metadata"}
			if crd.HasValue(metadata.Node, "namespace") {
				f := p.Report(metadata.Key(metadata.Node, "namespace"), "CRDs have no namespace, and servers drop it; remove it")
				f.Fix = removeFrom("metadata", "namespace")
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
		Summary:  "manifests with a status",
		Severity: lint.Warning,
		Run: func(p *engine.Pass) {
			if status := crd.Get(p.CRD.Node, "status"); !isStub(status) && !p.CRD.InCluster() {
				top := crd.Place{Node: p.CRD.Node}
				f := p.Report(top.Key(p.CRD.Node, "status"), "status belongs to the server, which ignores it here; remove it")
				f.Fix = removeFrom("", "status")
			}
		},
	},
	{
		ID:       "server-field-stub",
		Summary:  "empty fields of the server's that Go programs write",
		Severity: lint.Info,
		Preset:   lint.Strict,
		Run:      serverStubs,
	},
	{
		ID:       "file-name-convention",
		Summary:  "files that hold several CRDs, or are not named after theirs",
		Severity: lint.Info,
		Preset:   lint.All,
		Run:      fileName,
	},
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

// removeFrom is a safe fix that removes an entry of a mapping of the CRD.
func removeFrom(mapping, key string) *engine.Fix {
	return &engine.Fix{Title: "remove " + crd.Join(mapping, key), Safe: true, Apply: func(c *crd.CRD) bool {
		return len(layout.Remove(crd.Get(c.Node, crd.Steps(mapping)...), key)) > 0
	}}
}

const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

var serverMetadata = []string{
	"creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "generation", "managedFields", "resourceVersion", "selfLink", "uid",
}

func serverFields(p *engine.Pass) {
	if p.CRD.InCluster() {
		return
	}
	metadata := crd.Place{Node: crd.Get(p.CRD.Node, "metadata"), Path: "metadata"}
	for _, e := range crd.Entries(metadata.Node) {
		if slices.Contains(serverMetadata, e.Name) && !isStub(e.Value) {
			f := p.Reportf(metadata.Key(metadata.Node, e.Name), "%s belongs to the server; remove it from the manifest", e.Name)
			f.Fix = removeFrom("metadata", e.Name)
		}
	}
	annotations := crd.Place{Node: crd.Get(metadata.Node, "annotations"), Path: "metadata.annotations"}
	if k, _ := crd.Lookup(annotations.Node, lastApplied); k != nil {
		f := p.Report(keyNamed(annotations, lastApplied), "kubectl apply writes this annotation itself; remove it from the manifest")
		f.Fix = removeFrom("metadata.annotations", lastApplied)
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
				f := p.Reportf(at.Key(at.Node, field), "%s is empty, and belongs to the server; remove it", field)
				f.Fix = removeFrom(at.Path, field)
			}
		}
	}
	look(crd.Place{Node: crd.Get(p.CRD.Node, "metadata"), Path: "metadata"}, serverMetadata...)
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
