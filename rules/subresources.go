package rules

import (
	"fmt"
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/lint"
)

var _ = topic("subresources", "Subresources", slices.Concat(scaleRules)...)

const subresourceDocs = "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#subresources"

// usualPaths are what nearly everybody writes for the paths of the scale subresource.
var usualPaths = map[string]string{
	"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas", "labelSelectorPath": ".status.selector",
}

var scaleRules = []*lint.Rule{
	{
		ID:       "scale-path-required",
		Summary:  "scale subresources without the path of the desired or of the observed replicas",
		Severity: lint.Error,
		Doc: `/scale reads and writes a number in the custom resource, and reports another one. The API server wants both paths.

**What to do**: write specReplicasPath and statusReplicasPath, such as ` + "`.spec.replicas`" + ` and ` + "`.status.replicas`" + `, and declare
both as integers in the schema.

**When to ignore it**: never; the manifest cannot be applied.

**Source**: ValidateCustomResourceDefinitionSubresources of k8s.io/apiextensions-apiserver; ` + subresourceDocs + `.`,
		Run: enforced(func(p *lint.Pass, r lint.Refusal) {
			name := lastStep(r.Field)
			p.Refuse(r.At, fmt.Sprintf("scale has no %s; write where the number is, such as %s", name, usualPaths[name]))
		}),
	},
	{
		ID:       "scale-path-invalid",
		Summary:  "paths of the scale subresource that lead to where they may not",
		Severity: lint.Error,
		Doc: `specReplicasPath has to lead below .spec, statusReplicasPath below .status, and labelSelectorPath below one of them. All
begin with a dot. Lists have no place in them.

**What to do**: write a path such as ` + "`.spec.replicas`" + `, ` + "`.status.replicas`" + ` and ` + "`.status.selector`" + `.

**When to ignore it**: never; the manifest cannot be applied.

**Source**: ValidateCustomResourceDefinitionSubresources of k8s.io/apiextensions-apiserver; ` + subresourceDocs + `.`,
		Run: enforced(func(p *lint.Pass, r lint.Refusal) {
			name, text := lastStep(r.Field), crd.StringAt(r.At.Node)
			below := map[string]string{"E104": ".spec", "E106": ".status", "E107": ".spec or .status"}[r.Row]
			p.Refuse(r.At, fmt.Sprintf("%s %s does not lead below %s; write a path such as %s", name, quoted(text), below, usualPaths[name]))
		}),
	},
}
