package objects

import (
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
)

// patchDirective is the key by which a strategic merge patch says what becomes of the rest.
const patchDirective = "$patch"

// isPatch reports whether an object is a strategic merge patch: something in it has a directive. An object inside of it may
// be one of its own: Flux's Kustomizations hold patches.
func (o *Object) isPatch() bool { return hasDirective(o.Node, o.Node) }

// IsCustom reports whether an object is a custom resource: it is not one of Kubernetes, and not a part of one.
func (o *Object) IsCustom() bool { return !isBuiltIn(o.Group) && !o.isPatch() }

// hasDirective looks for a directive at and below a node of an object. What aliases lead to is at another node.
func hasDirective(object, n *yaml.Node) bool {
	if n != object && objectOf(nil, n) != nil {
		return false
	}
	for i, child := range n.Content {
		isKey := n.Kind == yaml.MappingNode && i%2 == 0
		if isKey && child.Value == patchDirective || !isKey && hasDirective(object, child) {
			return true
		}
	}
	return false
}

// PatchesAround knows the files that kustomizations apply as patches: those of the kustomizations in the folders that it has
// read, and in those above. Paths have slashes. It is filled by one goroutine, and then serves any number.
type PatchesAround struct {
	Within func(dir string) bool // whether to look above a folder, too
	Read   func(path string) ([]byte, error)

	looked, patches map[string]bool
}

// Look looks at a folder.
func (a *PatchesAround) Look(dir string) {
	if a.looked[dir] {
		return
	}
	if a.looked == nil {
		a.looked, a.patches = map[string]bool{}, map[string]bool{}
	}
	a.looked[dir] = true
	for _, name := range konfig.RecognizedKustomizationFileNames() {
		src, err := a.Read(path.Join(dir, name))
		if err != nil {
			continue
		}
		for _, file := range Patches(src) {
			a.patches[path.Join(dir, file)] = true
		}
	}
	if above := path.Dir(dir); above != dir && a.Within(dir) {
		a.Look(above)
	}
}

// Has reports whether the file at a path is a patch.
func (a *PatchesAround) Has(path string) bool { return a.patches[path] }

// Patches lists the files that a kustomization applies as patches, by their paths relative to its folder, cleaned and with
// slashes: they hold parts of objects.
func Patches(src []byte) (files []string) {
	for _, d := range manifest.Parse("", src).Documents {
		root := d.Root.YNode()
		for _, field := range []string{"patches", "patchesStrategicMerge", "patchesJson6902"} {
			for _, item := range crd.Items(crd.Get(root, field)) {
				file := crd.StringAt(item, "path")
				if file == "" && crd.Deref(item).Kind == yaml.ScalarNode {
					file = crd.StringAt(item)
				}
				if file != "" {
					files = append(files, path.Clean(file))
				}
			}
		}
	}
	return files
}

// builtIn are the groups of Kubernetes' own types, those of k8s.io/api and of the API server's extensions.
var builtIn = []string{
	"", "admission.k8s.io", "admissionregistration.k8s.io", "apidiscovery.k8s.io", "apiextensions.k8s.io", "apiregistration.k8s.io",
	"apps", "authentication.k8s.io", "authorization.k8s.io", "autoscaling", "batch", "certificates.k8s.io", "coordination.k8s.io",
	"discovery.k8s.io", "events.k8s.io", "extensions", "flowcontrol.apiserver.k8s.io", "imagepolicy.k8s.io",
	"internal.apiserver.k8s.io", "lifecycle.k8s.io", "networking.k8s.io", "node.k8s.io", "policy", "rbac.authorization.k8s.io",
	"resource.k8s.io", "scheduling.k8s.io", "storage.k8s.io", "storagemigration.k8s.io",
}

// isBuiltIn reports whether a group is Kubernetes' own, or that of files which no API server sees: the configuration of its
// programs, such as kustomize.config.k8s.io, and names without a dot, which no CRD can have as its group.
func isBuiltIn(group string) bool {
	return slices.Contains(builtIn, group) || !strings.Contains(group, ".") || strings.HasSuffix(group, ".config.k8s.io") || group == "kubeadm.k8s.io"
}
