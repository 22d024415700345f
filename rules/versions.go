package rules

import (
	"fmt"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/lint"
)

var _ = topic("versions", "Versions",
	&lint.Rule{
		ID:       "storage-version-count",
		Summary:  "CRDs without exactly one storage version",
		Severity: lint.Error,
		Doc: `Objects are stored in one version and converted to the others when they are read. The API server refuses a
CustomResourceDefinition with none or with several.

**What to do**: set ` + "`storage: true`" + ` on one version and ` + "`storage: false`" + ` on all others.

**When to ignore it**: never; the manifest cannot be applied.

**Source**: ValidateCustomResourceDefinitionSpec of k8s.io/apiextensions-apiserver ("must have exactly one version marked
as storage version"); "Versions in CustomResourceDefinitions", https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/.`,
		Run: enforced(func(p *lint.Pass, r lint.Refusal) {
			if r.Row != "E049" {
				return // status.storedVersions repeats it
			}
			var marked []string
			at := r.At
			versions := crd.Get(p.CRD.Node, "spec", "versions")
			if versions != nil {
				for i, v := range versions.Content {
					if storage, _ := crd.BoolAt(v, "storage"); storage {
						marked = append(marked, crd.StringAt(v, "name"))
						if len(marked) == 2 {
							at = crd.Place{Node: v, Path: crd.Under("spec.versions", fmt.Sprint(i))}.Key(v, "storage")
						}
					}
				}
			}
			if len(marked) == 0 {
				p.Refuse(at, "no version has storage: true; mark the one that objects are stored in")
				return
			}
			p.Refuse(at, fmt.Sprintf("%d versions have storage: true (%s); objects are stored in exactly one", len(marked), some(marked, 4)))
		}),
	},
)
